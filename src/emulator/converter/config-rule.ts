import { type JsonObject } from '../json';

/**
 * A rule as the configuration operation answers it: `id`, `version` and `ref` are empty strings
 * (spec, part "Ruleset rule").
 */
export interface ConfigRule {
  readonly id: '';
  readonly version: '';
  readonly action: string;
  readonly expression: string;
  readonly description: string;
  readonly ref: '';
  readonly enabled: boolean;
  readonly action_parameters: JsonObject;
}

/** A rule that deploys a managed ruleset for all traffic. */
export function executeRule(
  rulesetId: string,
  overrides: JsonObject | undefined,
  enabled: boolean,
): ConfigRule {
  return configRule('execute', 'true', '', enabled, {
    id: rulesetId,
    ...(overrides === undefined ? {} : { overrides }),
  });
}

/** A rule with the fields in the order of the service's answer. */
export function configRule(
  action: string,
  expression: string,
  description: string,
  enabled: boolean,
  parameters: JsonObject,
): ConfigRule {
  return {
    id: '',
    version: '',
    action,
    expression,
    description,
    ref: '',
    enabled,
    action_parameters: parameters,
  };
}
