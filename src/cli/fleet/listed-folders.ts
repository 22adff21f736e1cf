import { join, resolve } from 'node:path';
import { type Client } from '../../cloudflare/client';
import { type KnownZone } from '../../cloudflare/zones';
import { type Finding } from '../../core/finding';
import { groupBy, mapConcurrently } from '../../core/lists';
import { MigrationError, orFailure } from '../../core/migration-error';
import { posixQuote } from '../../core/posix-quote';
import { counted, printable } from '../../core/printable';
import { followLinks, planFolder } from '../../files/paths';
import { type Folders, hasFolder, refuseZones } from '../../fleet/group-zones';
import { type FleetZone, type ResolvedZones } from '../../fleet/resolve-zones';
import { readConfiguration } from '../../project/read-configuration';
import { findBlocksOfTypes } from '../../tfconfig/find-blocks';
import { legacyWafTypes } from '../../tfstate/legacy-waf-types';
import { type FolderFacts, readFolder, zonesOfFolder } from '../../zone/folder-facts';
import { type FolderStatus, folderStatus } from '../../zone/folder-status';
import { type ZoneStatus } from '../../zone/next-step';
import { type CliContext } from '../context';
import { commandOf, type FleetOptions, PLANS_AT_ONCE, type StatePlaces } from '../options';
import { terraformOptions } from '../terraform';
import { listFolder } from '../zones';

type Options = FleetOptions & Omit<StatePlaces, 'state'>;

async function readListedFolders(
  zones: readonly FleetZone[],
  options: Options,
  context: CliContext,
): Promise<ListedFolders> {
  const { cwd } = context;
  const terraform = terraformOptions(options, context);
  const dirs = foldersOfAll(zones, options, cwd);
  const read = await mapConcurrently(dirs, PLANS_AT_ONCE, async (dir) => {
    const facts = await orFailure(readFolder(dir, terraform, cwd));
    return [dir, facts] as const;
  });
  return new Map(read);
}

export const foldersOfAll = (zones: readonly FleetZone[], options: Options, cwd: string) => [
  ...new Set(zones.flatMap((zone) => foldersOf(zone, options, cwd))),
];

/** The absolute paths of the folders that the list, or `--dir`, names for a zone. */
function foldersOf({ entries = [] }: FleetZone, options: Options, cwd: string): string[] {
  if (options.dir !== undefined) return options.dir.map((dir) => resolve(cwd, dir));
  const base = listFolder(options, cwd);
  return entries.flatMap(({ dir }) => (dir === undefined ? [] : resolve(base, dir)));
}

/** The command that plans a zone in all its folders, given as absolute paths: only one state may get its ruleset. */
export const sharedPlanLine = (zone: string, dirs: readonly string[], cwd: string): string =>
  commandOf('plan', { zone, dir: dirs.map((dir) => planFolder(cwd, dir)), out: 'shared.json' });

/**
 * Reads the folders of the zones of a list, and the status of each zone with its folders: those that the list names for
 * it, and those of other zones that have resources of it. Of the zones to plan, only one with several folders has its
 * next command: the others share the plan of their list.
 * @param run `tell` is called for each zone when it was read
 */
export async function statusOfFolders(
  zones: readonly FleetZone[],
  options: Options,
  context: CliContext,
  run: {
    readonly client: Client;
    readonly concurrency: number;
    readonly tell: (zone: KnownZone, isRead: boolean) => void;
  },
): Promise<FolderStatus & { readonly read: ListedFolders }> {
  const { cwd } = context;
  const read = await readListedFolders(zones, options, context);
  const owners = foldersByZone(read);
  const ids = new Set(zones.map(({ id }) => id));
  const allFoldersOf = (zone: FleetZone): string[] => {
    const named = foldersOf(zone, options, cwd);
    if (!hasFolder(zone) || options.dir !== undefined) return named;
    const others = (owners.get(zone.id) ?? []).map(({ dir }) => dir);
    return [...new Set([...named, ...others])];
  };
  const groups = groupBy(zones, (zone) => JSON.stringify(allFoldersOf(zone)));
  const parts = await mapConcurrently([...groups.values()], run.concurrency, async (own) => {
    const dirs = allFoldersOf(own[0]);
    const facts = dirs.flatMap((dir) => read.get(dir) ?? []);
    const folders = facts.flatMap((one) => (one instanceof MigrationError ? [] : one));
    const status = await folderStatus(folders, own, run.client, '', { ids, tell: run.tell });
    const ofList = options.dir === undefined ? dirs : [];
    const listed = status.zones.map((one) => withWorkOfList(one, ofList, cwd));
    const areFilesRead = folders.length === facts.length;
    const isUnread = !areFilesRead || folders.some(({ unread }) => unread !== undefined);
    if (!isUnread) return { ...status, zones: listed };
    return { ...status, zones: listed.map((one) => withoutUnread(one, areFilesRead)) };
  });
  const folders = new Map(parts.flatMap((part) => part.folders.map((one) => [one.dir, one])));
  return {
    read,
    folders: [...folders.values()],
    zones: parts.flatMap((part) => part.zones),
    findings: parts.flatMap((part) => part.findings),
  };
}

/**
 * Corrects what is left to do for a zone, which is planned with its list.
 * @param ofList its folders, if the list names them
 */
function withWorkOfList(zone: ZoneStatus, ofList: readonly string[], cwd: string): ZoneStatus {
  // `plan` declares the ruleset in the folder that the list names, and `generate` skips the zone
  const isToDeclare = zone.work === 'generate' && ofList.length > 0;
  if (zone.work !== 'plan' && !isToDeclare) return zone;
  const line = sharedPlanLine(zone.name ?? zone.zone, ofList, cwd);
  return { ...zone, work: 'plan', next: ofList.length > 1 ? `cf-waf-migrate ${line}` : null };
}

/**
 * Without what is not known of a zone, because the state or the files of one of its folders cannot be read, and without a
 * plan, which needs them.
 */
function withoutUnread(zone: ZoneStatus, areFilesRead: boolean): ZoneStatus {
  const { work, legacy, ruleset } = zone;
  return {
    ...zone,
    legacy: { state: null, configuration: areFilesRead ? legacy.configuration : null },
    ruleset: { inState: null, declared: areFilesRead ? ruleset.declared : null },
    // a state that cannot be read cannot be planned
    ...((work === 'plan' || work === 'done') && { work: 'status', next: null }),
  };
}

/** Refuses these zones: another state must not own their rulesets too. */
export async function refuseMisplaced(
  found: ResolvedZones,
  options: Options,
  context: CliContext,
): Promise<ResolvedZones> {
  if (!found.zones.some(hasFolder) || found.zones.every(hasFolder)) return found;
  const folders = await readListedFolders(found.zones, options, context);
  return refuseZones(found, misplacedZones(found.zones, folders, options, context.cwd));
}

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
  options: Options,
  cwd: string,
): ReadonlyMap<string, MigrationError> {
  // the folders of --dir are those of all zones
  if (options.dir !== undefined) return new Map();
  const owners = foldersByZone(folders);
  return new Map(
    zones.flatMap((zone) => {
      const owner = owners.get(zone.id)?.at(-1);
      if (owner === undefined || hasFolder(zone)) return [];
      const place = printable(planFolder(cwd, owner.dir), 200);
      const message = `${printable(zone.name, 100)} is in ${place}, and the list names no folder for it`;
      const column = posixQuote(planFolder(listFolder(options, cwd), owner.dir));
      const hint = `set its column dir to ${printable(column, 200)}`;
      return [[zone.id, new MigrationError('ZONE_NOT_PLANNED', message, { hint })] as const];
    }),
  );
}

/** An account has no Terraform folders but those of `--dir`, and a list names those of only some zones. */
export function unknownFolders(
  zones: readonly FleetZone[],
  owners: ReturnType<typeof foldersByZone>,
  { zones: list, dir }: Options,
  generate: string | undefined,
): Finding[] {
  const { length } = zones.filter((zone) => !hasFolder(zone) && !owners.has(zone.id));
  if (length === 0) return [];
  const column = 'the Terraform folder of each zone in';
  const place =
    list === undefined
      ? `pass --zones with a list that has ${column} its column dir`
      : `name ${column} the column dir of the list`;
  // --dir replaces the folders of the list
  const name = dir === undefined && !zones.some(hasFolder) ? `${place}, or pass --dir` : place;
  return [
    {
      code: 'FOLDER_UNKNOWN',
      severity: 'info',
      subject: list ?? 'account',
      message: `only named folders are read: ${counted(length, 'zone')} to generate can have a stack in another folder`,
      remedy:
        generate === undefined
          ? `${name}${list === undefined ? '' : '. Generate only the stacks of zones that no Terraform folder has'}`
          : `${name}; only if no Terraform folder has them, generate their stacks:\ncf-waf-migrate ${generate}`,
    },
  ];
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
