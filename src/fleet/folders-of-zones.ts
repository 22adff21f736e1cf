import { join, relative } from 'node:path';
import { groupBy } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { followLinks } from '../files/paths';
import { readConfiguration } from '../project/read-configuration';
import { findBlocksOfTypes } from '../tfconfig/find-blocks';
import { legacyWafTypes } from '../tfstate/legacy-waf-types';
import { type FolderFacts, zonesOfFolder } from '../zone/folder-facts';
import { type Folders, hasFolder } from './group-zones';
import { type FleetZone } from './resolve-zones';

/** The facts of each folder, by its absolute path, or why it cannot be read. */
export type ListedFolders = ReadonlyMap<string, FolderFacts | MigrationError>;

/** The folders that have resources of a zone. */
export function foldersByZone(folders: ListedFolders) {
  const found = [...folders].flatMap(([dir, facts]) =>
    facts instanceof MigrationError ? [] : zonesOfFolder(facts).map((zone) => ({ zone, dir })),
  );
  return groupBy(found, ({ zone }) => zone);
}

/** An error for each zone without a folder that has resources in a folder which the list names for other zones. */
export function misplacedZones(
  zones: readonly FleetZone[],
  folders: ListedFolders,
  cwd: string,
): ReadonlyMap<string, MigrationError> {
  const owners = foldersByZone(folders);
  return new Map(
    zones.flatMap((zone) => {
      const owner = owners.get(zone.id)?.at(-1);
      if (owner === undefined || hasFolder(zone)) return [];
      const place = printable(relative(cwd, owner.dir) || '.', 200);
      const message = `${printable(zone.name, 100)} is in ${place}, and the list names no folder for it`;
      const hint = `set its column dir to ${place}`;
      return [[zone.id, new MigrationError('ZONE_NOT_PLANNED', message, { hint })] as const];
    }),
  );
}

/**
 * Joins folders that share a file with legacy blocks, such as that of a module: a plan for one of them would remove
 * blocks whose resources the other still has. A folder whose configuration cannot be read stays alone.
 * @param dirs absolute, each once
 * @returns the folders that have one plan, in the order of the list, by each of them
 */
export async function joinFolders(dirs: readonly string[]): Promise<ReadonlyMap<string, Folders>> {
  const joined = new Map(dirs.map((dir): [string, Folders] => [dir, [dir]]));
  const users = new Map<string, string>();
  for (const dir of dirs) {
    for (const file of await filesWithLegacyBlocks(dir)) {
      const user = users.get(file) ?? dir;
      users.set(file, user);
      const together = [user, dir].flatMap((one) => joined.get(one) ?? []);
      const [first = dir, ...others] = dirs.filter((one) => together.includes(one));
      const folders: Folders = [first, ...others];
      for (const one of folders) joined.set(one, folders);
    }
  }
  return joined;
}

/** Their real paths. */
async function filesWithLegacyBlocks(dir: string): Promise<string[]> {
  const configuration = await readConfiguration('.', dir);
  const blocks = configuration && findBlocksOfTypes(configuration.project, legacyWafTypes);
  const paths = new Set(blocks?.map(({ file }) => join(dir, file.path)));
  return Promise.all([...paths].map(followLinks));
}
