import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, objectOf } from '../core/json';
import { type DeclaredRule, type DeclaredRuleset, deployedBy, SCORING_RULE } from '../core/ruleset';
import { OWASP_RULESET } from './known-rulesets';

/**
 * Makes every acting rule log, for validation mode: the new WAF runs first and would otherwise hide the
 * legacy WAF (spec: "States and transitions"). A managed ruleset logs by an override of the whole ruleset,
 * OWASP by one of its scoring rule. Overrides of tags and rules log too, because they win over that
 * override. Disabled rules and exceptions do not change.
 */
export function logOnly(ruleset: DeclaredRuleset): DeclaredRuleset {
  return { ...ruleset, rules: ruleset.rules.map(loggingRule) };
}

function loggingRule(rule: DeclaredRule): DeclaredRule {
  if (rule.action === 'skip') return rule;
  const { action_parameters: given, ...fields } = rule.fields;
  if (rule.action !== 'execute') return { ...rule, action: 'log', fields };
  const parameters = objectOf(given);
  const overrides = objectOf(parameters['overrides']);
  const lists = Object.fromEntries(
    Object.entries(overrides).map(([name, value]) => [name, loggingList(value)]),
  );
  const logging =
    deployedBy(rule) === OWASP_RULESET ? loggingScore(lists) : { ...lists, action: 'log' };
  return {
    ...rule,
    fields: { ...fields, action_parameters: { ...parameters, overrides: logging } },
  };
}

/**
 * Only the scoring rule of OWASP acts, and an action of the whole ruleset does not reach it (provider
 * issues 2056, 2287).
 */
function loggingScore(overrides: JsonObject): JsonObject {
  const { action, rules } = overrides;
  const given = isJsonArray(rules) ? rules : [];
  const isScore = (one: JsonValue): one is JsonObject =>
    isJsonObject(one) && one['id'] === SCORING_RULE;
  return {
    ...overrides,
    ...((action ?? null) === null ? {} : { action: 'log' }),
    rules: given.some(isScore)
      ? given.map((one) => (isScore(one) ? { ...one, action: 'log' } : one))
      : [...given, { id: SCORING_RULE, action: 'log' }],
  };
}

function loggingList(value: JsonValue): JsonValue {
  if (!isJsonArray(value)) return value;
  return value.map((one) =>
    isJsonObject(one) && one['action'] !== undefined ? { ...one, action: 'log' } : one,
  );
}
