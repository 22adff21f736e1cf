import { attempt } from '../core/migration-error';
import { parseAddress, type ResourceMode } from '../core/resource-address';

/** A type of the legacy WAF. */
export interface LegacyWafType {
  readonly mode: ResourceMode;
  readonly type: string;
}

/** The types of provider 3.35 that configure or read the legacy WAF. Provider 4 and later have none of them. */
export const legacyWafTypes: readonly LegacyWafType[] = [
  { mode: 'managed', type: 'cloudflare_waf_package' },
  { mode: 'managed', type: 'cloudflare_waf_group' },
  { mode: 'managed', type: 'cloudflare_waf_rule' },
  { mode: 'managed', type: 'cloudflare_waf_override' },
  { mode: 'data', type: 'cloudflare_waf_packages' },
  { mode: 'data', type: 'cloudflare_waf_groups' },
  { mode: 'data', type: 'cloudflare_waf_rules' },
];

/** The entry of {@link legacyWafTypes} for a type; undefined for other types. */
export function findLegacyWafType(mode: string, type: string): LegacyWafType | undefined {
  return legacyWafTypes.find((legacy) => legacy.type === type && legacy.mode === mode);
}

/** Whether an address has a legacy type: `module.zones.cloudflare_waf_rule.r`. */
export function isLegacyWafAddress(address: string): boolean {
  const parsed = attempt(() => parseAddress(address));
  return parsed !== undefined && findLegacyWafType(parsed.mode, parsed.type) !== undefined;
}

/** Other types that can affect the legacy WAF: firewall rules with their filters, page rules, and zone settings. */
export const switchingTypes = [
  'cloudflare_filter',
  'cloudflare_firewall_rule',
  'cloudflare_page_rule',
  'cloudflare_zone_settings_override',
];

const others = new Set(['cloudflare_ruleset', ...switchingTypes]);

/** Whether resources of this type are fully read. */
export function isOfInterest(mode: string, type: string): boolean {
  return findLegacyWafType(mode, type) !== undefined || (mode === 'managed' && others.has(type));
}
