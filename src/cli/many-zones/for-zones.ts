import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { requireOwnFiles } from '../../apply/journal/secure-backup-folder';
import { withLock } from '../../apply/journal/lock';
import { type Client } from '../../cloudflare/client';
import { objectOf, textsOf } from '../../core/json';
import { posixQuote } from '../../core/posix-quote';
import { counted, printable } from '../../core/printable';
import { gitIgnore } from '../../files/backup-names';
import { refuseLinkOut } from '../../files/paths';
import { writeFiles } from '../../files/write-files';
import { hasFolder, type SkippedZone, type ZoneGroup } from '../../fleet/group-zones';
import { doneEarlier, openLedger, whenRunAgain, type ZoneEntry } from '../../fleet/ledger';
import { type FleetZone, type RefusedEntry, type ResolvedZones } from '../../fleet/resolve-zones';
import { isOutOfDate } from '../../fleet/standings';
import { type FleetRun, runFleet, type ZoneOutcome, zoneOutcome } from '../../fleet/run-fleet';
import { type Waves } from '../../fleet/waves';
import { baseUrlOf, withClient } from '../client';
import { type CliContext, type CommandResult } from '../context';
import {
  DEFAULT_LEDGER,
  type FleetOptions,
  isFleet,
  parseConcurrency,
  sameZones,
  type ServiceOptions,
  ZONES_AT_ONCE,
  type ZonesOptions,
} from '../options';
import { workspaceOf } from '../output';
import { createProgress } from '../progress';
import { renderFleet } from './render-summary';
import { foldersOfTerraform } from '../terraform';
import {
  findGivenZones,
  givenZones,
  type KnownZone,
  withListedZones,
  withZoneClient,
} from '../zones';

/** The work of a command for one zone, or for one of many. */
type ZoneWork = Pick<GroupWork<ZoneGroup>, 'stage' | 'request' | 'holds' | 'next' | 'conclude'> & {
  /** Asks once for all zones, for what cannot be undone, and can refuse some; throws to decline. */
  readonly inWaves?: (
    found: ResolvedZones,
    client: Client,
  ) => Promise<{ readonly found: ResolvedZones; readonly waves: Waves }>;
  /** Why a zone of a list has nothing to do; undefined if it has. */
  readonly skip?: (zone: FleetZone) => string | undefined;
  /** The name is known if the zone is one of many. */
  readonly perform: (client: Client, zone: KnownZone) => Promise<ZoneResult>;
};

/**
 * Runs a command for one zone, or for many: several `--zone`, `--zones` or `--account`. Many zones run in
 * parallel with one client and its rate limit, and a ledger to resume an interrupted run.
 * @throws MigrationError what `perform` throws for one zone; for many `ZONES_FILE_INVALID`,
 *   `ZONES_EMPTY`, `LEDGER_INVALID`, `FLEET_RUNNING`, and those of the client for the list
 */
export async function forZones(
  options: ZonesOptions,
  context: CliContext,
  work: ZoneWork,
): Promise<CommandResult> {
  const isList = isFleet(options);
  const given = givenZones(options);
  if (!isList && given.length < 2) {
    return withZoneClient(options, context, (client, id) => work.perform(client, { id }));
  }
  const concurrency = parseConcurrency(options, ZONES_AT_ONCE);
  const run = async (all: ResolvedZones, client: Client): Promise<CommandResult> => {
    const { inWaves, perform, skip = () => undefined, ...about } = work;
    // without a zone, nothing needs confirmation
    const asked = all.zones.length === 0 ? undefined : await inWaves?.(all, client);
    const { found, waves } = asked ?? { found: all, waves: undefined };
    const groups: { zones: FleetZone[]; zone: FleetZone }[] = [];
    const skipped: SkippedZone[] = [];
    for (const zone of found.zones) {
      const line = skip(zone);
      if (line === undefined) groups.push({ zones: [zone], zone });
      else skipped.push({ ...zone, line });
    }
    const many = {
      ...{ ...about, groups, skipped, concurrency, waves },
      perform: ({ zone }: { readonly zone: FleetZone }) => perform(client, zone),
    };
    return runGroups(many, found, options, context);
  };
  if (isList) return withListedZones(options, context, run);
  return withClient(options, context, async (client) => {
    const zones = await findGivenZones(client, given);
    return run({ zones, refused: [] }, client);
  });
}

/** The result for a zone or a group of zones among many, with its one line in the list. */
export type LineResult = Pick<CommandResult, 'json' | 'exitCode'> & { readonly line: string };
/** The result for a zone, which is printed in full if it is the only one. */
export type ZoneResult = CommandResult & LineResult;

/** The work of a command for many zones, group by group. Refused zones are in no group. */
export interface GroupWork<Group extends ZoneGroup> extends Pick<
  FleetRun<Group>,
  'stage' | 'groups' | 'concurrency' | 'waves'
> {
  /** Zones for which there is nothing to do. */
  readonly skipped?: readonly SkippedZone[];
  /** The options that decide the result: only the same ones resume a run. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Whether the result of an earlier run for a zone is still valid; true by default. */
  readonly holds?: (entry: ZoneEntry) => boolean;
  /**
   * The next command for the same zones, if all of them were started and one did not fail. Undefined if nothing is
   * left, or only by hand.
   */
  readonly next: (outcomes: readonly ZoneOutcome[], found: ResolvedZones) => string | undefined;
  readonly perform: (group: Group) => Promise<LineResult>;
  /** Returns the last line of the text; undefined for none. */
  readonly conclude?: (
    outcomes: readonly ZoneOutcome[],
    refused: readonly RefusedEntry[],
  ) => string | undefined;
}

const BY_EXIT_CODE = ['done', 'failed', 'attention'] as const;

/**
 * Runs a command for many zones under the lock of their ledger, with progress and a summary.
 * @throws MigrationError `LEDGER_INVALID`, `FLEET_RUNNING`, `FILE_UNWRITABLE`
 */
export async function runGroups<Group extends ZoneGroup>(
  work: GroupWork<Group>,
  found: ResolvedZones,
  options: FleetOptions & ServiceOptions,
  context: CliContext,
): Promise<CommandResult> {
  const path = resolve(context.cwd, options.ledger ?? DEFAULT_LEDGER);
  await refuseLinkOut(dirname(path), context.cwd);
  await requireOwnFiles(options.ledger === undefined ? dirname(path) : path, context.environment);
  const { refused } = found;
  const use = { code: 'FLEET_RUNNING', doing: `writes the ledger ${printable(path)}` } as const;
  return withLock(`${path}.lock`, use, async () => {
    if (options.ledger === undefined) {
      writeFiles([gitIgnore(dirname(path))], { force: true, mode: 0o600 });
    }
    const { stage } = work;
    // results are valid only for the same API
    const service = baseUrlOf(options, context);
    const run = { stage, request: JSON.stringify({ ...work.request, service }) };
    const outcomes = await runInLedger(path, { ...work, ...run, refused }, context);
    const { skipped = [] } = work;
    const all = [...outcomes, ...skipped.map((one) => zoneOutcome(one, 'skipped', one.line))];
    const rendered = renderFleet(all, refused, { ledger: path, again: whenRunAgain(run) });
    const last = work.conclude?.(outcomes, refused);
    const text = last === undefined ? rendered.text : `${rendered.text}\n${last}`;
    // standard input cannot be read again
    const next =
      options.zones === '-' ? undefined : nextOf(work, outcomes, found, options, context);
    return { ...rendered, text, next };
  });
}

async function runInLedger<Group extends ZoneGroup>(
  path: string,
  work: Omit<GroupWork<Group>, 'request'> & Pick<FleetRun<Group>, 'request' | 'refused'>,
  context: CliContext,
): Promise<ZoneOutcome[]> {
  const { stage, request, groups, refused, concurrency, waves, holds = () => true } = work;
  const ledger = openLedger(path);
  const known = doneEarlier(ledger.entries, { stage, request, onlyDone: waves !== undefined });
  const earlier = new Map(
    [...known].filter(([, entry]) => holds(entry) && hasItsFiles(entry, context.cwd)),
  );
  if (earlier.size > 0) {
    const did = counted(earlier.size, 'zone');
    context.notify(
      `resuming an interrupted run that completed ${did}; pass another --ledger to run all of them again`,
    );
  }
  const progress = createProgress(context, groups.flatMap(({ zones }) => zones).length);
  const again = `${workspaceOf(context)}cf-waf-migrate ${sameCommand(context)}`;
  const stopped = `stopped; \`fleet status\` shows what is done; ${whenRunAgain(work)}:`;
  const forget = context.ifStopped?.(stopped, again);
  try {
    return await runFleet({
      ...{ stage, request, refused, groups, earlier, ledger, concurrency, waves },
      command: context.commandLine,
      stopped: context.interrupted,
      now: () => new Date(),
      perform: async (group) => {
        const { json, line, exitCode } = await work.perform(group);
        return { outcome: BY_EXIT_CODE[exitCode], line, result: json };
      },
      onZone: progress.tell,
    });
  } finally {
    // an interrupted process may end before it prints the result
    if (!context.interrupted.aborted) forget?.();
    progress.end();
    ledger.close();
  }
}

/** The command line to run again. Flags for Terraform come last, and only plans have them. */
const sameCommand = ({ commandLine, passedArguments, yes }: CliContext): string =>
  yes && passedArguments.length === 0 ? `${commandLine} --yes` : commandLine;

/** The same command while zones wait; the hints of errors say what to do for failed zones. */
function nextOf(
  { next }: Pick<GroupWork<ZoneGroup>, 'next'>,
  outcomes: readonly ZoneOutcome[],
  found: ResolvedZones,
  options: FleetOptions,
  context: CliContext,
): string | undefined {
  if (outcomes.some(isOutOfDate)) return planLine(options, found, context);
  if (outcomes.some(({ outcome }) => outcome === 'waiting')) return sameCommand(context);
  return outcomes.every(({ outcome }) => outcome === 'failed') ? undefined : next(outcomes, found);
}

/**
 * The command that plans the zones of a list: in the folders that it names, or in this folder.
 * @param dir the folders of `--dir`
 * @returns undefined if no Terraform folder is known
 */
export function planLine(
  options: ZonesOptions & { readonly dir?: readonly string[] | undefined },
  { zones }: ResolvedZones,
  { cwd }: CliContext,
): string | undefined {
  if (options.dir === undefined && zones.some(hasFolder)) {
    return `plan ${sameZones(options)} --out plans`;
  }
  const dirs = options.dir ?? foldersOfTerraform(cwd);
  if (dirs.length === 0) return undefined;
  // an account has zones of other folders too
  const selected =
    options.account === undefined ? sameZones({ ...options, ledger: undefined }) : '';
  const folders = ['--dir', ...dirs].map(posixQuote).join(' ');
  return ['plan', selected, folders, '--out plan.json'].filter(Boolean).join(' ');
}

/** Whether the files written for a zone still exist. */
function hasItsFiles({ result }: ZoneEntry, cwd: string): boolean {
  return textsOf(objectOf(result)['files']).every((file) => existsSync(resolve(cwd, file)));
}
