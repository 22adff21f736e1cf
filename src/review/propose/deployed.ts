import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../model/json';
import { type RulesetRule, SCORING_RULE } from '../../model/ruleset';
import { type Catalogue } from '../../translate/catalogue/catalogue';
import { OWASP_RULESET } from '../../translate/known-ids';
import { type ZoneRule } from '../rule-names';

/** The parameters of a rule that deploys a managed ruleset. */
export const parametersOf = (rule: RulesetRule): JsonObject =>
  objectOf(rule.fields['action_parameters']);

export const objectOf = (value: JsonValue | undefined): JsonObject =>
  isJsonObject(value) ? value : {};

export const listOf = (value: JsonValue | undefined): JsonObject[] =>
  isJsonArray(value) ? value.filter(isJsonObject) : [];

/** The managed rulesets that are deployed and on. */
export function deployedRulesets(rules: readonly RulesetRule[]): ReadonlySet<string> {
  return new Set(
    rules.flatMap((rule) => {
      const id = parametersOf(rule)['id'];
      return rule.action === 'execute' && rule.enabled !== false && typeof id === 'string'
        ? [id]
        : [];
    }),
  );
}

/**
 * The deployed managed ruleset that a rule is in: as the zone lists it, as the catalogue has it, or as
 * the configuration overrides it. Undefined where none of them knows.
 */
export function rulesetOf(
  ruleId: string,
  {
    rules,
    catalogue,
    zoneRules,
  }: {
    readonly rules: readonly RulesetRule[];
    readonly catalogue: Catalogue;
    readonly zoneRules: readonly ZoneRule[];
  },
): string | undefined {
  const overriding = rules.find((rule) =>
    listOf(objectOf(parametersOf(rule)['overrides'])['rules']).some(({ id }) => id === ruleId),
  );
  const named = overriding === undefined ? undefined : parametersOf(overriding)['id'];
  const found =
    zoneRules.find(({ id }) => id === ruleId)?.rulesetId ??
    catalogue.managedRules.find(({ id }) => id === ruleId)?.rulesetId ??
    (ruleId === SCORING_RULE ? OWASP_RULESET : undefined) ??
    (typeof named === 'string' ? named : undefined);
  return found !== undefined && deployedRulesets(rules).has(found) ? found : undefined;
}
