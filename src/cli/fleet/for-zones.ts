import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { withLock } from '../../apply/journal/lock';
import { type Client } from '../../cloudflare/client';
import { type KnownZone } from '../../cloudflare/zones';
import {
  type Finding,
  firstOfEachCode,
  isBlocker,
  isOpenFinding,
  namingZones,
  renderFindings,
} from '../../core/finding';
import { groupBy, listed } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { counted, firstLine, printable } from '../../core/printable';
import { gitIgnore } from '../../files/backups';
import { refuseLinkOut } from '../../files/paths';
import { writeFiles } from '../../files/write-files';
import { type SkippedZone, type ZoneGroup } from '../../fleet/group-zones';
import {
  describeRefused,
  doneEarlier,
  openLedger,
  readResult,
  type ZoneEntry,
} from '../../fleet/ledger';
import { type FleetZone, type RefusedEntry, type ResolvedZones } from '../../fleet/resolve-zones';
import {
  type FleetRun,
  type GroupEnding,
  runFleet,
  type ZoneOutcome,
  zoneOutcome,
} from '../../fleet/run-fleet';
import { baseUrlOf } from '../client';
import { type CliContext, type CommandResult } from '../context';
import {
  type FleetOptions,
  OF_MANY,
  parseConcurrency,
  refuseForOne,
  type ServiceOptions,
  ZONES_AT_ONCE,
  type ZonesOptions,
} from '../options';
import { ifStopped, renderHint } from '../output';
import { createProgress } from '../progress';
import { isMany, withListedZones, withZoneClient } from '../zones';
import { ledgerPath, nextOf, type NextOfWork, requireOwnLedger } from './next-of-list';

/** The result for a zone or a group of zones among many, with its one line in the list. */
export interface LineResult
  extends Pick<CommandResult, 'json' | 'exitCode'>, Pick<GroupEnding, 'line' | 'ofZone'> {
  /** Blockers or decisions; below the zones of a list, the first of each code is shown in full. */
  readonly open?: readonly Finding[];
}
/** The result for a zone, which is printed in full if it is the only one. */
export type ZoneResult = CommandResult & LineResult;

/** The work of a command for many zones, group by group. Refused zones are in no group. */
export interface GroupWork<Group extends ZoneGroup>
  extends NextOfWork, Pick<FleetRun<Group>, 'groups' | 'concurrency' | 'waves'> {
  readonly skipped?: readonly SkippedZone[];
  /** The options that decide the result: only the same ones resume a run; none by default. */
  readonly request?: Readonly<Record<string, unknown>>;
  /** Whether the result of an earlier run for a zone is still valid; true by default. */
  readonly holds?: (entry: ZoneEntry) => boolean;
  readonly perform: (group: Group) => Promise<LineResult>;
  /** Describes a group whose work takes long, to show its start. */
  readonly describe?: (group: Group) => string;
  /** Lines below the zones. */
  readonly conclude?: (outcomes: readonly ZoneOutcome[], found: ResolvedZones) => readonly string[];
}

interface ZoneWork extends Omit<
  GroupWork<ZoneGroup>,
  'groups' | 'skipped' | 'concurrency' | 'waves' | 'perform'
> {
  /** Runs once before the zones: can refuse some, and asks for what cannot be undone; throws to decline. */
  readonly prepare?: (
    found: ResolvedZones,
    client: Client,
  ) => Promise<Pick<GroupWork<ZoneGroup>, 'skipped' | 'waves'> & { readonly found: ResolvedZones }>;
  /** The name is known if the zone is one of many. */
  readonly perform: (client: Client, zone: KnownZone) => Promise<ZoneResult>;
}

/**
 * Runs a command for one zone, or for many: several `--zone`, `--zones` or `--account`. Many zones run in
 * parallel with one client and its rate limit, and a ledger to resume an interrupted run.
 */
export async function forZones(
  options: ZonesOptions,
  context: CliContext,
  work: ZoneWork,
): Promise<CommandResult> {
  if (!isMany(options)) {
    refuseForOne(options, OF_MANY);
    return withZoneClient(options, context, (client, id) => work.perform(client, { id }));
  }
  const concurrency = parseConcurrency(options, ZONES_AT_ONCE);
  return withListedZones(options, context, async (all, client) => {
    const { prepare, perform, ...about } = work;
    // without a zone, nothing needs confirmation
    const prepared = all.zones.length === 0 ? undefined : await prepare?.(all, client);
    const { found, ...others } = prepared ?? { found: all };
    const groups = found.zones.map((zone) => ({ zones: [zone], zone }));
    const many = {
      ...about,
      ...others,
      groups,
      concurrency,
      perform: ({ zone }: { readonly zone: FleetZone }) => perform(client, zone),
    };
    return runGroups(many, found, options, context);
  });
}

/** Runs a command for many zones under the lock of their ledger, with progress and a summary. */
export async function runGroups<Group extends ZoneGroup>(
  work: GroupWork<Group>,
  found: ResolvedZones,
  options: FleetOptions & ServiceOptions,
  context: CliContext,
): Promise<CommandResult> {
  const path = ledgerPath(options, context);
  await refuseLinkOut(dirname(path), context.cwd);
  await requireOwnLedger(options, context);
  const use = { code: 'FLEET_RUNNING', doing: `writes the ledger ${printable(path)}` } as const;
  return withLock(`${path}.lock`, use, async () => {
    if (options.ledger === undefined) {
      writeFiles([gitIgnore(dirname(path))], { force: true, mode: 0o600 });
    }
    const ledger = openLedger(path);
    // results are valid only for the same API
    const request = JSON.stringify({ ...work.request, service: baseUrlOf(options, context) });
    try {
      const record = { request, list: options.zones ?? options.account, ledger };
      const { outcomes, below } = await runRecorded(work, record, found, context);
      const { skipped = [] } = work;
      const all = [...outcomes, ...skipped.map((one) => zoneOutcome(one, 'skipped', one.line))];
      const rendered = renderFleet(all, found.refused, path);
      const text = [rendered.text, ...below].join('\n');
      return { ...rendered, text, ...nextOf(work, outcomes, found, options, context) };
    } finally {
      ledger.close();
    }
  });
}

const RUN_OTHERS =
  'If the same zone fails again, remove it from the list of --zones, to run the other zones, and run it later with a list of only this zone.';

const BY_EXIT_CODE = ['done', 'failed', 'attention'] as const;

/** Runs the groups without those that an interrupted run has done, and returns what is shown below the zones. */
async function runRecorded<Group extends ZoneGroup>(
  work: GroupWork<Group>,
  record: Pick<FleetRun<Group>, 'request' | 'list' | 'ledger'>,
  found: ResolvedZones,
  context: CliContext,
) {
  const { interrupted, recordedLine: command } = context;
  const { refused } = found;
  const earlier = resultsToKeep(work, record, context);
  const open = new Map<Group, readonly Finding[]>();
  const progress = createProgress(context, work.groups.flatMap(({ zones }) => zones).length);
  const forget = ifStopped(context, '`fleet status` shows what is done; ');
  try {
    const outcomes = await runFleet({
      ...work,
      ...record,
      refused,
      earlier,
      command,
      stopped: interrupted,
      now: () => new Date(),
      perform: async (group) => {
        if (work.describe !== undefined) progress.start(work.describe(group));
        try {
          const { json, line, ofZone, exitCode, open: own = [] } = await work.perform(group);
          open.set(group, own);
          return { outcome: BY_EXIT_CODE[exitCode], line, ofZone, result: json };
        } catch (error) {
          open.set(group, openFindingsOf(error));
          throw error;
        }
      },
      onZone: ({ zone: id, name, outcome, line, earlier: isEarlier }) => {
        const word = isEarlier ? `${outcome} earlier` : outcome;
        progress.tell({ id, name }, `${word}: ${line}`, outcome === 'failed');
      },
    });
    const concluded = work.conclude?.(outcomes, found) ?? [];
    // in the order of the list, whichever group ended first
    const findings = [
      ...work.groups.flatMap((group) => open.get(group) ?? []),
      ...refused.flatMap(({ error }) => openFindingsOf(error)),
    ];
    const names = new Map(outcomes.map(({ zone, name }) => [zone, name]));
    const named = firstOfEachCode(namingZones(findings, names));
    const isHalted = !interrupted.aborted && outcomes.some(({ outcome }) => outcome === 'waiting');
    const others = isHalted ? [RUN_OTHERS] : [];
    return { outcomes, below: [...renderFindings(named), ...concluded, ...others] };
  } finally {
    forget();
    progress.end();
  }
}

export const openFindingsOf = (error: unknown): readonly Finding[] =>
  error instanceof MigrationError ? error.findings.filter(isOpenFinding) : [];

/** The results of an interrupted run that are still valid: their zones are not run again. */
function resultsToKeep<Group extends ZoneGroup>(
  { stage, waves, holds = () => true }: GroupWork<Group>,
  { request, ledger }: Pick<FleetRun<Group>, 'request' | 'ledger'>,
  { cwd, notify }: CliContext,
): ReadonlyMap<string, ZoneEntry> {
  const done = doneEarlier(ledger.entries, { stage, request, onlyDone: waves !== undefined });
  const kept = [...done].filter(([, entry]) => holds(entry) && hasItsFiles(entry, cwd));
  if (kept.length > 0) {
    notify(
      `an earlier run has done ${counted(kept.length, 'zone')}; pass another --ledger to run all of them again`,
    );
  }
  return new Map(kept);
}

export const hasItsFiles = (entry: Pick<ZoneEntry, 'result'>, cwd: string): boolean =>
  readResult(entry).files.every((file) => existsSync(resolve(cwd, file)));

/** The result of a run: an entry and a line for each zone, a summary, and the exit code of the worst zone. */
export function renderFleet(
  outcomes: readonly ZoneOutcome[],
  refused: readonly RefusedEntry[],
  ledger: string,
): CommandResult {
  const count = (wanted: ZoneOutcome['outcome']): number =>
    outcomes.filter(({ outcome }) => outcome === wanted).length;
  const summary = {
    zones: outcomes.length + refused.length,
    done: count('done'),
    attention: count('attention'),
    failed: count('failed'),
    // not started: another zone stopped the waves, the API refused the credentials, or the run was interrupted
    waiting: count('waiting'),
    unknown: count('unknown'),
    // entries of the list that are not a zone of this run
    refused: refused.length,
    skipped: count('skipped'),
    // zones among the others that an earlier run completed
    earlier: outcomes.filter(({ earlier }) => earlier).length,
  };
  const notDone = summary.failed + summary.waiting + summary.unknown + summary.refused;
  const attention = summary.attention > 0 ? 2 : 0;
  return {
    json: { zones: outcomes, refused: refused.map(describeRefused), summary, ledger },
    text: [
      ...renderSkipped(outcomes.filter(({ outcome }) => outcome === 'skipped')),
      ...outcomes
        .filter(({ outcome }) => outcome !== 'skipped')
        .toSorted(byUrgency)
        .flatMap(renderZone),
      // the zones of one plan share an error
      ...[...new Set(refused.map(({ error }) => error))].flatMap(({ message, code, hint }) => [
        `refused    ${printable(message, 300)} (${code})`,
        renderHint(hint),
      ]),
      renderSummary(summary),
      `Ledger: ${printable(ledger)}`,
    ].join('\n'),
    exitCode: notDone > 0 ? 1 : attention,
  };
}

/** Zones that need the user come last, beside the summary. */
const ORDER = ['done', 'attention', 'waiting', 'unknown', 'failed'];

function byUrgency(one: ZoneOutcome, other: ZoneOutcome): number {
  const isBlocked = ({ result }: ZoneOutcome): number =>
    readResult({ result }).findings.some(isBlocker) ? 1 : 0;
  return (
    ORDER.indexOf(one.outcome) - ORDER.indexOf(other.outcome) || isBlocked(one) - isBlocked(other)
  );
}

/** Zones that are skipped for the same reason, in one line if there are many. */
function renderSkipped(skipped: readonly ZoneOutcome[]): string[] {
  return [...groupBy(skipped, ({ line }) => line).values()].flatMap((zones) => {
    if (zones.length <= MOST_SKIPPED) return zones.flatMap(renderZone);
    const names = listed(
      zones.map(({ name }) => printable(name, 100)),
      MOST_SKIPPED,
    );
    return `skipped    ${names}: ${printable(firstLine(zones[0].line), 300)}`;
  });
}

const MOST_SKIPPED = 5;

function renderZone(
  { zone, name, outcome, line, error, earlier }: ZoneOutcome,
  at: number,
  all: readonly ZoneOutcome[],
): string[] {
  const mark = earlier ? ' (earlier)' : '';
  const head = `${outcome.padEnd(10)} ${printable(name, 100)} (${zone})${mark}: `;
  if (error === undefined) return [`${head}${printable(firstLine(line), 300)}`];
  // the zones of one plan share an error
  const before = all[at - 1];
  if (before?.line === line && isDeepStrictEqual(before.error, error))
    return [`${head}the same error (${error.code})`];
  return [
    `${head}${printable(firstLine(line), 300)} (${error.code})`,
    ...error.causes.map((cause) => `  cause: ${printable(firstLine(cause), 300)}`),
    renderHint(error.hint),
  ];
}

type Count = ZoneOutcome['outcome'] | 'zones' | 'refused' | 'earlier';

function renderSummary(counts: Readonly<Record<Count, number>>): string {
  const { attention } = counts;
  const others = [
    [attention, attention === 1 ? 'needs attention' : 'need attention'],
    [counts.failed, 'failed'],
    [counts.unknown, 'interrupted'],
    [counts.waiting, 'not started'],
    [counts.refused, 'refused'],
    [counts.skipped, 'skipped'],
  ] as const;
  const parts = others.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`]));
  const before = counts.earlier === 0 ? '' : `; ${counts.earlier} by an earlier run`;
  return `${counted(counts.zones, 'zone')}: ${[`${counts.done} done`, ...parts].join(', ')}${before}`;
}
