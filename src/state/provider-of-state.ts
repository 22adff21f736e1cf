import { type ProviderMajor } from '../model/provider-majors';
import { findOldWafType } from './old-waf-types';
import { isRulesetOfFive, rulesOf } from './is-ruleset-of-five';
import { type State, type StateInstance } from './state';

/** The major of the provider that wrote an entry of a state, and which entry that is. */
export interface ProviderOfState {
  readonly major: ProviderMajor;
  readonly address: string;
}

/**
 * Which major of the Cloudflare provider wrote a state last, by the form of its entries: rulesets
 * differ in all three, and entries of the old WAF are written by 3 alone. Newer provider majors
 * leave what they cannot read, so the newest entry tells. Undefined where nothing tells.
 */
export function providerOfState({ resources }: State): ProviderOfState | undefined {
  const told: ProviderOfState[] = resources.flatMap(({ mode, type, address, instances }) => {
    if (mode !== 'managed') return [];
    if (findOldWafType(mode, type) !== undefined) return [{ major: 3 as const, address }];
    if (type !== 'cloudflare_ruleset') return [];
    return instances.map((instance) => ({
      major: writerOf(instance),
      address: instance.address,
    }));
  });
  return told.toSorted((a, b) => b.major - a.major)[0];
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
