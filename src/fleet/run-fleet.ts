import { describeFailure } from './describe-failure';
import { doneEarlier } from './done-earlier';
import { type Ledger } from './ledger';
import { type ZoneEntry } from './ledger-entry';
import { type FleetZone } from './resolve-zones';
import { type Waves, wavesOf } from './waves';

/** How one zone went, unless it failed. */
export interface ZoneReport {
  readonly outcome: 'done' | 'attention';
  /** One line for people. */
  readonly line: string;
  /** The JSON of the command. */
  readonly result: unknown;
}

/** What is done for many zones. */
export interface FleetRun {
  readonly stage: string;
  /** What else decides the result: two runs that differ here do not pick each other up. */
  readonly request: string;
  readonly zones: readonly FleetZone[];
  readonly ledger: Ledger;
  /** How many zones at a time. */
  readonly concurrency: number;
  /** Do all zones, also those that an earlier run did. */
  readonly again: boolean;
  /** For what cannot be undone: a zone that is not done raises an alarm, and no other is begun. */
  readonly waves?: Waves | undefined;
  readonly now: () => Date;
  readonly perform: (zone: FleetZone) => Promise<ZoneReport>;
  /** Told of each zone, those of an earlier run first. */
  readonly onZone: (outcome: ZoneOutcome) => void;
}

/** How a zone went, in this run or an earlier one. */
export interface ZoneOutcome extends Pick<
  ZoneEntry,
  'zone' | 'name' | 'line' | 'result' | 'error'
> {
  /** `waiting`: an alarm stopped the run before this zone was begun. */
  readonly outcome: ZoneEntry['outcome'] | 'waiting';
  /** Done by an earlier run, and taken from the ledger. */
  readonly earlier: boolean;
}

/**
 * Does one thing for many zones, several at a time. A zone that fails stops no other one, unless it
 * goes in waves: then those that are under way end, and no other one is begun. Each zone
 * is written to the ledger when it ends, so that a run that was stopped can be picked up.
 * @returns the outcomes in the order of the zones
 * @throws MigrationError `FILE_UNWRITABLE` when the ledger cannot be written: then no zone is begun
 *   any more
 */
export async function runFleet(run: FleetRun): Promise<ZoneOutcome[]> {
  const { stage, request, ledger, now } = run;
  const earlier = run.again
    ? new Map<string, ZoneEntry>()
    : doneEarlier(ledger.entries, { stage, request, onlyDone: run.waves !== undefined });
  const outcomes = new Map<string, ZoneOutcome>();
  const tell = (entry: ZoneEntry, isEarlier: boolean): void => {
    const { zone, name, outcome, line, result, error } = entry;
    const known = { zone, name, outcome, line, earlier: isEarlier };
    const told = error === undefined ? { ...known, result } : { ...known, error };
    outcomes.set(zone, told);
    run.onZone(told);
  };
  ledger.append({ event: 'begin', stage, request, at: at(now), resumes: earlier.size > 0 });
  for (const { id } of run.zones) {
    const entry = earlier.get(id);
    if (entry !== undefined) tell(entry, true);
  }
  const pending = run.zones.filter(({ id }) => !earlier.has(id));
  const halt: { broken?: { readonly cause: unknown }; alarm: boolean } = { alarm: false };
  const doOne = async (zone: FleetZone): Promise<void> => {
    const ended = await performOne(run, zone);
    try {
      ledger.append(ended);
    } catch (cause) {
      halt.broken ??= { cause };
      return;
    }
    if (run.waves !== undefined && ended.outcome !== 'done') halt.alarm = true;
    tell(ended, false);
  };
  const waves = run.waves === undefined ? [pending] : wavesOf(pending, run.waves);
  for (const [index, wave] of waves.entries()) {
    if (index > 0) await run.waves?.pause();
    const rest = wave.values();
    const work = async (): Promise<void> => {
      while (halt.broken === undefined && !halt.alarm) {
        const { value: zone, done } = rest.next();
        if (done === true) return;
        await doOne(zone);
      }
    };
    await Promise.all(Array.from({ length: run.concurrency }, work));
    if (halt.alarm || halt.broken !== undefined) break;
  }
  if (halt.broken !== undefined) throw halt.broken.cause;
  const all = run.zones.map(({ id, name }) => outcomes.get(id) ?? notBegun(id, name));
  const open = run.waves === undefined ? ['failed'] : ['failed', 'attention', 'waiting'];
  const failed = all.filter(({ outcome }) => open.includes(outcome)).length;
  ledger.append({ event: 'end', stage, request, at: at(now), failed });
  return all;
}

function notBegun(zone: string, name: string): ZoneOutcome {
  const line = 'not begun: another zone has raised an alarm';
  return { zone, name, outcome: 'waiting', line, earlier: false };
}

async function performOne(run: FleetRun, listed: FleetZone): Promise<ZoneEntry> {
  const { stage, request, now } = run;
  const { id, name } = listed;
  const head = { event: 'zone', stage, request, zone: id, name } as const;
  try {
    const report = await run.perform(listed);
    return { ...head, at: at(now), ...report };
  } catch (error) {
    const told = describeFailure(error);
    return { ...head, at: at(now), outcome: 'failed', line: told.message, error: told };
  }
}

function at(now: () => Date): string {
  return now().toISOString();
}
