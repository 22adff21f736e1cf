import { isUnauthenticated } from '../cloudflare/failures';
import { mapConcurrently } from '../core/lists';
import { describeError } from '../core/migration-error';
import { type ZoneGroup } from './group-zones';
import {
  type BeginEntry,
  describeRefused,
  type Ledger,
  recordedFindings,
  type Stage,
  type ZoneEntry,
  type ZoneOutcomeKind,
} from './ledger';
import { type FleetZone, type RefusedEntry } from './resolve-zones';

export interface FleetRun<Group extends ZoneGroup> {
  readonly stage: Stage;
  /** Other inputs of the result. A run resumes only runs with the same request. */
  readonly request: string;
  readonly now: () => Date;
  /** The command line, which resumes the run. */
  readonly command?: string;
  /** The file or the account that lists the zones. */
  readonly list?: string | undefined;
  readonly groups: readonly Group[];
  readonly refused: readonly RefusedEntry[];
  /** Results of an earlier run. A group is skipped if all of its zones are here. */
  readonly earlier: ReadonlyMap<string, ZoneEntry>;
  readonly ledger: Ledger;
  /** How many groups run at once: a number from `--concurrency`. */
  readonly concurrency: number;
  /** Settings of an irreversible command. The lines of each group are flushed. */
  readonly waves?: Waves | undefined;
  /** Aborted when the user stops the run; no further group is started. */
  readonly stopped?: AbortSignal | undefined;
  readonly perform: (group: Group) => Promise<GroupEnding>;
  /** Called for each zone, those of an earlier run first. */
  readonly onZone: (outcome: ZoneOutcome) => void;
}

/** The result of a group. */
export interface GroupEnding extends Pick<ZoneEntry, 'outcome' | 'line' | 'result'> {
  /** What differs for a zone of the group. */
  readonly ofZone?: ((zone: string) => Pick<ZoneEntry, 'outcome' | 'line'>) | undefined;
}

/** The result of a zone, from this run or an earlier one. */
export interface ZoneOutcome extends Pick<
  ZoneEntry,
  'zone' | 'name' | 'line' | 'result' | 'error'
> {
  /** `skipped`: it has nothing to do. */
  readonly outcome: ZoneOutcomeKind | 'skipped';
  /** Whether the result is from an earlier run in the ledger. */
  readonly earlier: boolean;
}

/**
 * Runs a command for many zones, several groups at once. A failed group does not stop the others, unless the API does not
 * accept the credentials. In waves, one that is not done stops the run: running groups end, and no further group starts.
 * The ledger records the end of each zone, so that a stopped run can be resumed.
 * @returns the outcomes in the order of the groups
 * @throws MigrationError `FILE_UNWRITABLE` if the ledger cannot be written: running groups end, no further one starts
 */
export async function runFleet<Group extends ZoneGroup>(
  run: FleetRun<Group>,
): Promise<ZoneOutcome[]> {
  const { ledger, groups, refused, earlier, waves, command, list } = run;
  const listed = groups.flatMap(({ zones }) => zones);
  const begin: BeginEntry = {
    event: 'begin',
    ...headOf(run),
    zones: listed.map(({ id, name }) => ({ zone: id, name })),
    ...(command !== undefined && { command }),
    ...(list !== undefined && { list }),
    ...(refused.length > 0 && { refused: refused.map(describeRefused) }),
  };
  ledger.append([begin]);
  const outcomes = new Map<string, ZoneOutcome>();
  const tell = (outcome: ZoneOutcome): void => {
    outcomes.set(outcome.zone, outcome);
    run.onZone(outcome);
  };
  const isPending = ({ zones }: Group): boolean => !zones.every(({ id }) => earlier.has(id));
  const doneBefore = groups.flatMap((group) => (isPending(group) ? [] : group.zones));
  for (const entry of doneBefore.flatMap(({ id }) => earlier.get(id) ?? []))
    tell(outcomeOf(entry, true));
  const why = await runPending(groups.filter(isPending), run, tell);
  const all = listed.map(
    (zone) => outcomes.get(zone.id) ?? zoneOutcome(zone, 'waiting', `not started: ${why}`),
  );
  const again = ['failed', 'waiting', 'unknown', ...(waves === undefined ? [] : ['attention'])];
  const open = all.filter(({ outcome }) => again.includes(outcome)).length;
  ledger.append([{ event: 'end', ...headOf(run), open }], waves !== undefined);
  return all;
}

/** Runs groups, first those that are in no wave, and returns why no further one was started, if some are left. */
async function runPending<Group extends ZoneGroup>(
  pending: readonly Group[],
  run: FleetRun<Group>,
  tell: (outcome: ZoneOutcome) => void,
): Promise<string> {
  const halts: string[] = [];
  const isHalted = (): boolean => halts.length > 0 || run.stopped?.aborted === true;
  const runPart = (part: readonly Group[], isWave: boolean) =>
    mapConcurrently(part, run.concurrency, async (group) => {
      if (isHalted()) return;
      const halt = await runGroup(group, run, isWave, tell);
      if (halt !== undefined) halts.push(halt);
    });
  const { aside, waves } = run.waves ? wavesOf(pending, run.waves) : { aside: pending, waves: [] };
  await runPart(aside, false);
  for (const [index, wave] of waves.entries()) {
    if (index > 0 && !isHalted()) await run.waves?.pause();
    await runPart(wave, true);
  }
  return halts[0] ?? 'the run was stopped';
}

function headOf({ stage, request, now }: Pick<FleetRun<ZoneGroup>, 'stage' | 'request' | 'now'>) {
  return { stage, request, at: now().toISOString() };
}

/** Runs a group, records its start and its end, and returns why no further group may start. */
async function runGroup<Group extends ZoneGroup>(
  group: Group,
  run: FleetRun<Group>,
  isWave: boolean,
  tell: (outcome: ZoneOutcome) => void,
): Promise<string | undefined> {
  const { ledger, waves } = run;
  const flush = waves !== undefined;
  const linesOf = <Line extends object>(lineOf: (zone: string) => Line) =>
    group.zones.map(({ id, name }) => ({ ...headOf(run), zone: id, name, ...lineOf(id) }));
  // if the run is killed, the ledger shows that the work may be done
  ledger.append(
    linesOf(() => ({ event: 'start' as const })),
    flush,
  );
  const { ofZone, halt, ...end }: RecordedEnding = await run.perform(group).catch(failureOf);
  if (end.outcome === 'failed' && run.stopped?.aborted === true) {
    // the next run finds out how far it came
    for (const zone of group.zones) tell(zoneOutcome(zone, 'unknown', `interrupted: ${end.line}`));
    return halt;
  }
  const ended = linesOf((zone) => ({ event: 'zone' as const, ...end, ...ofZone?.(zone) }));
  // also told if the ledger cannot record it
  for (const entry of ended) tell(outcomeOf(entry, false));
  ledger.append(ended, flush);
  const alarm = isWave && end.outcome !== 'done' ? 'a zone failed or needs attention' : undefined;
  return halt ?? alarm;
}

export function zoneOutcome(
  { id, name }: FleetZone,
  outcome: 'waiting' | 'unknown' | 'skipped',
  line: string,
): ZoneOutcome {
  return { zone: id, name, outcome, line, earlier: false };
}

function outcomeOf(entry: ZoneEntry, earlier: boolean): ZoneOutcome {
  const { zone, name, outcome, line, result, error } = entry;
  return { zone, name, outcome, line, earlier, result, error };
}

interface RecordedEnding extends GroupEnding, Pick<ZoneEntry, 'error'> {
  /** Why no other group can succeed. */
  readonly halt?: string | undefined;
}

function failureOf(thrown: unknown): RecordedEnding {
  const { code, message, hint, causes, findings, stack = [] } = describeError(thrown);
  const recorded = recordedFindings(findings);
  const error = { code, message, hint, causes: [...causes, ...stack], ...recorded };
  const halt = isUnauthenticated(thrown) ? 'the API does not accept the credentials' : undefined;
  return { outcome: 'failed', line: message, error, halt };
}

/** How an irreversible command runs for many zones: a few zones first, until one fails or needs attention. */
export interface Waves {
  /** Maximum number of zones in a wave, at least 1. */
  readonly size: number;
  /** Ids of the zones of the first wave; if empty, all waves are alike. */
  readonly canaries: ReadonlySet<string>;
  /** Ids of zones for which nothing irreversible is left: they run before the first wave. */
  readonly aside?: ReadonlySet<string>;
  /** Waits between two waves, so that the user can notice problems. */
  readonly pause: () => Promise<void>;
}

type WaveSettings = Pick<Waves, 'size' | 'canaries' | 'aside'>;

/** The number of the wave of each zone, by its id, from 1. */
export function waveNumbers(
  groups: readonly ZoneGroup[],
  waves: WaveSettings,
): ReadonlyMap<string, number> {
  const numbers = wavesOf(groups, waves).waves.flatMap((wave, index) =>
    wave.flatMap(({ zones }) => zones.map(({ id }) => [id, index + 1] as const)),
  );
  return new Map(numbers);
}

/**
 * Divides the groups: those that are in no wave, and the waves, which begin with the canaries. Never splits a group; a
 * group that is larger than a wave is a separate wave.
 */
export function wavesOf<Group extends ZoneGroup>(
  all: readonly Group[],
  { size, canaries, aside = new Set() }: WaveSettings,
): { readonly aside: Group[]; readonly waves: Group[][] } {
  const isAside = ({ zones }: Group): boolean => zones.every(({ id }) => aside.has(id));
  const isCanary = ({ zones }: Group): boolean => zones.some(({ id }) => canaries.has(id));
  const groups = all.filter((group) => !isAside(group));
  const first = groups.filter(isCanary);
  const waves = first.length === 0 ? [] : [first];
  let room = 0;
  for (const group of groups.filter((one) => !isCanary(one))) {
    if (group.zones.length > room) {
      waves.push([group]);
      room = size;
    } else waves.at(-1)?.push(group);
    room -= group.zones.length;
  }
  return { aside: all.filter(isAside), waves };
}
