import { createHash } from 'node:crypto';
import { types } from 'node:util';
import { mapConcurrently } from '../core/lists';
import { causesOf, MigrationError } from '../core/migration-error';
import { type ZoneGroup } from './group-zones';
import { type Ledger, type LedgerEntry, type ZoneEntry, type ZoneOutcomeKind } from './ledger';
import { type FleetZone, type RefusedEntry } from './resolve-zones';
import { describeRefused } from './standings';

/** A command for many zones. */
export interface FleetRun<Group extends ZoneGroup> {
  /** Names the command in the ledger. */
  readonly stage: string;
  /** Other inputs of the result. A run resumes only runs with the same request. */
  readonly request: string;
  /** The command line, which resumes the run. */
  readonly command?: string;
  /** All zones of the run, in the order of the list. */
  readonly zones: readonly FleetZone[];
  /** Other entries of the list, and why they were refused. */
  readonly refused?: readonly RefusedEntry[];
  /** The same zones, in groups that run together. */
  readonly groups: readonly Group[];
  /** Results of an earlier run. A group is skipped if all of its zones are here. */
  readonly earlier: ReadonlyMap<string, ZoneEntry>;
  readonly ledger: Ledger;
  /** How many groups run at once. */
  readonly concurrency: number;
  /**
   * Settings of an irreversible command: an alarm stops the run, and lines are flushed before and after each group.
   */
  readonly waves?: Waves | undefined;
  /** Aborted when the user stops the run; no further group is started. */
  readonly stopped?: AbortSignal | undefined;
  readonly now: () => Date;
  readonly perform: (
    group: Group,
  ) => Promise<Pick<ZoneEntry, 'line' | 'result'> & { readonly outcome: 'done' | 'attention' }>;
  /** Called for each zone, those of an earlier run first. */
  readonly onZone: (outcome: ZoneOutcome) => void;
}

/** The result of a zone, from this run or an earlier one. */
export interface ZoneOutcome extends Pick<
  ZoneEntry,
  'zone' | 'name' | 'line' | 'result' | 'error'
> {
  /** `waiting`: an alarm or the user stopped the run before this zone. */
  readonly outcome: ZoneOutcomeKind;
  /** Whether the result is from an earlier run in the ledger. */
  readonly earlier: boolean;
}

/**
 * Runs a command for many zones, several groups at once. A failed group does not stop the others. In waves, an alarm
 * stops the run: running groups end, and no further group starts. The ledger records the end of each zone, so that a
 * stopped run can be resumed.
 * @returns the outcomes in the order of the zones
 * @throws MigrationError `FILE_UNWRITABLE` if the ledger cannot be written; no further zone is started
 */
export async function runFleet<Group extends ZoneGroup>(
  run: FleetRun<Group>,
): Promise<ZoneOutcome[]> {
  const { stage, request, ledger, earlier, waves, refused = [] } = run;
  const flush = waves !== undefined;
  const head = () => ({ stage, request, at: run.now().toISOString() });
  const outcomes = new Map<string, ZoneOutcome>();
  const tell = (entry: ZoneEntry, isEarlier: boolean): void => {
    const { zone, name, outcome, line, result, error } = entry;
    const known = { zone, name, outcome, line, earlier: isEarlier };
    const ended = error === undefined ? { ...known, result } : { ...known, error };
    outcomes.set(zone, ended);
    run.onZone(ended);
  };
  const wait = ({ id, name }: FleetZone, line: string, say?: typeof run.onZone): void => {
    const waiting = { zone: id, name, outcome: 'waiting', line, earlier: false } as const;
    outcomes.set(id, waiting);
    say?.(waiting);
  };
  const halt: { broken?: { readonly cause: unknown }; alarm: boolean } = { alarm: false };
  const isHalted = (): boolean =>
    halt.broken !== undefined || halt.alarm || run.stopped?.aborted === true;
  const isRecorded = (lines: LedgerEntry[]): boolean => {
    try {
      ledger.append(lines, { flush });
      return true;
    } catch (cause) {
      halt.broken ??= { cause };
      return false;
    }
  };
  const runGroup = async (group: Group): Promise<void> => {
    const linesOf = <Line extends object>(line: Line) =>
      group.zones.map(({ id, name }) => ({ ...head(), zone: id, name, ...line }));
    // if the run is killed, the ledger shows that the irreversible step may be done
    if (flush && !isRecorded(linesOf({ event: 'start' as const }))) return;
    const end = await ending(() => run.perform(group));
    if (end.outcome === 'failed' && run.stopped?.aborted === true) {
      // the next run finds out how far it came
      for (const zone of group.zones) wait(zone, `interrupted: ${end.line}`, run.onZone);
      return;
    }
    const ended = linesOf({ event: 'zone' as const, ...end });
    isRecorded(ended);
    if (waves?.isAlarm(end.outcome) === true && !isAside(group, waves)) halt.alarm = true;
    for (const entry of ended) tell(entry, false);
  };

  const listed = run.zones.map(({ id, name }) => ({ zone: id, name }));
  ledger.append([
    {
      ...{ event: 'begin', ...head(), resumes: earlier.size > 0, zones: listed },
      ...(run.command !== undefined && { command: run.command }),
      ...(refused.length > 0 && { refused: refused.map(describeRefused) }),
    },
  ]);
  const pending: Group[] = [];
  for (const group of run.groups) {
    const done = group.zones.flatMap(({ id }) => earlier.get(id) ?? []);
    if (done.length < group.zones.length) pending.push(group);
    else for (const entry of done) tell(entry, true);
  }
  const aside = waves === undefined ? pending : pending.filter((group) => isAside(group, waves));
  const parts = waves === undefined ? [] : wavesOf(pending, waves);
  for (const [at, part] of [aside, ...parts].entries()) {
    if (at > 1) await waves?.pause();
    await mapConcurrently(part, run.concurrency, async (group) => {
      if (!isHalted()) await runGroup(group);
    });
    if (isHalted()) break;
  }
  if (halt.broken !== undefined) throw halt.broken.cause;
  const why = halt.alarm ? 'a zone of an earlier wave failed' : 'the run was stopped';
  for (const zone of run.zones) if (!outcomes.has(zone.id)) wait(zone, `not started: ${why}`);
  const all = run.zones.flatMap(({ id }) => outcomes.get(id) ?? []);
  const open = ['failed', 'waiting', ...(waves === undefined ? [] : ['attention'])];
  const failed = all.filter(({ outcome }) => open.includes(outcome)).length;
  ledger.append([{ event: 'end', ...head(), failed }], { flush });
  return all;
}

type Ending = Pick<ZoneEntry, 'outcome' | 'line' | 'result' | 'error'>;

/** Returns the result of a group. Any error that is not a MigrationError is a bug. */
async function ending(perform: () => Promise<Ending>): Promise<Ending> {
  try {
    return await perform();
  } catch (error) {
    if (error instanceof MigrationError) {
      const { code, message, hint, findings } = error;
      const known = { code, message, hint, causes: causesOf(error) };
      const found = findings.length > 0 && { findings: [...findings] };
      return { outcome: 'failed', line: message, error: { ...known, ...found } };
    }
    const isError = types.isNativeError(error);
    const message = isError ? error.message : String(error);
    const hint = 'this is a bug of cf-waf-migrate: please report it';
    const causes = isError && error.stack !== undefined ? [error.stack] : [];
    return { outcome: 'failed', line: message, error: { code: 'BUG', message, hint, causes } };
  }
}

/** How an irreversible command runs for many zones: a few zones first, until an alarm. */
export interface Waves {
  /** Maximum number of zones in a wave, at least 1. */
  readonly size: number;
  /** Ids of the zones of the first wave; if empty, all waves are alike. */
  readonly canaries: ReadonlySet<string>;
  /** Ids of zones for which nothing irreversible is left: they run before the first wave. */
  readonly aside?: ReadonlySet<string>;
  /** Whether this outcome of a zone stops the run. */
  readonly isAlarm: (outcome: ZoneEntry['outcome']) => boolean;
  /** Waits between two waves, so that the user can notice problems. */
  readonly pause: () => Promise<void>;
}

const isAside = ({ zones }: ZoneGroup, { aside }: Pick<Waves, 'aside'>): boolean =>
  zones.every(({ id }) => aside?.has(id));

/** The number of the wave of each zone, by its id. */
export function waveNumbers(
  groups: readonly ZoneGroup[],
  waves: Pick<Waves, 'size' | 'canaries' | 'aside'>,
): ReadonlyMap<string, number> {
  const numbers = wavesOf(groups, waves).flatMap((wave, at) =>
    wave.flatMap(({ zones }) => zones.map(({ id }) => [id, at + 1] as const)),
  );
  return new Map(numbers);
}

/**
 * Divides the groups into waves: canaries first, then the others in their order. Never splits a group; a group that
 * is larger than a wave is a separate wave.
 */
export function wavesOf<Group extends ZoneGroup>(
  all: readonly Group[],
  { size, canaries, ...others }: Pick<Waves, 'size' | 'canaries' | 'aside'>,
): Group[][] {
  const groups = all.filter((group) => !isAside(group, others));
  const isCanary = ({ zones }: Group): boolean => zones.some(({ id }) => canaries.has(id));
  const first = groups.filter(isCanary);
  const waves: Group[][] = first.length === 0 ? [] : [first];
  let room = 0;
  for (const group of groups.filter((one) => !isCanary(one))) {
    const wave = waves.at(-1);
    if (wave === undefined || group.zones.length > room) {
      waves.push([group]);
      room = size - group.zones.length;
    } else {
      wave.push(group);
      room -= group.zones.length;
    }
  }
  return waves;
}

/**
 * Returns the text that confirms an irreversible command for many zones: their number, and 12 digits of the sha256
 * of their sorted lines. Each line has a zone id and what the command does to it.
 */
export function listHash(zones: readonly string[]): string {
  const lines = zones.map((zone) => `${zone}\n`).sort();
  const digest = createHash('sha256').update(lines.join('')).digest('hex');
  return `${zones.length}:${digest.slice(0, 12)}`;
}
