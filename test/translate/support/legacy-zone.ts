import {
  type LegacyFirewallRule,
  type LegacyPageRule,
  type LegacySettings,
} from '../../../src/translate/source/legacy-settings';
import { type Translation, translateZone } from '../../../src/translate/translate-zone';
import { smallCatalogue } from './small-catalogue';

export const ZONE = '0123456789abcdef0123456789abcdef';
export const OWASP = 'c504870194831cd12c3fc0284f294abb';
export const CLOUDFLARE = '1e334934fd7ae32ad705667f8c1057aa';

export type Settings = { [K in keyof LegacySettings]?: LegacySettings[K] };

/** A zone with these settings, and nothing else. */
export function zone(parts: Settings = {}): LegacySettings {
  const none = { groups: [], rules: [] };
  return {
    zoneId: ZONE,
    packages: [],
    ...none,
    overrides: [],
    firewallRules: [],
    pageRules: [],
    known: none,
    ...parts,
  };
}

export const rule = (ruleId: string, mode: string, more: object = {}) => ({
  from: `cloudflare_waf_rule.r_${ruleId}`,
  ...{ ruleId, mode, packageId: CLOUDFLARE, groupId: undefined },
  ...more,
});
export const group = (groupId: string, mode: string, more: object = {}) => ({
  from: `cloudflare_waf_group.g_${groupId}`,
  ...{ groupId, mode, packageId: CLOUDFLARE },
  ...more,
});
export const owasp = (sensitivity: string, actionMode = 'block', more: object = {}) => ({
  from: 'cloudflare_waf_package.owasp',
  ...{ packageId: OWASP, sensitivity, actionMode },
  ...more,
});
export const override = (parts: object = {}) => ({
  from: 'cloudflare_waf_override.o',
  id: 'b'.repeat(32),
  ...{ description: '', urls: ['example.com/shop/*'], rules: {}, groups: {}, rewriteAction: {} },
  paused: false,
  ...parts,
});
/** A page rule that does not concern the WAF. */
export const pageRule = (more: Partial<LegacyPageRule> = {}): LegacyPageRule => ({
  from: 'cloudflare_page_rule.p',
  id: 'd'.repeat(32),
  ...{ target: 'a.b/feed/*', priority: 1, active: true, disableSecurity: false, waf: undefined },
  ...more,
});
export const bypass = (more: Partial<LegacyFirewallRule> = {}): LegacyFirewallRule => ({
  from: 'cloudflare_firewall_rule.office',
  id: 'c'.repeat(32),
  ...{ action: 'bypass', products: ['waf'], paused: false, description: '' },
  expression: 'ip.src in {192.0.2.0/24} and http.host eq "a.b"',
  ...more,
});

export const translate = (parts: Settings, options: object = {}): Translation =>
  translateZone(zone(parts), { catalogue: smallCatalogue, ...options });

/** Rules of the ruleset in the short form that tests compare: parameters beside the rest. */
export const rulesOf = ({ ruleset }: Pick<Translation, 'ruleset'>) =>
  ruleset.rules.map(({ action, expression, fields }) => ({
    action,
    expression,
    ...(fields['action_parameters'] as Record<string, any>),
  }));

export const codes = ({ findings }: Pick<Translation, 'findings'>): string[] =>
  findings.map(({ code }) => code);
