import { MigrationError } from '../model/migration-error';

/** Provider majors that the plan knows. */
export type Major = 3 | 4 | 5;

/** The last version of each major: what `--from 4` or `--to 5` mean. */
const LAST: Readonly<Record<Major, string>> = { 3: '3.35.0', 4: '4.52.8', 5: '5.22.0' };

/**
 * A provider version from the command line or a lock file; a bare major means its last version.
 * @throws MigrationError `USAGE`
 */
export function parseProviderVersion(text: string): string {
  const match = /^([345])(\.\d+){0,2}$/.exec(text);
  if (!match)
    throw new MigrationError(
      'USAGE',
      `provider version "${text}" is not 3, 4 or 5, or a version of them`,
    );
  return text.length === 1 ? LAST[majorOf(text)] : text;
}

/** The major of a version that {@link parseProviderVersion} returned. */
export function majorOf(version: string): Major {
  return version.startsWith('3') ? 3 : version.startsWith('4') ? 4 : 5;
}

/** The identifier that `terraform import` takes under a major (measured: 4 refuses `zones/`, 5 `zone/`). */
export function importId(major: Major, zoneId: string, rulesetId: string): string {
  return `${major === 5 ? 'zones' : 'zone'}/${zoneId}/${rulesetId}`;
}
