import { type DeclaredRule, deployedBy } from '../core/ruleset';
import { canonicalExpression } from './expressions';
import { ruleContent } from './rule-content';

/**
 * Each rule of a configuration, in its order, and the one that stands for it: found by all that is
 * set, else by what they do, else by what they deploy and for which requests, else, where that was
 * changed, by name.
 */
export function matchRules(
  before: readonly DeclaredRule[],
  proposed: readonly DeclaredRule[],
): Map<DeclaredRule, DeclaredRule | undefined> {
  const matches = new Map<DeclaredRule, DeclaredRule | undefined>(
    proposed.map((rule) => [rule, undefined]),
  );
  let open = before;
  for (const keyOf of [setting, purpose, deployment, ({ ref }: DeclaredRule) => ref]) {
    const byKey = new Map<string | undefined, DeclaredRule[]>();
    for (const rule of open) {
      const key = keyOf(rule);
      byKey.set(key, [...(byKey.get(key) ?? []), rule]);
    }
    for (const rule of proposed) {
      const key = keyOf(rule);
      if (key === undefined || matches.get(rule) !== undefined) continue;
      matches.set(rule, byKey.get(key)?.shift());
    }
    const taken = new Set(matches.values());
    open = open.filter((rule) => !taken.has(rule));
  }
  return matches;
}

/** All that is set of a rule; how its expression is written does not count. */
export function setting(rule: DeclaredRule): string {
  return ruleContent({ ...rule, expression: canonicalExpression(rule.expression) });
}

/** What a rule does where it is on; that it logs so is no part of it. */
function purpose(rule: DeclaredRule): string {
  return setting({ ...rule, fields: { ...rule.fields, logging: null }, enabled: true });
}

/** A managed ruleset, and the requests that a rule deploys it for. */
function deployment(rule: DeclaredRule): string | undefined {
  const ruleset = deployedBy(rule);
  return ruleset && `${ruleset} ${canonicalExpression(rule.expression)}`;
}
