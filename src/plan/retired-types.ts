import { providerMajors } from '../model/provider-majors';
import { majorOf } from './provider-version';

/** The types, beside those of the old WAF, that a version of the provider no longer plans with. */
export function retiredTypes(version: string): readonly string[] {
  const { plansFirewallRules } = providerMajors[majorOf(version)];
  return plansFirewallRules ? [] : ['cloudflare_filter', 'cloudflare_firewall_rule'];
}
