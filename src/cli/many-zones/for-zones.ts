import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { withLock } from '../../apply/journal/lock';
import { type Client } from '../../cloudflare/client';
import { DEFAULT_BASE_URL, parseBaseUrl } from '../../cloudflare/parse-base-url';
import { hintLines } from '../../core/finding';
import { isJsonObject } from '../../core/json';
import { posixQuote } from '../../core/posix-quote';
import { counted, firstLine, printable } from '../../core/printable';
import { type ZoneGroup } from '../../fleet/group-zones';
import { doneEarlier, openLedger, type ZoneEntry } from '../../fleet/ledger';
import {
  findZones,
  type FleetZone,
  type RefusedEntry,
  type ResolvedZones,
} from '../../fleet/resolve-zones';
import { runFleet, type Waves, type ZoneOutcome } from '../../fleet/run-fleet';
import { doesAllAgain, describeRefused, whenRunAgain } from '../../fleet/standings';
import { readZoneList } from '../../fleet/zone-list';
import { baseUrlOf, withClient } from '../client';
import {
  type CliContext,
  type CommandResult,
  type CommonOptions,
  isSilent,
  notify,
} from '../context';
import {
  type FleetOptions,
  isFleet,
  parseConcurrency,
  type ServiceOptions,
  type ZonesOptions,
} from '../options';
import { createProgress } from '../progress';
import {
  findGivenZones,
  type FoundZones,
  givenZones,
  type KnownZone,
  withZoneClient,
} from '../zones';

/** What a command does for a zone, whether it is one or one of many. */
export interface ZoneWork {
  /** Names the command in the ledger. */
  readonly stage: string;
  /** The options that decide the result: only the same ones resume a run. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Asks once for all zones, for what cannot be undone; throws to decline. */
  readonly inWaves?: (found: ResolvedZones, client: Client) => Promise<Waves>;
  /** What follows for the same zones. */
  readonly next: string;
  /** Whether it also follows where zones need attention; else the next command is the same one again. */
  readonly isAttentionDone?: boolean;
  /** The name is known where the zone is one of many. */
  readonly perform: (client: Client, zone: KnownZone) => Promise<ZoneResult>;
}

type Options = ZonesOptions & CommonOptions;

/**
 * Runs a command for the zone of `--zone`, or for all of several, of `--zones` or of `--account`: several at a
 * time, over one client and its rate limit, with a ledger to resume an interrupted run.
 * @throws MigrationError what `perform` throws for one zone; for many `ZONES_FILE_INVALID`,
 *   `ZONES_EMPTY`, `LEDGER_INVALID`, `FLEET_RUNNING`, and those of the client for the list
 */
export async function forZones(
  options: Options,
  context: CliContext,
  work: ZoneWork,
): Promise<CommandResult> {
  const isList = isFleet(options);
  const given = givenZones(options);
  if (!isList && given.length < 2) {
    return withZoneClient(options, context, (client, id) => work.perform(client, { id }));
  }
  const list = options.zones === undefined ? undefined : await readZoneList(options.zones, context);
  const concurrency = parseConcurrency(options);
  return withClient(options, context, async (client) => {
    const found = isList
      ? await findZones(client, list, options.account)
      : { zones: await findGivenZones(client, given), listed: new Map(), refused: [] };
    const { stage, request, inWaves, next, isAttentionDone, perform } = work;
    const groups = found.zones.map((zone) => ({ zones: [zone], zone }));
    const many = {
      ...{ stage, request, groups, concurrency, next, isAttentionDone },
      inWaves: inWaves && (() => inWaves(found, client)),
      perform: ({ zone }: { readonly zone: FleetZone }) => perform(client, zone),
    };
    return runGroups(many, { found, client }, options, context);
  });
}

/** The result for a zone or a group of zones. */
export interface ZoneResult extends CommandResult {
  /** The result in one line, for a list of many zones. */
  readonly line: string;
}

/** What a command does for many zones, group by group. */
export interface GroupWork<Group extends ZoneGroup> {
  /** Names the command in the ledger. */
  readonly stage: string;
  /** The options that decide the result: only the same ones resume a run. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly groups: readonly Group[];
  /** Zones of the list that are in no group, and why. */
  readonly refused?: readonly RefusedEntry[];
  readonly concurrency: number;
  /** Asks once for all groups, for what cannot be undone; throws to decline. */
  readonly inWaves?: ((groups: readonly Group[]) => Promise<Waves>) | undefined;
  /** Whether what an earlier run did for a zone is still true; true by default. */
  readonly holds?: (entry: ZoneEntry) => boolean;
  /** As {@link ZoneWork} has it. */
  readonly next: string;
  readonly isAttentionDone?: boolean | undefined;
  readonly perform: (group: Group) => Promise<ZoneResult>;
}

/**
 * Runs one thing for many zones under the lock of their ledger, tells how far it is, and sums up.
 * @throws MigrationError `LEDGER_INVALID`, `FLEET_RUNNING`, `FILE_UNWRITABLE`
 */
export async function runGroups<Group extends ZoneGroup>(
  work: GroupWork<Group>,
  { found, client }: FoundZones,
  options: FleetOptions & ServiceOptions & CommonOptions,
  context: CliContext,
): Promise<CommandResult> {
  const { stage, groups, concurrency, holds = () => true } = work;
  const path = resolve(context.cwd, options.ledger ?? 'cf-waf-migrate-fleet/ledger.jsonl');
  const use = { code: 'FLEET_RUNNING', doing: `writes the ledger ${printable(path)}` } as const;
  // without a group there is nothing to ask
  const waves = groups.length === 0 ? undefined : await work.inWaves?.(groups);
  const grouped = new Set(groups.flatMap((group) => group.zones.map(({ id }) => id)));
  const zones = found.zones.filter(({ id }) => grouped.has(id));
  const refused = [...found.refused, ...(work.refused ?? [])];
  // an answer is valid only for its API
  const service = client === undefined ? {} : serviceOf(options, context);
  const run = { stage, request: JSON.stringify({ ...work.request, ...service }) };
  const again = whenRunAgain(stage);
  return withLock(`${path}.lock`, use, async () => {
    const ledger = openLedger(path);
    const known = doneEarlier(ledger.entries, { ...run, onlyDone: waves !== undefined });
    const earlier = new Map(
      [...known.values()]
        .filter((entry) => !doesAllAgain(stage) && holds(entry) && hasItsFiles(entry, context.cwd))
        .map((entry) => [entry.zone, entry]),
    );
    if (earlier.size > 0) {
      const did = counted(earlier.size, 'zone');
      const text = `resuming a run that did ${did}; pass another --ledger to run all of them again\n`;
      notify(options, context, text);
    }
    const progress = createProgress(options, context, zones.length);
    const stopped = `stopped: ${again}; see how far it is: cf-waf-migrate fleet status --ledger ${posixQuote(path)}`;
    const forget = isSilent(options) ? undefined : context.ifStopped?.(stopped);
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
      const result = renderFleet(outcomes, refused, { ledger: path, again });
      const isDone = result.exitCode === 0 || (result.exitCode === 2 && work.isAttentionDone);
      return { ...result, next: isDone ? work.next : context.commandLine };
    } finally {
      // an interrupted process may end before it prints the result
      if (!context.interrupted.aborted) forget?.();
      progress.end();
      ledger.close();
    }
  });
}

/** Empty for the default API. */
function serviceOf(options: ServiceOptions, context: CliContext): { readonly service?: string } {
  const [service, usual] = [baseUrlOf(options, context), DEFAULT_BASE_URL].map((text) => {
    const { origin, pathPrefix } = parseBaseUrl(text);
    return `${origin}${pathPrefix}`;
  });
  return service === undefined || service === usual ? {} : { service };
}

/** Whether what was written for a zone is still there. */
function hasItsFiles({ result }: ZoneEntry, cwd: string): boolean {
  const files = isJsonObject(result) ? result['files'] : undefined;
  return (
    !Array.isArray(files) ||
    files.every((file) => typeof file === 'string' && existsSync(resolve(cwd, file)))
  );
}

/** How many zones went which way; they add up to `zones`. */
interface Summary {
  readonly zones: number;
  readonly done: number;
  readonly attention: number;
  readonly failed: number;
  /** Not begun, because another zone raised an alarm or the run was stopped. */
  readonly waiting: number;
  /** Entries of the list that are no zone of this run. */
  readonly refused: number;
  /** Of the others, those that an earlier run did. */
  readonly earlier: number;
}

/**
 * What a run over many zones comes to: one entry a zone, one line a zone, an exact summary, and the
 * exit code: 1 when a zone failed or was refused, else 2 when one needs attention.
 * @param run its ledger, and what its command does when it is run again
 */
export function renderFleet(
  outcomes: readonly ZoneOutcome[],
  refused: readonly RefusedEntry[],
  { ledger, again }: { readonly ledger: string; readonly again: string },
): CommandResult {
  const count = (wanted: ZoneOutcome['outcome']): number =>
    outcomes.filter(({ outcome }) => outcome === wanted).length;
  const summary: Summary = {
    zones: outcomes.length + refused.length,
    done: count('done'),
    attention: count('attention'),
    failed: count('failed'),
    waiting: count('waiting'),
    refused: refused.length,
    earlier: outcomes.filter(({ earlier }) => earlier).length,
  };
  const failed = summary.failed + summary.refused + summary.waiting > 0;
  return {
    json: {
      zones: outcomes,
      refused: refused.map(describeRefused),
      summary,
      ledger,
    },
    text: [
      ...outcomes.flatMap(renderZone),
      ...refused.flatMap(({ error }) => [
        `refused    ${printable(error.message, 300)} (${error.code})`,
        ...renderHint(error.hint),
      ]),
      renderSummary(summary) + (summary.waiting === 0 ? '' : `; ${again}`),
      `Ledger: ${printable(ledger)}`,
    ].join('\n'),
    exitCode: failed ? 1 : summary.attention > 0 ? 2 : 0,
  };
}

function renderZone({ zone, name, outcome, line, error, earlier }: ZoneOutcome): string[] {
  const mark = earlier ? ' (earlier)' : '';
  const code = error === undefined ? '' : ` (${error.code})`;
  const head = `${outcome.padEnd(10)} ${printable(name, 100)} (${zone})${mark}: `;
  return [
    `${head}${printable(firstLine(line), 300)}${code}`,
    ...(error?.causes ?? []).map((cause) => `  cause: ${printable(firstLine(cause), 300)}`),
    ...(error === undefined ? [] : renderHint(error.hint)),
  ];
}

function renderHint(hint: string): string[] {
  const [words = '', ...commands] = hintLines(hint).map((line) => printable(line));
  return [`  hint: ${words}`, ...commands.map((command) => `    ${command}`)];
}

function renderSummary({
  zones,
  done,
  attention,
  failed,
  waiting,
  refused,
  earlier,
}: Summary): string {
  const parts = [
    `${done} done`,
    ...(attention === 0 ? [] : [`${attention} ${attention === 1 ? 'needs' : 'need'} attention`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(waiting === 0 ? [] : [`${waiting} not begun`]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
    ...(earlier === 0 ? [] : [`${earlier} of them by an earlier run`]),
  ];
  return `${counted(zones, 'zone')}: ${parts.join(', ')}`;
}
