import { isJsonObject, type Json, type JsonObject } from '../json';
import { type ManagedRule, OWASP_SCORE_RULE } from '../managed-rulesets';

/**
 * A managed rule with the overrides of the rule that executes it. The rule's own override wins over
 * those of its tags, of which the last one listed wins, and these win over the ruleset's (public
 * documentation). The ruleset's action does not reach the score rule of OWASP (provider issues 2056, 2287).
 */
export function effectiveRule(rule: ManagedRule, overrides: JsonObject): ManagedRule {
  const tags = listOf(overrides['categories']).filter(({ category }) =>
    rule.categories.some((one) => one === category),
  );
  const own = listOf(overrides['rules']).filter(({ id }) => id === rule.id);
  const whole = rule.id === OWASP_SCORE_RULE ? { ...overrides, action: null } : overrides;
  return [whole, ...tags, ...own].reduce<ManagedRule>(apply, rule);
}

function apply(rule: ManagedRule, change: JsonObject): ManagedRule {
  const { action, enabled, score_threshold: threshold } = change;
  return {
    ...rule,
    ...(typeof action === 'string' ? { action } : {}),
    ...(typeof enabled === 'boolean' ? { enabled } : {}),
    ...(typeof threshold === 'number' ? { score_threshold: threshold } : {}),
  };
}

function listOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
