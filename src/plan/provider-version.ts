import { MigrationError } from '../model/migration-error';
import {
  findProviderMajor,
  listedMajors,
  NEWEST_MAJOR,
  type ProviderMajor,
  providerMajors,
} from '../model/provider-majors';

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

/** The major of a version that {@link parseProviderVersion} returned. */
export function majorOf(version: string): ProviderMajor {
  return findProviderMajor(version) ?? NEWEST_MAJOR;
}

/** Whether a version comes before another one; `4.52` is before all of its patches. */
export function precedes(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) < 0;
}
