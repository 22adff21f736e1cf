import { MigrationError } from '../../core/migration-error';
import {
  findProviderMajor,
  listedMajors,
  NEWEST_MAJOR,
  type ProviderMajor,
  providerMajors,
  unknownToMajor,
} from '../../core/provider-majors';
import { isLegacyWafAddress } from '../../tfstate/legacy-waf-types';
import { type StateFacts } from './facts';

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

/** What `terraform import` takes for a ruleset of a zone. */
export function zoneImportId(version: string, zoneId: string, rulesetId: string): string {
  return providerMajors[majorOf(version)].importId(zoneId, rulesetId);
}

/** What it takes for a ruleset of an account, with every version. */
export function accountImportId(accountId: string, rulesetId: string): string {
  return `accounts/${accountId}/${rulesetId}`;
}

export function versionsOf({
  installed = providerMajors[3].last,
  wanted = installed,
}: Pick<StateFacts, 'installed' | 'wanted'>): { readonly from: string; readonly to: string } {
  // without a lock file, assume the last version that supports the legacy resources
  return { from: installed, to: wanted };
}

/** Whether a version supports legacy resources. Provider 4 and 5 cannot plan while one is in the state. */
export function knowsLegacyWaf(version: string): boolean {
  return providerMajors[majorOf(version)].knowsLegacyWaf;
}

/** Whether Terraform can destroy a resource without a block: without the schema of its type, it plans nothing. */
export function canDestroy(version: string | undefined, address: string): boolean {
  const major = findProviderMajor(version ?? '');
  const isKnown = major === undefined || providerMajors[major].knowsLegacyWaf;
  return isKnown || !isLegacyWafAddress(address);
}

/** Whether a version is earlier than another one. `4.52` is earlier than its patches. */
export function precedes(version: string, other: string): boolean {
  const parts = version.split('.').map(parseFloat);
  const others = other.split('.').map(parseFloat);
  const at = others.findIndex((part, index) => part !== parts[index]);
  return at !== -1 && (parts[at] ?? -1) < (others[at] ?? -1);
}

/** The types in addition to the legacy ones that a provider version cannot plan with. */
export function retiredTypes(version: string): readonly string[] {
  const { plansFirewallRules } = providerMajors[majorOf(version)];
  return plansFirewallRules ? [] : ['cloudflare_filter', 'cloudflare_firewall_rule'];
}

/** Types that a provider version does not know. Empty for an unsupported version. */
export function unknownTypes(version: string): string[] {
  const names = unknownToMajor[findProviderMajor(version) ?? 3].match(/\w+/g) ?? [];
  return names.map((name) => `cloudflare_${name}`);
}
