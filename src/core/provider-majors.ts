/**
 * Facts about one major version of the Cloudflare provider. How it writes a ruleset is in its dialect
 * (src/generate/dialects).
 */
export interface ProviderFacts {
  /** The last measured version: the meaning of `--from 4` and `--to 5`. */
  readonly last: string;
  /** The first version that `plan --to` takes: earlier ones cannot read every state of the major before. */
  readonly firstTarget: string;
  /** The version constraint in a generated stack. */
  readonly constraint: string;
  /** The first major release of `@cdktf/provider-cloudflare` that is generated from it. */
  readonly firstBindings: number;
  /** The last release of those bindings. */
  readonly bindings: string;
  /** The minor version of cdktf 0 that those bindings require. */
  readonly cdktf: number;
  /** Whether it supports the legacy WAF resources. Without support it cannot plan while the state has one. */
  readonly knowsLegacyWaf: boolean;
  /** Whether it can plan with filters and firewall rules in the state. */
  readonly plansFirewallRules: boolean;
  /** How it declares a ruleset: with nested blocks, `status` in overrides and logging, `ref` in rules. */
  readonly syntax: { readonly blocks: boolean; readonly status: boolean; readonly refs: boolean };
  /** Whether every version can read a ruleset of a state; absent if every version can read each. */
  readonly reads?: (ruleset: WrittenRuleset) => boolean;
  /** The identifier that `terraform import` takes for a ruleset of a zone (4 refuses `zones/`, 5 `zone/`). */
  importId(zoneId: string, rulesetId: string): string;
}

/** How a state has a ruleset, which depends on the provider version that wrote it. */
export interface WrittenRuleset {
  readonly schemaVersion: number;
  /** Whether its rules have an object or null in place of a list of blocks. */
  readonly hasObjects: boolean;
}

/** All supported provider versions; measured with the last version of each. */
export const providerMajors = {
  3: {
    last: '3.35.0',
    firstTarget: '3.0',
    constraint: '~> 3.35',
    firstBindings: 0,
    bindings: '5.0.3',
    cdktf: 15,
    knowsLegacyWaf: true,
    plansFirewallRules: true,
    syntax: { blocks: true, status: true, refs: false },
    importId: (zoneId, rulesetId) => `zone/${zoneId}/${rulesetId}`,
  },
  4: {
    last: '4.52.8',
    firstTarget: '4.0',
    // 4.52.5 is the oldest version that can upgrade to provider 5
    constraint: '~> 4.52, >= 4.52.5',
    firstBindings: 6,
    bindings: '11.30.0',
    cdktf: 20,
    knowsLegacyWaf: false,
    plansFirewallRules: true,
    syntax: { blocks: true, status: false, refs: true },
    importId: (zoneId, rulesetId) => `zone/${zoneId}/${rulesetId}`,
  },
  5: {
    last: '5.22.0',
    // 5.19 to 5.21.1 fail for some rulesets, such as those of 4.52.8
    firstTarget: '5.22',
    // the bindings pin 5.14.0, which cannot read a state that 5.19 or later wrote (schema 500)
    constraint: '>= 5.19, < 6',
    firstBindings: 12,
    bindings: '13.9.1',
    cdktf: 21,
    knowsLegacyWaf: false,
    plansFirewallRules: false,
    syntax: { blocks: false, status: false, refs: true },
    // its upgrade of what 3 and 4 wrote fails for some versions: 3.35.0 under 5.22.0, 4.52.8 under 5.19 to 5.21.1,
    // 4.52.9 under 5.22.0. Schema version 500 is 5.19 and later (measured); earlier ones write objects (provider source)
    reads: ({ schemaVersion, hasObjects }) => schemaVersion > 1 || hasObjects,
    importId: (zoneId, rulesetId) => `zones/${zoneId}/${rulesetId}`,
  },
} as const satisfies Readonly<Record<number, ProviderFacts>>;

/** A major version of the Cloudflare provider. */
export type ProviderMajor = keyof typeof providerMajors;

/** The supported major versions, oldest first. */
export const PROVIDER_MAJORS: readonly ProviderMajor[] = Object.keys(providerMajors)
  .map(Number)
  .filter(isProviderMajor);

/** What cdktf 0.21 requires, and earlier versions work with. */
export const CONSTRUCTS = 'constructs@^10.4.2';

/** The newest major version: the default if nothing indicates another one. */
export const NEWEST_MAJOR: ProviderMajor = PROVIDER_MAJORS.at(-1) ?? 5;

function isProviderMajor(major: number): major is ProviderMajor {
  return Object.hasOwn(providerMajors, major);
}

/** The major version of a version or range (`4.52.8`, `~> 4.52`); undefined if it is not supported. */
export function findProviderMajor(version: string): ProviderMajor | undefined {
  const major = Number(/\d+/.exec(version)?.[0] ?? Number.NaN);
  return isProviderMajor(major) ? major : undefined;
}

/** The major versions, or some of them, in words: `3, 4 or 5`. */
export function listedMajors(isListed: (major: ProviderMajor) => boolean = () => true): string {
  return PROVIDER_MAJORS.filter(isListed)
    .join(', ')
    .replace(/, (\d+)$/, ' or $1');
}

/**
 * The provider major versions with at least one version that a constraint allows.
 * @param constraint in Terraform syntax: `~> 3.35`, `>= 4.0, < 5.0`
 */
export function allowedMajors(constraint: string): ProviderMajor[] {
  const parts = constraint.split(',');
  return PROVIDER_MAJORS.filter((major) => parts.every((part) => mayAllow(part.trim(), major)));
}

/** An unreadable constraint excludes nothing, and `!=` only one version. */
function mayAllow(part: string, major: ProviderMajor): boolean {
  const [, operator = '=', first, rest = ''] =
    /^(>=|<=|!=|~>|>|<|=)?\s*v?(\d+)((?:\.\d+)*)/.exec(part) ?? [];
  if (first === undefined || operator === '!=') return true;
  if (operator.startsWith('>')) return major >= Number(first);
  if (operator === '<=' || (operator === '<' && /[1-9]/.test(rest))) return major <= Number(first);
  return operator === '<' ? major < Number(first) : major === Number(first);
}

/** Whether a constraint allows exactly this version. An unreadable constraint excludes nothing. */
export function allowsVersion(constraint: string, version: string): boolean {
  const at = numbersOf(version);
  return constraint.split(',').every((part) => {
    const [, operator = '=', text] =
      /^\s*(>=|<=|!=|~>|>|<|=)?\s*v?(\d+(?:\.\d+)*)\s*$/.exec(part) ?? [];
    if (text === undefined) return true;
    const bound = numbersOf(text);
    const difference = [0, 1, 2].map((index) => (at[index] ?? 0) - (bound[index] ?? 0));
    const order = difference.find((one) => one !== 0) ?? 0;
    if (operator === '!=') return order !== 0;
    if (operator === '~>') {
      const fixed = difference.slice(0, Math.max(1, bound.length - 1));
      return order >= 0 && fixed.every((one) => one === 0);
    }
    return (
      (order === 0 && operator.includes('=')) ||
      (order > 0 && operator.startsWith('>')) ||
      (order < 0 && operator.startsWith('<'))
    );
  });
}

const numbersOf = (version: string): number[] => version.split('.').map(Number);

/** Types that a major does not know, without `cloudflare_` and the legacy WAF types: from its documentation. */
export const unknownToMajor: Readonly<Record<ProviderMajor, string>> = {
  3: '',
  4: 'access_bookmark argo_tunnel ip_list',
  5: `
access_application access_bookmark access_ca_certificate access_custom_page
access_group access_identity_provider access_keys_configuration access_mutual_tls_certificate
access_mutual_tls_hostname_settings access_organization access_policy access_service_token
access_tag argo argo_tunnel device_dex_test device_managed_networks device_policy_certificates
device_posture_integration device_posture_rule device_settings_policy dlp_profile fallback_domain
gre_tunnel hostname_tls_setting_ciphers infrastructure_access_target ip_list ipsec_tunnel
magic_firewall_ruleset managed_headers record risk_behavior split_tunnel static_route
teams_account teams_list teams_location teams_proxy_endpoint teams_rule tunnel tunnel_config
tunnel_route tunnel_virtual_network worker_cron_trigger worker_domain worker_route worker_script
worker_secret workers_domain workers_for_platforms_namespace workers_secret
zero_trust_access_organization zero_trust_device_certificates zero_trust_device_profiles
zero_trust_dlp_profile zero_trust_infrastructure_access_target
zero_trust_key_access_key_configuration zero_trust_local_fallback_domain
zero_trust_risk_score_integration zero_trust_split_tunnel zero_trust_tunnel_route
zero_trust_tunnel_virtual_network zone_settings_override`,
};
