import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { isEntryPointOf } from '../../project/entry-points';
import { type PlacedStack } from './require-free-place';
import { type Declarations } from '../../project/read-declarations';

/** Files that a run has written, relative to the folder, and the ids of their zones. */
export type FileOwners = Map<string, string>;

/**
 * Refuses the file of another zone: two can have one name, such as a domain that moves between
 * accounts, and each would be written over the other. Else the file is the zone's from now on.
 * @throws MigrationError `FILE_EXISTS`
 */
export function requireOwnFile(
  { resourceFile: { path }, zoneId }: PlacedStack,
  declared: readonly Declarations[],
  owners: FileOwners,
): void {
  const owner =
    owners.get(path) ??
    ownerIn(
      declared.find(({ file }) => file === path),
      zoneId,
    );
  if (owner === undefined || owner === zoneId) {
    owners.set(path, zoneId);
    return;
  }
  throw new MigrationError(
    'FILE_EXISTS',
    `${printable(path)} is that of zone ${printable(owner, 40)}, which has the name of zone ${zoneId}`,
    { hint: 'give each an --out of its own, or delete the file where its zone is no more' },
  );
}

/** The zone of a file that surely holds the entry point of another one alone. */
function ownerIn(file: Declarations | undefined, zoneId: string): string | undefined {
  const entryPoints = file?.entryPoints ?? [];
  const isAnothers = entryPoints.every((one) => isEntryPointOf(one, zoneId) === false);
  return isAnothers ? entryPoints[0]?.zone.text : undefined;
}
