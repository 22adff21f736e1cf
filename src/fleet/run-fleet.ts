import { createHash } from 'node:crypto';
import { types } from 'node:util';
import { mapConcurrently } from '../core/lists';
import { causesOf, MigrationError } from '../core/migration-error';
import { type ZoneGroup } from './group-zones';
import { type Ledger, type LedgerEntry, type ZoneEntry, type ZoneOutcomeKind } from './ledger';
import { type FleetZone, type RefusedEntry } from './resolve-zones';
import { describeRefused } from './standings';

/** What is done for many zones. */
export interface FleetRun<Group extends ZoneGroup> {
  readonly stage: string;
  /** What else decides the result: two runs that differ here do not resume each other. */
  readonly request: string;
  /** The command line, which resumes the run. */
  readonly command?: string;
  /** All zones of the run, in the order of the list. */
  readonly zones: readonly FleetZone[];
  /** What else is on the list, and why it is no zone of the run. */
  readonly refused?: readonly RefusedEntry[];
  /** The same zones, as they are done. */
  readonly groups: readonly Group[];
  /** What an earlier run has done: a group is not done again where all of its zones are here. */
  readonly earlier: ReadonlyMap<string, ZoneEntry>;
  readonly ledger: Ledger;
  /** How many groups at a time. */
  readonly concurrency: number;
  /** For what cannot be undone: an alarm stops the run, and each line is flushed before and after a group. */
  readonly waves?: Waves | undefined;
  /** Aborted when the user asks to stop: no group is begun from then on. */
  readonly stopped?: AbortSignal | undefined;
  readonly now: () => Date;
  readonly perform: (
    group: Group,
  ) => Promise<Pick<ZoneEntry, 'line' | 'result'> & { readonly outcome: 'done' | 'attention' }>;
  /** Called with each zone, those of an earlier run first. */
  readonly onZone: (outcome: ZoneOutcome) => void;
}

/** How a zone went, in this run or an earlier one. */
export interface ZoneOutcome extends Pick<
  ZoneEntry,
  'zone' | 'name' | 'line' | 'result' | 'error'
> {
  /** `waiting`: an alarm or the user stopped the run before this zone was begun. */
  readonly outcome: ZoneOutcomeKind;
  /** Done by an earlier run, and taken from the ledger. */
  readonly earlier: boolean;
}

/**
 * Does one thing for many zones, several groups at a time. A group that fails stops no other one. In waves, an alarm
 * stops the run as the user does: groups that are under way end, and no other one is begun. Each zone is written to
 * the ledger when it ends, so that a stopped run can be resumed.
 * @returns the outcomes in the order of the zones
 * @throws MigrationError `FILE_UNWRITABLE` when the ledger cannot be written: then no zone is begun
 *   any more
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
    // for a run that is killed: what cannot be undone may have been done
    if (flush && !isRecorded(linesOf({ event: 'start' as const }))) return;
    const ended = linesOf({ event: 'zone' as const, ...(await ending(() => run.perform(group))) });
    isRecorded(ended);
    if (ended.some(({ outcome }) => waves?.isAlarm(outcome))) halt.alarm = true;
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
  for (const [at, wave] of (waves === undefined ? [pending] : wavesOf(pending, waves)).entries()) {
    if (at > 0) await waves?.pause();
    await mapConcurrently(wave, run.concurrency, async (group) => {
      if (!isHalted()) await runGroup(group);
    });
    if (isHalted()) break;
  }
  if (halt.broken !== undefined) throw halt.broken.cause;
  const why = halt.alarm ? 'a zone of an earlier wave failed' : 'the run was stopped';
  const line = `not started: ${why}`;
  const all = run.zones.map(
    ({ id, name }): ZoneOutcome =>
      outcomes.get(id) ?? { zone: id, name, outcome: 'waiting', line, earlier: false },
  );
  const open = ['failed', 'waiting', ...(waves === undefined ? [] : ['attention'])];
  const failed = all.filter(({ outcome }) => open.includes(outcome)).length;
  ledger.append([{ event: 'end', ...head(), failed }], { flush });
  return all;
}

type Ending = Pick<ZoneEntry, 'outcome' | 'line' | 'result' | 'error'>;

/** How a group ended; an unknown error is a bug. */
async function ending(perform: () => Promise<Ending>): Promise<Ending> {
  try {
    return await perform();
  } catch (error) {
    if (error instanceof MigrationError) {
      const { code, message, hint, findings } = error;
      const known = { code, message, hint, causes: causesOf(error.cause) };
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

/** How something that cannot be undone is done for many zones: a few first, and stopped by an alarm. */
export interface Waves {
  /** Zones of a wave, at least 1. */
  readonly size: number;
  /** Ids of the zones of the first wave; none: all waves are alike. */
  readonly canaries: ReadonlySet<string>;
  /** Whether a zone that ended like this stops the run. */
  readonly isAlarm: (outcome: ZoneEntry['outcome']) => boolean;
  /** Milliseconds between two waves. */
  readonly pauseMilliseconds: number;
  /** Waits between two waves: time in which an alarm can be raised. */
  readonly pause: () => Promise<void>;
}

/**
 * The groups wave by wave: those of canaries, then the others in their order. A group is never
 * split; one that has more zones than a wave is a wave of its own.
 */
export function wavesOf<Group extends ZoneGroup>(
  groups: readonly Group[],
  { size, canaries }: Pick<Waves, 'size' | 'canaries'>,
): Group[][] {
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
 * What the user confirms before something that cannot be undone is done for many zones: their number,
 * and the first twelve digits of the sha256 of their sorted lines, each an id and what is done to it.
 */
export function listHash(zones: readonly string[]): string {
  const lines = zones.map((zone) => `${zone}\n`).sort();
  const digest = createHash('sha256').update(lines.join('')).digest('hex');
  return `${zones.length}:${digest.slice(0, 12)}`;
}
