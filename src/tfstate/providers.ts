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
 * Which provider version wrote a state last, by the form of its entries: rulesets differ in all three, and only
 * provider 3 writes legacy resources. Newer versions keep what they cannot read, so the newest entry counts.
 * @returns undefined when no entry shows it
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

/**
 * An early 4 has the marks of 3, but null for what is not set, where 3 has zero values (measured). 4.0 and 4.1
 * write as 3 does, and take a ruleset in its form (provider source).
 */
function writerOf(instance: StateInstance): ProviderMajor {
  if (isRulesetOfFive(instance)) return 5;
  const rules = rulesOf(instance);
  const hasMarksOfThree =
    'shareable_entitlement_name' in instance.attributes || rules.some((rule) => 'version' in rule);
  return hasMarksOfThree && !hasNull(rules) ? 3 : 4;
}

function hasNull(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.values(value).some(hasNull));
}

/**
 * Whether an entry of a `cloudflare_ruleset` was written by a provider 5. Schema version 500 is 5.19 and
 * later (measured); before it, 5 wrote an object or null where 3 and 4 write blocks (provider source).
 */
export function isRulesetOfFive(instance: StateInstance): boolean {
  const hasBlocks = (rule: Readonly<Record<string, unknown>>): boolean =>
    !('action_parameters' in rule) || isJsonArray(rule['action_parameters']);
  return instance.schemaVersion > 1 || !rulesOf(instance).every(hasBlocks);
}

/** The rules of an entry, as far as they are any. */
function rulesOf({
  attributes: { rules },
}: StateInstance): readonly Readonly<Record<string, unknown>>[] {
  return objectsOf(rules);
}
