import { MigrationError } from '../../core/migration-error';
import {
  findProviderMajor,
  listedMajors,
  NEWEST_MAJOR,
  type ProviderMajor,
  providerMajors,
} from '../../core/provider-majors';

/**
 * Parses a provider version from the command line or a lock file. A major without a minor means its last version.
 * @throws MigrationError `USAGE`
 */
export function parseProviderVersion(text: string): string {
  const major = /^\d+(\.\d+){0,2}$/.test(text) ? findProviderMajor(text) : undefined;
  if (major === undefined)
    throw new MigrationError(
      'USAGE',
      `provider version "${text}" is not ${listedMajors()}, or a version of them`,
    );
  return text.includes('.') ? text : providerMajors[major].last;
}

/**
 * Parses the target provider version.
 * @throws MigrationError `USAGE`
 */
export function parseTargetVersion(text: string): string {
  const version = parseProviderVersion(text);
  const major = majorOf(version);
  const { firstTarget } = providerMajors[major];
  if (!precedes(version, firstTarget)) return version;
  throw new MigrationError(
    'USAGE',
    `provider ${version} is not supported as a target: versions of ${major} before ${firstTarget} cannot read every state that provider ${major - 1} wrote`,
    { hint: `pass --to ${firstTarget} or a later version` },
  );
}

/** The major of a version that {@link parseProviderVersion} returned. */
export function majorOf(version: string): ProviderMajor {
  return findProviderMajor(version) ?? NEWEST_MAJOR;
}

/** The installed and the target version. */
export function versionsOf({
  installed = providerMajors[3].last,
  wanted = installed,
}: {
  readonly installed: string | undefined;
  readonly wanted: string | undefined;
}): { readonly from: string; readonly to: string } {
  // without a lock file, assume the last version that supports the legacy resources
  return { from: installed, to: wanted };
}

/** Whether a version supports legacy resources. Provider 4 and 5 cannot plan while one is in the state. */
export function knowsLegacyWaf(version: string): boolean {
  return providerMajors[majorOf(version)].knowsLegacyWaf;
}

/** Whether a version is earlier than another one. `4.52` is earlier than its patches. */
export function precedes(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) < 0;
}

/** The types in addition to the legacy ones that a provider version cannot plan with. */
export function retiredTypes(version: string): readonly string[] {
  const { plansFirewallRules } = providerMajors[majorOf(version)];
  return plansFirewallRules ? [] : ['cloudflare_filter', 'cloudflare_firewall_rule'];
}

/** Types that a major does not know, without `cloudflare_` and the legacy WAF types: from its documentation. */
const unknownToMajor: Readonly<Record<ProviderMajor, string>> = {
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

/** Types that a provider version does not know. Empty for an unsupported version. */
export function unknownTypes(version: string): string[] {
  const names = unknownToMajor[findProviderMajor(version) ?? 3].match(/\w+/g) ?? [];
  return names.map((name) => `cloudflare_${name}`);
}
