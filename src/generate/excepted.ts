import { type RulesetRule, SCORING_RULE } from '../model/ruleset';
import { skipsTarget, viewRuleset } from '../translate/parity/ruleset-view';
import { sameExpression } from '../translate/patterns/canonical-expression';
import { surelyWithin } from '../translate/patterns/compare-requests';

/** Whether rules with these expressions surely see, together, every request that another matches. */
export function surelySees(expressions: readonly string[], all: string): boolean {
  const requests = (of: string) => ({ of, without: [] });
  return (
    expressions.some((one) => sameExpression(one, all)) ||
    surelyWithin([requests(all)], expressions.map(requests))
  );
}

/**
 * The deployments from which exceptions before them surely take every request (of the OWASP ruleset,
 * the rule that acts is enough), and those exceptions. What is not sure counts as deployed.
 */
export function findExcepted(rules: readonly RulesetRule[]): Map<RulesetRule, RulesetRule[]> {
  const { executes, skips } = viewRuleset({ rules });
  const found = new Map<RulesetRule, RulesetRule[]>();
  for (const { index, enabled, expression, ruleset: id } of executes) {
    const before = skips.filter(
      (skip) =>
        skip.enabled &&
        skip.index < index &&
        skipsTarget(skip, { ruleset: id, rule: SCORING_RULE }),
    );
    const rule = rules[index];
    if (!enabled || rule === undefined || before.length === 0) continue;
    const alone = before.find((skip) => surelySees([skip.expression], expression));
    const together = surelySees(
      before.map((skip) => skip.expression),
      expression,
    );
    const by = alone === undefined ? (together ? before : []) : [alone];
    if (by.length > 0) {
      found.set(
        rule,
        rules.filter((_, at) => by.some((skip) => skip.index === at)),
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
