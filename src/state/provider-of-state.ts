import { type ProviderMajor } from '../model/provider-majors';
import { findOldWafType } from './old-waf-types';
import { isRecord } from './record';
import { isRulesetOfThree } from './is-ruleset-of-three';
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

/** Schema version 500 is 5.19 and later (measured); before it, provider 5 wrote objects where 3 and 4 write blocks. */
function writerOf(instance: StateInstance): ProviderMajor {
  const { rules } = instance.attributes;
  const nested = (rule: unknown) => isRecord(rule) && isRecord(rule['action_parameters']);
  if (instance.schemaVersion > 1 || (Array.isArray(rules) && rules.some(nested))) return 5;
  return isRulesetOfThree(instance) ? 3 : 4;
}
