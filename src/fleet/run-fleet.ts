import { describeFailure } from './describe-failure';
import { doneEarlier } from './done-earlier';
import { type Ledger } from './ledger';
import { type ZoneEntry } from './ledger-entry';
import { type FleetZone } from './resolve-zones';

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
  readonly now: () => Date;
  readonly perform: (zone: FleetZone) => Promise<ZoneReport>;
  /** Told of each zone, those of an earlier run first. */
  readonly onZone: (outcome: ZoneOutcome) => void;
}

/** How a zone went, in this run or an earlier one. */
export interface ZoneOutcome extends Pick<
  ZoneEntry,
  'zone' | 'name' | 'outcome' | 'line' | 'result' | 'error'
> {
  /** Done by an earlier run, and taken from the ledger. */
  readonly earlier: boolean;
}

/**
 * Does one thing for many zones, several at a time. A zone that fails stops no other one. Each zone
 * is written to the ledger when it ends, so that a run that was stopped can be picked up.
 * @returns the outcomes in the order of the zones
 * @throws MigrationError `FILE_UNWRITABLE` when the ledger cannot be written: then no zone is begun
 *   any more
 */
export async function runFleet(run: FleetRun): Promise<ZoneOutcome[]> {
  const { stage, request, ledger, now } = run;
  const earlier = run.again ? new Map<string, ZoneEntry>() : doneEarlier(ledger.entries, run);
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
  const pending = run.zones.filter(({ id }) => !earlier.has(id)).values();
  let broken: { readonly cause: unknown } | undefined;
  const work = async (): Promise<void> => {
    for (const zone of pending) {
      const ended = await performOne(run, zone);
      try {
        ledger.append(ended);
      } catch (cause) {
        broken ??= { cause };
      }
      if (broken !== undefined) return;
      tell(ended, false);
    }
  };
  await Promise.all(Array.from({ length: run.concurrency }, work));
  if (broken !== undefined) throw broken.cause;
  const all = run.zones.flatMap(({ id }) => outcomes.get(id) ?? []);
  const failed = all.filter(({ outcome }) => outcome === 'failed').length;
  ledger.append({ event: 'end', stage, request, at: at(now), failed });
  return all;
}

async function performOne(run: FleetRun, { id, name }: FleetZone): Promise<ZoneEntry> {
  const { stage, request, now } = run;
  const head = { event: 'zone', stage, request, zone: id, name } as const;
  try {
    const report = await run.perform({ id, name });
    return { ...head, at: at(now), ...report };
  } catch (error) {
    const told = describeFailure(error);
    return { ...head, at: at(now), outcome: 'failed', line: told.message, error: told };
  }
}

function at(now: () => Date): string {
  return now().toISOString();
}
