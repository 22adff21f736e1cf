import { objectOf, objectsOf } from '../../model/json';
import { deployedBy, parametersOf, type RulesetRule, SCORING_RULE } from '../../model/ruleset';
import { type Catalogue } from '../../translate/catalogue/catalogue';
import { OWASP_RULESET } from '../../ruleset/known-rulesets';
import { type ZoneRule } from '../rule-names';

/** The managed rulesets that are deployed and on. */
export function deployedRulesets(rules: readonly RulesetRule[]): ReadonlySet<string> {
  return new Set(rules.flatMap((rule) => (rule.enabled === false ? [] : (deployedBy(rule) ?? []))));
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
    objectsOf(objectOf(parametersOf(rule)['overrides'])['rules']).some(({ id }) => id === ruleId),
  );
  const named = overriding === undefined ? undefined : parametersOf(overriding)['id'];
  const found =
    zoneRules.find(({ id }) => id === ruleId)?.rulesetId ??
    catalogue.managedRules.find(({ id }) => id === ruleId)?.rulesetId ??
    (ruleId === SCORING_RULE ? OWASP_RULESET : undefined) ??
    (typeof named === 'string' ? named : undefined);
  return found !== undefined && deployedRulesets(rules).has(found) ? found : undefined;
}
