import { type ResourceMode } from './state';

/** What is known of one type of the previous WAF managed rules. */
export interface OldWafType {
  readonly mode: ResourceMode;
  readonly type: string;
  /** The attributes that tell one object of the type from another: `id` alone repeats per zone. */
  readonly identifiedBy: readonly string[];
}

/**
 * The types of provider 3.35 that configure or read the previous WAF managed rules. Provider 4
 * and later know none of them.
 */
export const oldWafTypes: readonly OldWafType[] = [
  {
    mode: 'managed',
    type: 'cloudflare_waf_package',
    identifiedBy: ['zone_id', 'package_id'],
  },
  {
    mode: 'managed',
    type: 'cloudflare_waf_group',
    identifiedBy: ['zone_id', 'package_id', 'group_id'],
  },
  {
    mode: 'managed',
    type: 'cloudflare_waf_rule',
    identifiedBy: ['zone_id', 'package_id', 'rule_id'],
  },
  {
    mode: 'managed',
    type: 'cloudflare_waf_override',
    identifiedBy: ['zone_id', 'override_id'],
  },
  { mode: 'data', type: 'cloudflare_waf_packages', identifiedBy: ['zone_id'] },
  { mode: 'data', type: 'cloudflare_waf_groups', identifiedBy: ['zone_id', 'package_id'] },
  { mode: 'data', type: 'cloudflare_waf_rules', identifiedBy: ['zone_id', 'package_id'] },
];

/** The entry of {@link oldWafTypes} for a type, or undefined when it is not one of them. */
export function findOldWafType(mode: string, type: string): OldWafType | undefined {
  return oldWafTypes.find((old) => old.type === type && old.mode === mode);
}
