import { isJsonArray, objectsOf } from '../core/json';
import { type ProviderMajor } from '../core/provider-majors';
import { findLegacyWafType } from './legacy-waf-types';
import { type State, type StateInstance } from './state';

/** The provider version that wrote a resource of a state, and its address. */
export interface ProviderOfState {
  readonly major: ProviderMajor;
  readonly address: string;
}

/**
 * The provider version that last wrote a state. Rulesets differ in all three versions, and only provider 3
 * writes legacy resources. Newer versions keep objects that they cannot read, so the newest version counts.
 * @returns undefined if no resource shows it
 */
export function providerOfState({ resources }: State): ProviderOfState | undefined {
  const writers: ProviderOfState[] = resources.flatMap(({ mode, type, address, instances }) => {
    if (mode !== 'managed') return [];
    if (findLegacyWafType(mode, type) !== undefined) return [{ major: 3 as const, address }];
    if (type !== 'cloudflare_ruleset') return [];
    return instances.map((instance) => ({
      major: writerOf(instance),
      address: instance.address,
    }));
  });
  return writers.toSorted((a, b) => b.major - a.major)[0];
}

/** Only provider 3 writes these attributes, except the first releases of 4, which accept a ruleset in that form. */
function writerOf(instance: StateInstance): ProviderMajor {
  if (isRulesetOfFive(instance)) return 5;
  const isOfThree =
    'shareable_entitlement_name' in instance.attributes ||
    rulesOf(instance).some((rule) => 'version' in rule);
  return isOfThree ? 3 : 4;
}

/**
 * Whether provider 5 wrote an instance of `cloudflare_ruleset`. Schema version 500 is 5.19 and later
 * (measured); earlier versions of 5 write an object or null instead of the blocks of 3 and 4 (provider
 * source).
 */
export function isRulesetOfFive(instance: StateInstance): boolean {
  const hasBlocks = (rule: Readonly<Record<string, unknown>>): boolean =>
    !('action_parameters' in rule) || isJsonArray(rule['action_parameters']);
  return instance.schemaVersion > 1 || !rulesOf(instance).every(hasBlocks);
}

function rulesOf({
  attributes: { rules },
}: StateInstance): readonly Readonly<Record<string, unknown>>[] {
  return objectsOf(rules);
}
