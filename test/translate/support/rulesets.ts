import { type JsonObject, type JsonValue } from '../../../src/core/json';
import { type Ruleset, type RulesetRule } from '../../../src/core/ruleset';
import { newId } from './small-catalogue';

export const MANAGED_RULESET = 'efb7b8c949ac4650a09736fc376e9aee';
export const OWASP_RULESET = '4814384a9e5d4991b9815dcfc25d2f1f';
export const CREDENTIALS = 'c2e184081120413c86c3ab7e14069605';
export const SCORING = '6179ae15870a4bb7b2d480d4843b323c';
export const SHOP =
  'lower(http.host) eq "example.com" and starts_with(http.request.uri.path, "/shop/")';

/** A rule of an entry point; what is left out is the default of {@link rulesetOf}. */
export type Rule = Partial<RulesetRule>;
export const rulesetOf = (...rules: Rule[]): Ruleset => ({
  name: 'default',
  kind: 'zone',
  phase: 'http_request_firewall_managed',
  rules: rules.map((one) => ({ action: 'execute', expression: 'true', fields: {}, ...one })),
  fields: {},
});
export const run = (id: JsonValue, overrides?: JsonObject, more: Rule = {}): Rule => ({
  fields: { action_parameters: { id, ...(overrides && { overrides }) } },
  ...more,
});
export const managed = (overrides?: JsonObject, more: Rule = {}) =>
  run(MANAGED_RULESET, overrides, more);
export const core = (overrides?: JsonObject, more: Rule = {}) =>
  run(OWASP_RULESET, overrides, more);
export const skip = (parameters: JsonObject, expression: string, more: Rule = {}): Rule => ({
  action: 'skip',
  fields: { action_parameters: parameters },
  expression,
  ...more,
});
export const to = (number: number, more: JsonObject = {}) => ({ id: newId(number), ...more });
