import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../model/json';
import { type DeclaredRule, type RulesetRule } from '../model/ruleset';
import { renderRule } from './parse-ruleset';

/** Fields of a rule that the service sets alone. */
const READ_ONLY = new Set(['version', 'last_updated', 'categories']);
/** How a rule is called, which changes nothing of what it does. */
const NAMES = new Set(['id', 'ref', 'description']);

/** A rule as it is sent: without what the service sets alone (spec: "Ruleset rule"). */
export function renderRuleToSend(rule: RulesetRule): JsonObject {
  return without(renderRule(rule), READ_ONLY);
}

/**
 * What a rule does, as text that is the same for the same thing: the order of keys counts for
 * nothing, that of lists for something; what the service adds (`version: latest`) counts for
 * nothing either.
 */
export function ruleContent(rule: DeclaredRule): string {
  const content = without(renderRuleToSend(rule), NAMES);
  return canonical({
    // a skip rule logs unless it says otherwise (provider issue 2418)
    ...(rule.action === 'skip' ? { logging: { enabled: true } } : {}),
    ...content,
    action_parameters: withoutLatest(content['action_parameters']),
  });
}

function without(object: JsonObject, fields: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.has(field)));
}

function withoutLatest(parameters: JsonValue = {}): JsonValue {
  if (!isJsonObject(parameters) || parameters['version'] !== 'latest') return parameters;
  return without(parameters, new Set(['version']));
}

function canonical(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`);
  return `{${entries.join(',')}}`;
}
