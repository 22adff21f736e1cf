import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/json';
import { type DeclaredRule, type DeclaredRuleset } from '../model/ruleset';

/**
 * The same ruleset with nothing in it that ends a request: managed rulesets log by an override of the
 * whole, and overrides of tags and rules, which would win over it, log as well; own rules log. What
 * is switched off stays off, and exceptions stay. For validation mode, in which the new WAF runs
 * first and would hide the old one (spec: "States and transitions").
 */
export function logOnly(ruleset: DeclaredRuleset): DeclaredRuleset {
  return { ...ruleset, rules: ruleset.rules.map(loggingRule) };
}

function loggingRule(rule: DeclaredRule): DeclaredRule {
  if (rule.action === 'skip') return rule;
  const { action_parameters: given, ...fields } = rule.fields;
  if (rule.action !== 'execute') return { ...rule, action: 'log', fields };
  const parameters: JsonObject = isJsonObject(given) ? given : {};
  const before = parameters['overrides'];
  const overrides: JsonObject = isJsonObject(before) ? before : {};
  const lists = Object.fromEntries(
    Object.entries(overrides).map(([name, value]) => [name, loggingList(value)]),
  );
  return {
    ...rule,
    fields: {
      ...fields,
      action_parameters: { ...parameters, overrides: { ...lists, action: 'log' } },
    },
  };
}

function loggingList(value: JsonValue): JsonValue {
  if (!isJsonArray(value)) return value;
  return value.map((one) =>
    isJsonObject(one) && one['action'] !== undefined ? { ...one, action: 'log' } : one,
  );
}
