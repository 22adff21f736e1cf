import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { requireOwnFiles } from '../../apply/journal/secure-backup-folder';
import { withLock } from '../../apply/journal/lock';
import { type Client } from '../../cloudflare/client';
import { objectOf, textsOf } from '../../core/json';
import { posixQuote } from '../../core/posix-quote';
import { counted, firstLine, printable } from '../../core/printable';
import { gitIgnore } from '../../files/backups';
import { refuseLinkOut } from '../../files/paths';
import { writeFiles } from '../../files/write-files';
import { hasFolder, type SkippedZone, type ZoneGroup } from '../../fleet/group-zones';
import {
  doneEarlier,
  type LedgerEntry,
  openLedger,
  readLedger,
  type Stage,
  type ZoneEntry,
} from '../../fleet/ledger';
import { type FleetZone, type RefusedEntry, type ResolvedZones } from '../../fleet/resolve-zones';
import { describeRefused, isOutOfDate } from '../../fleet/standings';
import { type FleetRun, runFleet, type ZoneOutcome, zoneOutcome } from '../../fleet/run-fleet';
import { baseUrlOf } from '../client';
import { type CliContext, type CommandResult } from '../context';
import {
  commandOf,
  DEFAULT_LEDGER,
  type FleetOptions,
  parseConcurrency,
  sameZones,
  type ServiceOptions,
  ZONES_AT_ONCE,
  type ZonesOptions,
} from '../options';
import { sameCommand, withProgram } from '../output';
import { createProgress } from '../progress';
import { renderHint } from '../render-error';
import { foldersOfTerraform } from '../terraform';
import { isMany, type KnownZone, withListedZones, withZoneClient } from '../zones';

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
  /** The options that decide the result: only the same ones resume a run; none by default. */
  readonly request?: Readonly<Record<string, unknown>>;
  /** Whether the result of an earlier run for a zone is still valid; true by default. */
  readonly holds?: (entry: ZoneEntry) => boolean;
  /** The next command for the zones that are done; undefined if there is none until all are done. */
  readonly next: (outcomes: readonly ZoneOutcome[], found: ResolvedZones) => string | undefined;
  /** Whether a result that needs attention makes the same command run again; true by default. */
  readonly repeats?: (result: Readonly<Record<string, unknown>>) => boolean;
  readonly perform: (group: Group) => Promise<LineResult>;
  /** Returns what follows the text of the zones. */
  readonly conclude?: (
    outcomes: readonly ZoneOutcome[],
    refused: readonly RefusedEntry[],
  ) => readonly string[];
}

/** The zones of a run, those for which there is nothing to do, and how an irreversible command runs. */
interface Prepared extends Pick<GroupWork<ZoneGroup>, 'skipped' | 'waves'> {
  readonly found: ResolvedZones;
}

/** The work of a command for one zone, or for one of many. */
interface ZoneWork extends Omit<
  GroupWork<ZoneGroup>,
  'groups' | 'skipped' | 'concurrency' | 'waves' | 'perform'
> {
  /** Runs once before the zones: can refuse some, and asks for what cannot be undone; throws to decline. */
  readonly prepare?: (found: ResolvedZones, client: Client) => Promise<Prepared>;
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
      ...{ ...about, ...others, groups, concurrency },
      perform: ({ zone }: { readonly zone: FleetZone }) => perform(client, zone),
    };
    return runGroups(many, found, options, context);
  });
}

const BY_EXIT_CODE = ['done', 'failed', 'attention'] as const;

/** Runs a command for many zones under the lock of their ledger, with progress and a summary. */
export async function runGroups<Group extends ZoneGroup>(
  work: GroupWork<Group>,
  found: ResolvedZones,
  options: FleetOptions & ServiceOptions,
  context: CliContext,
): Promise<CommandResult> {
  const { cwd, interrupted } = context;
  const { refused } = found;
  const { stage, groups, skipped = [], holds = () => true } = work;
  const path = ledgerPath(options, context);
  await refuseLinkOut(dirname(path), cwd);
  await requireOwnFiles(options.ledger === undefined ? dirname(path) : path, context.environment);
  // results are valid only for the same API
  const service = baseUrlOf(options, context);
  const run = { stage, request: JSON.stringify({ ...work.request, service }) };
  const use = { code: 'FLEET_RUNNING', doing: `writes the ledger ${printable(path)}` } as const;
  return withLock(`${path}.lock`, use, async () => {
    if (options.ledger === undefined) {
      writeFiles([gitIgnore(dirname(path))], { force: true, mode: 0o600 });
    }
    const ledger = openLedger(path);
    const known = doneEarlier(ledger.entries, { ...run, onlyDone: work.waves !== undefined });
    const earlier = new Map(
      [...known].filter(([, entry]) => holds(entry) && hasItsFiles(entry, cwd)),
    );
    if (earlier.size > 0) {
      const did = counted(earlier.size, 'zone');
      context.notify(
        `resuming an interrupted run that completed ${did}; pass another --ledger to run all of them again`,
      );
    }
    const progress = createProgress(context, groups.flatMap(({ zones }) => zones).length);
    const stopped =
      'stopped; `fleet status` shows what is done; to resume, run the same command again:';
    const forget = context.ifStopped?.(stopped, withProgram(sameCommand(context), context));
    try {
      const outcomes = await runFleet({
        ...{ ...work, ...run, refused, earlier, ledger },
        command: context.commandLine,
        stopped: interrupted,
        now: () => new Date(),
        perform: async (group) => {
          const { json, line, exitCode } = await work.perform(group);
          return { outcome: BY_EXIT_CODE[exitCode], line, result: json };
        },
        onZone: ({ zone: id, name, outcome, line, earlier: isEarlier }) => {
          const word = isEarlier ? `${outcome} earlier` : outcome;
          progress.tell({ id, name }, `${word}: ${line}`, outcome === 'failed');
        },
      });
      const all = [...outcomes, ...skipped.map((one) => zoneOutcome(one, 'skipped', one.line))];
      const rendered = renderFleet(all, refused, path);
      const text = [rendered.text, ...(work.conclude?.(outcomes, refused) ?? [])].join('\n');
      return { ...rendered, text, ...nextOf(work, outcomes, found, options, context) };
    } finally {
      // an interrupted process may end before it prints the result
      if (!interrupted.aborted) forget?.();
      progress.end();
      ledger.close();
    }
  });
}

/** Whether the files that a result names still exist. */
export const hasItsFiles = ({ result }: Pick<ZoneEntry, 'result'>, cwd: string): boolean =>
  textsOf(objectOf(result)['files']).every((file) => existsSync(resolve(cwd, file)));

/** Errors of a zone that the same command gets again until another one is run. */
const FAILS_AGAIN = ['METHOD_UNSUITABLE', 'RUN_INTERRUPTED'];

/** The same command again for the zones that are not done, and the next one for the others. */
function nextOf<Group extends ZoneGroup>(
  { stage, next, repeats = () => true }: GroupWork<Group>,
  outcomes: readonly ZoneOutcome[],
  found: ResolvedZones,
  options: FleetOptions,
  context: CliContext,
): Pick<CommandResult, 'next' | 'before'> {
  // standard input cannot be read again
  if (options.zones === '-') return {};
  if (stage !== 'plan' && outcomes.some(isOutOfDate))
    return { next: planLine(options, found, context) };
  const after = next(outcomes, found);
  const isOpen = ({ outcome, result, error }: ZoneOutcome): boolean =>
    outcome === 'attention'
      ? repeats(objectOf(result))
      : outcome !== 'done' && !FAILS_AGAIN.includes(error?.code ?? '');
  if (found.refused.length === 0 && !outcomes.some(isOpen)) return { next: after };
  const same = sameCommand(context);
  // the refused zones count in the confirmation once they are not refused
  const again = found.refused.length === 0 ? same : same.replace(/ --confirm[ =]\S+/, '');
  if (after === undefined) return { next: again };
  return {
    before: { task: 'each unfinished zone', command: withProgram(again, context) },
    next: after,
  };
}

/**
 * The command that plans the zones of a list: the last one for this list, otherwise in the folders that it names, or in
 * this folder.
 * @param dir the folders of `--dir`
 * @returns undefined if no Terraform folder is known
 */
export function planLine(
  options: ZonesOptions & { readonly dir?: readonly string[] | undefined },
  { zones }: ResolvedZones,
  context: CliContext,
): string | undefined {
  if (options.dir === undefined) {
    const earlier = lastCommand('plan', options, context);
    if (earlier !== undefined) return earlier;
    if (zones.some(hasFolder)) {
      return commandOf('plan', '', { ...sameZones(options), out: 'plans' });
    }
  }
  const dir = options.dir ?? foldersOfTerraform(context.cwd);
  if (dir.length === 0) return undefined;
  // an account has zones of other folders too
  const selected =
    options.account === undefined ? { zones: options.zones, zone: options.zone } : {};
  return commandOf('plan', '', { ...selected, dir, out: 'plan.json' });
}

/** The command that reports what happens to the settings of the same zones. */
export const reportLine = (options: ZonesOptions): string =>
  commandOf('report', '', {
    ...sameZones(options),
    out: options.zone === undefined ? 'reports' : undefined,
  });

/** The last command of a stage for the same list, with all its flags. */
export function lastCommand(
  stage: Stage,
  { zones, account = '', ledger }: FleetOptions,
  context: CliContext,
): string | undefined {
  const list = zones === undefined ? ` --account ${account}` : ` --zones ${posixQuote(zones)}`;
  return readEntries({ ledger }, context)
    .flatMap((one) => (one.event === 'begin' && one.stage === stage ? (one.command ?? []) : []))
    .findLast((command) => command.includes(list));
}

const ledgerPath = ({ ledger = DEFAULT_LEDGER }: FleetOptions, { cwd }: CliContext): string =>
  resolve(cwd, ledger);

/** The lines of the ledger; none if it does not exist. */
export function readEntries(options: FleetOptions, context: CliContext): readonly LedgerEntry[] {
  const path = ledgerPath(options, context);
  return existsSync(path) ? readLedger(path) : [];
}

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
    // not started, because another zone stopped the waves or the run was interrupted
    waiting: count('waiting'),
    unknown: count('unknown'),
    // entries of the list that are not a zone of this run
    refused: refused.length,
    skipped: count('skipped'),
    // zones among the others that an earlier run completed
    earlier: outcomes.filter(({ earlier }) => earlier).length,
  };
  const left = summary.waiting + summary.unknown;
  return {
    json: { zones: outcomes, refused: refused.map(describeRefused), summary, ledger },
    text: [
      ...[...outcomes].sort(byOutcome).flatMap(renderZone),
      // the zones of one plan share an error
      ...[...new Set(refused.map(({ error }) => error))].flatMap(({ message, code, hint }) => [
        `refused    ${printable(message, 300)} (${code})`,
        renderHint(hint),
      ]),
      renderSummary(summary),
      `Ledger: ${printable(ledger)}`,
    ].join('\n'),
    exitCode: left + summary.failed + summary.refused > 0 ? 1 : summary.attention > 0 ? 2 : 0,
  };
}

/** Zones that need the user come last, beside the summary. */
const ORDER = ['skipped', 'done', 'attention', 'waiting', 'unknown', 'failed'];
const byOutcome = (one: ZoneOutcome, other: ZoneOutcome): number =>
  ORDER.indexOf(one.outcome) - ORDER.indexOf(other.outcome);

function renderZone({ zone, name, outcome, line, error, earlier }: ZoneOutcome): string[] {
  const mark = earlier ? ' (earlier)' : '';
  const code = error === undefined ? '' : ` (${error.code})`;
  const head = `${outcome.padEnd(10)} ${printable(name, 100)} (${zone})${mark}: `;
  return [
    `${head}${printable(firstLine(line), 300)}${code}`,
    ...(error?.causes ?? []).map((cause) => `  cause: ${printable(firstLine(cause), 300)}`),
    ...(error === undefined ? [] : [renderHint(error.hint)]),
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
