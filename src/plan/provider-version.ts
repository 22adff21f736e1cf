import { MigrationError } from '../core/migration-error';
import {
  findProviderMajor,
  listedMajors,
  NEWEST_MAJOR,
  type ProviderMajor,
  providerMajors,
} from '../core/provider-majors';

/**
 * A provider version from the command line or a lock file; a bare major means its last version.
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

/** The state upgrades of earlier versions fail for some rulesets (5.19 to 5.21.1: those of 4.52.8). */
const FIRST_TARGET_OF_5 = '5.22';

/**
 * The provider version to end with.
 * @throws MigrationError `USAGE`
 */
export function parseTargetVersion(text: string): string {
  const version = parseProviderVersion(text);
  if (majorOf(version) < 5 || !precedes(version, FIRST_TARGET_OF_5)) return version;
  throw new MigrationError(
    'USAGE',
    `provider ${version} is not supported as a target: versions of 5 before 5.22.0 cannot read every state that 4.52 wrote`,
    { hint: 'pass --to 5.22.0 or a later version' },
  );
}

/** The major of a version that {@link parseProviderVersion} returned. */
export function majorOf(version: string): ProviderMajor {
  return findProviderMajor(version) ?? NEWEST_MAJOR;
}

/** Whether a version comes before another one; `4.52` is before all of its patches. */
export function precedes(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) < 0;
}

/** The types, beside those of the old WAF, that a version of the provider no longer plans with. */
export function retiredTypes(version: string): readonly string[] {
  const { plansFirewallRules } = providerMajors[majorOf(version)];
  return plansFirewallRules ? [] : ['cloudflare_filter', 'cloudflare_firewall_rule'];
}
