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

/** For which traffic a managed ruleset is deployed, and whether it is. */
export interface Deployment {
  readonly expression: string;
  readonly enabled: boolean;
}

/** A rule that deploys a managed ruleset. */
export function executeRule(
  rulesetId: string,
  overrides: JsonObject | undefined,
  { expression, enabled }: Deployment,
): ConfigRule {
  return configRule('execute', expression, '', enabled, {
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
