import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { requireOwnFiles } from '../../apply/journal/backup-folder';
import { withLock } from '../../apply/journal/lock';
import { type Client } from '../../cloudflare/client';
import { isJsonObject } from '../../core/json';
import { posixQuote } from '../../core/posix-quote';
import { counted, printable } from '../../core/printable';
import { gitIgnore } from '../../files/backup-names';
import { writeFiles } from '../../files/write-files';
import { type ZoneGroup } from '../../fleet/group-zones';
import { doneEarlier, openLedger, type ZoneEntry } from '../../fleet/ledger';
import { type FleetZone, type RefusedEntry, type ResolvedZones } from '../../fleet/resolve-zones';
import { type FleetRun, runFleet, type Waves, type ZoneOutcome } from '../../fleet/run-fleet';
import { doesAllAgain, whenRunAgain } from '../../fleet/standings';
import { baseUrlOf, withClient } from '../client';
import { type CliContext, type CommandResult } from '../context';
import {
  DEFAULT_LEDGER,
  type FleetOptions,
  isFleet,
  parseConcurrency,
  type ServiceOptions,
  ZONES_AT_ONCE,
  type ZonesOptions,
} from '../options';
import { createProgress } from '../progress';
import { renderFleet } from './render-summary';
import {
  findGivenZones,
  givenZones,
  type KnownZone,
  withListedZones,
  withZoneClient,
} from '../zones';

/** The work of a command for one zone, or for one of many. */
type ZoneWork = Pick<GroupWork<ZoneGroup>, 'stage' | 'request' | 'next' | 'nextOf' | 'conclude'> & {
  /** Asks once for all zones, for what cannot be undone, and can refuse some; throws to decline. */
  readonly inWaves?: (
    found: ResolvedZones,
    client: Client,
  ) => Promise<{ readonly found: ResolvedZones; readonly waves: Waves }>;
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
    const { inWaves, perform, ...about } = work;
    // without a zone, nothing needs confirmation
    const asked = all.zones.length === 0 ? undefined : await inWaves?.(all, client);
    const { found, waves } = asked ?? { found: all, waves: undefined };
    const groups = found.zones.map((zone) => ({ zones: [zone], zone }));
    const many = {
      ...{ ...about, groups, concurrency, waves },
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

/** The result for a zone or a group of zones. */
export interface ZoneResult extends CommandResult {
  /** The result in one line, for a list of many zones. */
  readonly line: string;
}

/** The work of a command for many zones, group by group. Refused zones are in no group. */
export interface GroupWork<Group extends ZoneGroup> extends Pick<
  FleetRun<Group>,
  'stage' | 'groups' | 'refused' | 'concurrency' | 'waves'
> {
  /** The options that decide the result: only the same ones resume a run. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Whether the result of an earlier run for a zone is still valid; true by default. */
  readonly holds?: (entry: ZoneEntry) => boolean;
  /** The next command for the same zones. */
  readonly next: string;
  /** The next command if a zone, with this id, needs attention; default: the same command. */
  readonly nextOf?: ((zone: string) => string) | undefined;
  readonly perform: (group: Group) => Promise<ZoneResult>;
  /** Returns the last line of the text; undefined for none. */
  readonly conclude?: (
    outcomes: readonly ZoneOutcome[],
    refused: readonly RefusedEntry[],
  ) => string | undefined;
}

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
  const { stage, groups, concurrency, waves, holds = () => true } = work;
  const path = resolve(context.cwd, options.ledger ?? DEFAULT_LEDGER);
  await requireOwnFiles(options.ledger === undefined ? dirname(path) : path, context.environment);
  const use = { code: 'FLEET_RUNNING', doing: `writes the ledger ${printable(path)}` } as const;
  const grouped = new Set(groups.flatMap((group) => group.zones.map(({ id }) => id)));
  const zones = found.zones.filter(({ id }) => grouped.has(id));
  const refused = [...found.refused, ...(work.refused ?? [])];
  // results are valid only for the same API
  const service = baseUrlOf(options, context);
  const run = { stage, request: JSON.stringify({ ...work.request, service }) };
  const again = whenRunAgain(stage);
  return withLock(`${path}.lock`, use, async () => {
    if (options.ledger === undefined) {
      writeFiles([gitIgnore(dirname(path))], { force: true, mode: 0o600 });
    }
    const ledger = openLedger(path);
    const known = doneEarlier(ledger.entries, { ...run, onlyDone: waves !== undefined });
    const earlier = new Map(
      [...known.values()]
        .filter((entry) => !doesAllAgain(stage) && holds(entry) && hasItsFiles(entry, context.cwd))
        .map((entry) => [entry.zone, entry]),
    );
    if (earlier.size > 0) {
      const did = counted(earlier.size, 'zone');
      context.notify(
        `resuming an interrupted run that completed ${did}; pass another --ledger to run all of them again`,
      );
    }
    const progress = createProgress(context, zones.length);
    const stopped = `stopped: ${again}; to see its progress, run: cf-waf-migrate fleet status --ledger ${posixQuote(path)}`;
    const forget = context.isSilent ? undefined : context.ifStopped?.(stopped);
    try {
      const outcomes = await runFleet({
        ...{ ...run, zones, refused, groups, earlier, ledger, concurrency, waves },
        command: context.commandLine,
        stopped: context.interrupted,
        now: () => new Date(),
        perform: async (group) => {
          const { json, line, exitCode } = await work.perform(group);
          return { outcome: exitCode === 0 ? 'done' : 'attention', line, result: json };
        },
        onZone: progress.tell,
      });
      const rendered = renderFleet(outcomes, refused, { ledger: path, again });
      const last = work.conclude?.(outcomes, refused);
      const text = last === undefined ? rendered.text : `${rendered.text}\n${last}`;
      const result = { ...rendered, text };
      // standard input cannot be read again
      if (options.zones === '-') return result;
      if (result.exitCode === 0) return { ...result, next: work.next };
      const open = outcomes.find(({ outcome }) => outcome === 'attention');
      const next = result.exitCode === 2 && open ? work.nextOf?.(open.zone) : undefined;
      return { ...result, next: next ?? context.commandLine };
    } finally {
      // an interrupted process may end before it prints the result
      if (!context.interrupted.aborted) forget?.();
      progress.end();
      ledger.close();
    }
  });
}

/** Whether the files written for a zone still exist. */
function hasItsFiles({ result }: ZoneEntry, cwd: string): boolean {
  const files = isJsonObject(result) ? result['files'] : undefined;
  return (
    !Array.isArray(files) ||
    files.every((file) => typeof file === 'string' && existsSync(resolve(cwd, file)))
  );
}
