import { type DeclaredRule, deployedBy, type RulesetRule, SCORING_RULE } from '../core/ruleset';
import { surelyWithin } from './compare-requests';
import { sameExpression } from './expressions';
import { skipsTarget, type SkipView, viewRuleset } from './view-ruleset';

/** Whether rules with these expressions surely see, together, every request that another matches. */
export function surelySees(expressions: readonly string[], all: string): boolean {
  return (
    expressions.some((one) => sameExpression(one, all)) ||
    surelyWithin([{ of: all, without: expressions }], [])
  );
}

/**
 * The deployments from which exceptions before them surely take every request (of the OWASP ruleset,
 * the rule that acts is enough), and those exceptions. What is not sure counts as deployed.
 */
export function findExcepted(rules: readonly RulesetRule[]): Map<RulesetRule, RulesetRule[]> {
  const exceptions: { rule: RulesetRule; skip: SkipView }[] = [];
  const found = new Map<RulesetRule, RulesetRule[]>();
  for (const rule of rules) {
    const {
      executes: [execute],
      skips: [skip],
    } = viewRuleset({ rules: [rule] });
    if (skip?.enabled === true) exceptions.push({ rule, skip });
    if (execute?.enabled !== true) continue;
    const target = { ruleset: execute.ruleset, rule: SCORING_RULE };
    const before = exceptions.filter((one) => skipsTarget(one.skip, target));
    const takeAll = (some: typeof before): boolean =>
      surelySees(
        some.map((one) => one.skip.expression),
        execute.expression,
      );
    const alone = before.find((one) => takeAll([one]));
    const by = alone === undefined ? (takeAll(before) ? before : []) : [alone];
    if (by.length > 0) {
      found.set(
        rule,
        by.map((one) => one.rule),
      );
    }
  }
  return found;
}

/** Rules as requests meet them: what {@link findExcepted} finds is off. */
export function asMet<T extends RulesetRule>(rules: readonly T[]): T[] {
  const excepted = findExcepted(rules);
  return rules.map((rule) => (excepted.has(rule) ? { ...rule, enabled: false } : rule));
}

/** Whether a rule keeps others from running: those behind it in the entry point. */
export function isException({ action }: RulesetRule): boolean {
  return action === 'skip';
}

/**
 * The rules that an exception holds for where they come behind it, for all that they do or a part of
 * it: what deploys a ruleset that it names, or a rule of which; with the current ruleset, every one.
 * Of another rule, none.
 */
export function reachOf(rule: RulesetRule): (other: RulesetRule) => boolean {
  const [skip] = viewRuleset({ rules: [rule] }).skips;
  if (skip === undefined) return () => false;
  const named = new Set<string | undefined>([...skip.rulesets, ...skip.rules.keys()]);
  return (other) => !isException(other) && (skip.current || named.has(deployedBy(other)));
}

/** What an exception of a list holds for: the rules behind it that it reaches. Of another rule, nothing. */
export function heldFor(rules: readonly DeclaredRule[], { ref }: DeclaredRule): DeclaredRule[] {
  return rules.flatMap((rule, at) =>
    rule.ref === ref ? rules.slice(at).filter(reachOf(rule)) : [],
  );
}
