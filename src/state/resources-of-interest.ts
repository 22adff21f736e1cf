import { oldWafTypes } from './old-waf-types';

/**
 * The types of which the planner needs more than a count: the old WAF; the ruleset that takes its
 * place; and those that a newer provider cannot read (firewall rules), or that can hold a switch
 * for the old WAF (page rules, the settings of the zone). All others are counted and dropped, or a large state would fill
 * the memory.
 */
const managed = new Set([
  ...oldWafTypes.filter(({ mode }) => mode === 'managed').map(({ type }) => type),
  'cloudflare_ruleset',
  'cloudflare_filter',
  'cloudflare_firewall_rule',
  'cloudflare_page_rule',
  'cloudflare_zone_settings_override',
]);
const data = new Set(oldWafTypes.filter(({ mode }) => mode === 'data').map(({ type }) => type));

/** Whether a state's resources of this type are read in full. */
export function isOfInterest(mode: string, type: string): boolean {
  return (mode === 'managed' ? managed : data).has(type);
}
