import { relative, resolve } from 'node:path';
import { mapConcurrently } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { hasFolder, refuseZones } from '../../fleet/group-zones';
import { type FleetZone, type ResolvedZones } from '../../fleet/resolve-zones';
import { type FolderFacts, readFolder, zonesOfFolder } from '../../zone/folder-facts';
import { type CliContext } from '../context';
import { type FleetOptions, PLANS_AT_ONCE, type StatePlaces } from '../options';
import { terraformOptions } from '../terraform';
import { listFolder } from '../zones';

type Options = FleetOptions & Omit<StatePlaces, 'state'>;

/** The facts of each folder, by its absolute path, or why it cannot be read. */
export type ListedFolders = ReadonlyMap<string, FolderFacts | MigrationError>;

/** The absolute paths of the folders that the list, or `--dir`, names for a zone. */
export function foldersOf({ entries = [] }: FleetZone, options: Options, cwd: string): string[] {
  if (options.dir !== undefined) return options.dir.map((dir) => resolve(cwd, dir));
  const base = listFolder(options, cwd);
  return entries.flatMap(({ dir }) => (dir === undefined ? [] : resolve(base, dir)));
}

/** Reads the folders of all zones, each once. */
export async function readListedFolders(
  zones: readonly FleetZone[],
  options: Options,
  context: CliContext,
): Promise<ListedFolders> {
  const { cwd } = context;
  const terraform = terraformOptions(options, context);
  const dirs = [...new Set(zones.flatMap((zone) => foldersOf(zone, options, cwd)))];
  const read = await mapConcurrently(dirs, PLANS_AT_ONCE, async (dir) => {
    const facts = await readFolder(dir, terraform, cwd).catch((error: unknown) => {
      if (error instanceof MigrationError) return error;
      throw error;
    });
    return [dir, facts] as const;
  });
  return new Map(read);
}

/** An error for each zone without a folder that has resources in a folder which the list names for other zones. */
export function misplacedZones(
  zones: readonly FleetZone[],
  folders: ListedFolders,
  { cwd }: CliContext,
): ReadonlyMap<string, MigrationError> {
  const owners = new Map(
    [...folders].flatMap(([dir, facts]) =>
      facts instanceof MigrationError ? [] : zonesOfFolder(facts).map((id) => [id, dir] as const),
    ),
  );
  return new Map(
    zones.flatMap((zone) => {
      const dir = owners.get(zone.id);
      if (dir === undefined || hasFolder(zone)) return [];
      const place = printable(relative(cwd, dir) || '.', 200);
      const message = `${printable(zone.name, 100)} is in ${place}, and the list names no folder for it`;
      const hint = `set its column dir to ${place}`;
      return [[zone.id, new MigrationError('ZONE_NOT_PLANNED', message, { hint })] as const];
    }),
  );
}

/** Refuses these zones: another state must not own their rulesets too. */
export async function refuseMisplaced(
  found: ResolvedZones,
  options: Options,
  context: CliContext,
): Promise<ResolvedZones> {
  if (!found.zones.some(hasFolder) || found.zones.every(hasFolder)) return found;
  const folders = await readListedFolders(found.zones, options, context);
  return refuseZones(found, misplacedZones(found.zones, folders, context));
}
