import { createHash } from 'node:crypto';
import { types } from 'node:util';
import { type Finding } from '../core/finding';
import { mapConcurrently } from '../core/lists';
import { causesOf, MigrationError } from '../core/migration-error';
import { firstLine } from '../core/printable';
import { isDoneEarlier, type ZoneGroup } from './group-zones';
import { type Ledger, type LedgerEntry, type ZoneEntry, type ZoneOutcomeKind } from './ledger';
import { type FleetZone, type RefusedEntry } from './resolve-zones';
import { describeRefused } from './standings';

/** How the zones of a group went, unless they failed. */
interface GroupReport {
  readonly outcome: 'done' | 'attention';
  /** One line for people. */
  readonly line: string;
  /** The JSON of the command. */
  readonly result: unknown;
}

/** What is done for many zones. */
export interface FleetRun<Group extends ZoneGroup> {
  readonly stage: string;
  /** What else decides the result: two runs that differ here do not pick each other up. */
  readonly request: string;
  /** All zones of the run, in the order in which they are told. */
  readonly zones: readonly FleetZone[];
  /** What else is on the list, and why it is no zone of the run. */
  readonly refused?: readonly RefusedEntry[];
  /** The same zones, as they are done. */
  readonly groups: readonly Group[];
  /** What an earlier run has done: a group of which every zone is here is not done again. */
  readonly earlier: ReadonlyMap<string, ZoneEntry>;
  readonly ledger: Ledger;
  /** How many groups at a time. */
  readonly concurrency: number;
  /** For what cannot be undone: an alarm stops the run, and each line is flushed, that a zone is begun as well. */
  readonly waves?: Waves | undefined;
  /** Aborted when the user asks to stop: no group is begun from then on. */
  readonly stopped?: AbortSignal | undefined;
  readonly now: () => Date;
  readonly perform: (group: Group) => Promise<GroupReport>;
  /** Told of each zone, those of an earlier run first. */
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
 * Does one thing for many zones, several groups at a time. A group that fails stops no other one,
 * unless it goes in waves: then those that are under way end, and no other one is begun, as when the
 * user asks to stop. Each zone
 * is written to the ledger when it ends, so that a run that was stopped can be picked up.
 * @returns the outcomes in the order of the zones
 * @throws MigrationError `FILE_UNWRITABLE` when the ledger cannot be written: then no zone is begun
 *   any more, and those that ended without it are its findings
 */
export async function runFleet<Group extends ZoneGroup>(
  run: FleetRun<Group>,
): Promise<ZoneOutcome[]> {
  const { stage, request, ledger, now, earlier } = run;
  const flush = run.waves !== undefined;
  const outcomes = new Map<string, ZoneOutcome>();
  const tell = (entry: ZoneEntry, isEarlier: boolean): void => {
    const { zone, name, outcome, line, result, error } = entry;
    const known = { zone, name, outcome, line, earlier: isEarlier };
    const told = error === undefined ? { ...known, result } : { ...known, error };
    outcomes.set(zone, told);
    run.onZone(told);
  };
  const isDone = (group: Group): boolean => isDoneEarlier(group, earlier);
  const listed = run.zones.map(({ id, name }) => ({ zone: id, name }));
  const resumes = earlier.size > 0;
  const { refused = [] } = run;
  const rest = refused.length === 0 ? {} : { refused: refused.map(describeRefused) };
  const begin = { event: 'begin', stage, request, at: at(now), resumes } as const;
  ledger.append([{ ...begin, zones: listed, ...rest }]);
  for (const { id } of run.groups.filter(isDone).flatMap(({ zones }) => zones)) {
    const entry = earlier.get(id);
    if (entry !== undefined) tell(entry, true);
  }
  const pending = run.groups.filter((group) => !isDone(group));
  const halt: { broken?: { readonly cause: unknown }; alarm: boolean } = { alarm: false };
  const isHalted = (): boolean =>
    halt.broken !== undefined || halt.alarm || run.stopped?.aborted === true;
  const lost: ZoneEntry[] = [];
  const isRecorded = (lines: LedgerEntry[]): boolean => {
    try {
      ledger.append(lines, { flush });
      return true;
    } catch (cause) {
      halt.broken ??= { cause };
      return false;
    }
  };
  const doOne = async (group: Group): Promise<void> => {
    // a run that is killed says so by this line: what cannot be undone may have been done
    if (flush && !isRecorded(startOf(run, group))) return;
    const ended = await performOne(run, group);
    if (!isRecorded(ended)) lost.push(...ended);
    if (ended.some(({ outcome }) => run.waves?.isAlarm(outcome))) halt.alarm = true;
    for (const entry of ended) tell(entry, false);
  };
  const waves = run.waves === undefined ? [pending] : wavesOf(pending, run.waves);
  for (const [index, wave] of waves.entries()) {
    if (index > 0) await run.waves?.pause();
    await mapConcurrently(wave, run.concurrency, async (group) => {
      if (!isHalted()) await doOne(group);
    });
    if (isHalted()) break;
  }
  if (halt.broken !== undefined) throw unrecorded(halt.broken.cause, lost);
  const why = halt.alarm ? 'another zone has raised an alarm' : 'the run was stopped';
  const all = run.zones.map(({ id, name }) => outcomes.get(id) ?? notBegun(id, name, why));
  const open = ['failed', 'waiting', ...(run.waves === undefined ? [] : ['attention'])];
  const failed = all.filter(({ outcome }) => open.includes(outcome)).length;
  ledger.append([{ event: 'end', stage, request, at: at(now), failed }], { flush });
  return all;
}

function notBegun(zone: string, name: string, why: string): ZoneOutcome {
  return { zone, name, outcome: 'waiting', line: `not begun: ${why}`, earlier: false };
}

function startOf<Group extends ZoneGroup>(
  { stage, request, now }: FleetRun<Group>,
  group: Group,
): LedgerEntry[] {
  const head = { event: 'start', stage, request, at: at(now) } as const;
  return group.zones.map(({ id, name }) => ({ ...head, zone: id, name }));
}

/** One entry a zone, all with the outcome of their group. */
async function performOne<Group extends ZoneGroup>(
  { stage, request, now, perform }: FleetRun<Group>,
  group: Group,
): Promise<ZoneEntry[]> {
  const entries = (ended: Pick<ZoneEntry, 'outcome' | 'line' | 'result' | 'error'>) => {
    const head = { event: 'zone', stage, request, at: at(now) } as const;
    return group.zones.map(({ id, name }) => ({ ...head, zone: id, name, ...ended }));
  };
  try {
    return entries(await perform(group));
  } catch (error) {
    const told = describeFailure(error);
    return entries({ outcome: 'failed', line: told.message, error: told });
  }
}

function at(now: () => Date): string {
  return now().toISOString();
}

/** Why the ledger could not be written, with the zones that ended and that it does not know. */
function unrecorded(error: unknown, ended: readonly ZoneEntry[]): unknown {
  if (!(error instanceof MigrationError) || ended.length === 0) return error;
  const { code, message, cause, hint } = error;
  return new MigrationError(code, message, { cause, hint, findings: ended.map(notInLedger) });
}

function notInLedger({ zone, name, outcome, line }: ZoneEntry): Finding {
  return {
    code: 'ZONE_NOT_IN_LEDGER',
    severity: 'info',
    subject: `${name} (${zone})`,
    message: `ended as ${outcome}, which the ledger could not take: ${firstLine(line)}`,
    remedy:
      'nothing of it is undone; make room and run the same command again: it finds out what is done',
  };
}

/** Why a zone failed, as data. A failure that nobody expects is told as the bug that it is. */
function describeFailure(error: unknown): NonNullable<ZoneEntry['error']> {
  if (error instanceof MigrationError) {
    const { code, message, hint, findings } = error;
    const found = findings.length === 0 ? {} : { findings: [...findings] };
    return { code, message, hint, causes: causesOf(error.cause), ...found };
  }
  const stack = types.isNativeError(error) ? error.stack : undefined;
  return {
    code: 'BUG',
    message: types.isNativeError(error) ? error.message : String(error),
    hint: 'this is a bug of cf-waf-migrate: please report it',
    causes: stack === undefined ? [] : [stack],
  };
}

/** How something that cannot be undone goes over many zones: a few first, and not on after an alarm. */
export interface Waves {
  /** Zones of a wave, at least 1. */
  readonly size: number;
  /** Ids of the zones of the first wave; none: all waves are alike. */
  readonly canaries: ReadonlySet<string>;
  /** Whether a zone that ended like this stops the run: no other one is begun then. */
  readonly isAlarm: (outcome: ZoneEntry['outcome']) => boolean;
  /** Milliseconds between two waves. */
  readonly pauseMilliseconds: number;
  /** Waits between two waves: time in which somebody, or something, can raise an alarm. */
  readonly pause: () => Promise<void>;
}

/**
 * The groups wave by wave: those of canaries, then the others in their order. A group is never
 * parted; one that has more zones than a wave is a wave of its own.
 */
export function wavesOf<Group extends ZoneGroup>(
  groups: readonly Group[],
  { size, canaries }: Pick<Waves, 'size' | 'canaries'>,
): Group[][] {
  const isCanary = ({ zones }: Group): boolean => zones.some(({ id }) => canaries.has(id));
  const waves: Group[][] = [];
  let room = 0;
  for (const group of groups) {
    if (isCanary(group)) continue;
    const wave = waves.at(-1);
    if (wave === undefined || group.zones.length > room) {
      waves.push([group]);
      room = size - group.zones.length;
    } else {
      wave.push(group);
      room -= group.zones.length;
    }
  }
  const first = groups.filter(isCanary);
  return first.length === 0 ? waves : [first, ...waves];
}

/**
 * What a person confirms before something that cannot be undone is done to many zones: their number,
 * and the first twelve digits of the sha256 of their sorted lines, each an id and what is done to it.
 */
export function listHash(zones: readonly string[]): string {
  const lines = zones.map((zone) => `${zone}\n`).sort();
  const digest = createHash('sha256').update(lines.join('')).digest('hex');
  return `${zones.length}:${digest.slice(0, 12)}`;
}
