import { type RulesetRule, SCORING_RULE } from '../model/ruleset';
import { type SkipView, skipsTarget, viewRuleset } from '../translate/parity/ruleset-view';
import { sameExpression } from '../translate/patterns/canonical-expression';
import { surelyWithin } from '../translate/patterns/compare-requests';

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
