import {
  type LegacyFirewallRule,
  type LegacyPageRule,
  type LegacySettings,
} from '../../../src/translate/legacy-settings';
import { builtInCatalogue } from '../../../src/translate/catalogue/built-in-catalogue';
import { type SettingRow } from '../../../src/translate/compare/parity';
import { type Translation, translateZone } from '../../../src/translate/translate-zone';

export const ZONE = '0123456789abcdef0123456789abcdef';
export const OWASP = 'c504870194831cd12c3fc0284f294abb';
export const CLOUDFLARE = '1e334934fd7ae32ad705667f8c1057aa';
export const MANAGED_RULESET = 'efb7b8c949ac4650a09736fc376e9aee';
export const OWASP_RULESET = '4814384a9e5d4991b9815dcfc25d2f1f';
export const SCORING = '6179ae15870a4bb7b2d480d4843b323c';

/** Old rules of which one new rule is known in full. */
export const KNOWN = {
  '100532': '0242110ae62e44028a13bf4834780914',
  '100533': '920e3b10aa934194928a598a2753531e',
  '100015': '8e361ee4328f4a3caf6caf3e664ed6fe',
} as const;
/** A group of the Cloudflare package, with a name that the catalogue knows. */
export const DRUPAL = '8df6c9aaddcbdf0eceb047bc50873697';
/** A group of the OWASP package. */
export const BAD_ROBOTS = '07d700cf30fda7548be94ff01087d0c4';
/** A group of nobody. */
export const GROUP = 'f'.repeat(32);

/** Some of the settings of a zone. */
export type Settings = { [K in keyof LegacySettings]?: LegacySettings[K] };

/** A zone of which nothing is known but what is given. */
export function zone(parts: Settings = {}): LegacySettings {
  const none = { packages: [], groups: [], rules: [] };
  return {
    zoneId: ZONE,
    ...none,
    overrides: [],
    firewallRules: [],
    pageRules: [],
    known: none,
    ...parts,
  };
}

export function rule(ruleId: string, mode: string, more: object = {}) {
  const from = `cloudflare_waf_rule.r_${ruleId}`;
  return { from, ruleId, mode, packageId: CLOUDFLARE, groupId: undefined, ...more };
}
export function group(groupId: string, mode: string, more: object = {}) {
  return {
    from: `cloudflare_waf_group.g_${groupId}`,
    groupId,
    mode,
    packageId: CLOUDFLARE,
    ...more,
  };
}
export function owasp(sensitivity: string, actionMode = 'block', more: object = {}) {
  return {
    from: 'cloudflare_waf_package.owasp',
    packageId: OWASP,
    sensitivity,
    actionMode,
    ...more,
  };
}
export function override(parts: object = {}) {
  return {
    from: 'cloudflare_waf_override.o',
    id: 'b'.repeat(32),
    description: '',
    urls: ['example.com/shop/*'],
    rules: {},
    groups: {},
    rewriteAction: {},
    paused: false,
    priority: 1,
    ...parts,
  };
}

/** A page rule that says nothing of the WAF. */
export function pageRule(more: Partial<LegacyPageRule> = {}): LegacyPageRule {
  return {
    from: 'cloudflare_page_rule.p',
    id: 'd'.repeat(32),
    target: 'a.b/feed/*',
    priority: 1,
    active: true,
    disableSecurity: false,
    waf: undefined,
    ...more,
  };
}
/** A firewall rule that bypasses the WAF. */
export function bypass(more: Partial<LegacyFirewallRule> = {}): LegacyFirewallRule {
  return {
    from: 'cloudflare_firewall_rule.office',
    id: 'c'.repeat(32),
    action: 'bypass',
    products: ['waf'],
    expression: 'ip.src in {192.0.2.0/24} and http.host eq "a.b"',
    paused: false,
    priority: undefined,
    description: '',
    ...more,
  };
}

export function translate(parts: Settings, options: object = {}): Translation {
  return translateZone(zone(parts), { catalogue: builtInCatalogue(), ...options });
}

/** Rules of the ruleset in the short form that tests compare: parameters beside the rest. */
export function rulesOf({ ruleset }: Translation) {
  return ruleset.rules.map(({ action, expression, fields }) => ({
    action,
    expression,
    ...(fields['action_parameters'] as Record<string, any>),
  }));
}

/** The rule overrides of the rule that runs the Cloudflare Managed Ruleset for most requests. */
export function generalOverrides(translation: Translation): unknown {
  const general = rulesOf(translation).findLast(
    (one) => 'id' in one && one['id'] === MANAGED_RULESET,
  );
  return (general as any)?.overrides?.rules;
}

export function row(translation: Pick<Translation, 'parity'>, name: string): SettingRow {
  const found = translation.parity.settings.filter(
    (one) => `${one.from}.${one.attribute}` === name,
  );
  expect(found).toHaveLength(1);
  return found[0]!;
}

export const codes = ({ findings }: Pick<Translation, 'findings'>): string[] =>
  findings.map(({ code }) => code);
