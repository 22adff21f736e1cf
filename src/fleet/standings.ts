import { compareTexts } from '../core/lists';
import { counted } from '../core/printable';
import {
  type BeginEntry,
  type LedgerEntry,
  type RefusedText,
  type StartEntry,
  type ZoneEntry,
  type ZoneOutcomeKind,
} from './ledger';
import { type RefusedEntry } from './resolve-zones';

/** Where a zone stands: the last entry of each stage. */
export interface ZoneStanding {
  readonly zone: string;
  readonly name: string;
  readonly stages: Readonly<Record<string, StageStanding>>;
}

/** How a zone fared last at one stage. */
export interface StageStanding extends Pick<
  ZoneEntry,
  'line' | 'at' | 'request' | 'result' | 'error'
> {
  /** `unknown`: it was begun, and nothing says how it ended. */
  readonly outcome: ZoneOutcomeKind | 'unknown';
}

/** How a zone stands at one stage, by one line of the ledger. */
interface Told extends StageStanding, Pick<ZoneEntry, 'zone' | 'name' | 'stage'> {}

/**
 * Where each zone of a ledger stands, in the order of names. A zone that the last run of
 * a stage and request listed and that no run has begun at that stage is `waiting`. Pure.
 */
export function zoneStandings(entries: readonly LedgerEntry[]): ZoneStanding[] {
  const zones = new Map<string, { name: string; stages: Map<string, StageStanding> }>();
  const begins = entries.filter((entry) => entry.event === 'begin');
  for (const { zone, name, stage, ...told } of [
    ...lastOfRequests(begins).flatMap(listed),
    ...zoneLines(entries).map(begunOrDone),
  ]) {
    const known = zones.get(zone) ?? { name, stages: new Map<string, StageStanding>() };
    known.stages.set(stage, told);
    zones.set(zone, { ...known, name });
  }
  for (const { stages } of zones.values()) {
    const [check, finish] = [stages.get('check'), stages.get('finish')];
    if (check === undefined || check.outcome === 'done') continue;
    // what kept a zone from moving no longer holds once it has moved
    if (finish?.outcome === 'done' && check.at <= finish.at) stages.delete('check');
  }
  return [...zones.entries()]
    .map(([zone, { name, stages }]) => ({ zone, name, stages: Object.fromEntries(stages) }))
    .sort((one, other) => (one.name + one.zone < other.name + other.zone ? -1 : 1));
}

/** The stages that any of the zones has, in the order in which a zone goes through them. Pure. */
export function stagesOf(zones: readonly ZoneStanding[]): string[] {
  return [...new Set(zones.flatMap(({ stages }) => Object.keys(stages)))].sort(compareStages);
}

/** For each stage that runs never came to the end of, how many zones wait for it, in one line. Pure. */
export function waitingZones(zones: readonly ZoneStanding[]): string[] {
  const waiting = zones.flatMap(({ stages }) =>
    Object.entries(stages).flatMap(([stage, { outcome }]) => (outcome === 'waiting' ? stage : [])),
  );
  return [...new Set(waiting)].sort(compareStages).map((stage) => {
    const count = waiting.filter((one) => one === stage).length;
    return `${stage}: ${counted(count, 'zone')} not begun; ${wayOn(stage)}`;
  });
}

const OUTCOMES = ['done', 'attention', 'failed', 'unknown', 'waiting'] as const;

/** For each stage how many zones stand how, in one line and in the words of the table. Pure. */
export function stageCounts(zones: readonly ZoneStanding[]): string[] {
  return stagesOf(zones).map((stage) => {
    const counts = OUTCOMES.map((outcome) => {
      const count = zones.filter(({ stages }) => stages[stage]?.outcome === outcome).length;
      return count === 0 ? '' : `${count} ${outcome}`;
    });
    return `${stage}: ${counts.filter(Boolean).join(', ')}`;
  });
}

/** The last run of each stage and request: its list replaces the earlier ones. */
function lastOfRequests(begins: readonly BeginEntry[]): BeginEntry[] {
  const last = new Map(begins.map((one) => [JSON.stringify([one.stage, one.request]), one]));
  return [...last.values()];
}

function listed({ stage, request, at, zones }: BeginEntry): Told[] {
  const line = `not begun by the run of ${at}, which had it on its list`;
  return zones.map((zone) => ({ ...zone, stage, request, at, outcome: 'waiting', line }));
}

function begunOrDone(entry: StartEntry | ZoneEntry): Told {
  const { zone, name, stage, at, request } = entry;
  const head = { zone, name, stage, at, request };
  if (entry.event === 'start') {
    const line = `begun at ${at}, and nothing says how it ended: where no run is under way, the same command finds out`;
    return { ...head, outcome: 'unknown', line };
  }
  const { outcome, line, result, error } = entry;
  return { ...head, outcome, line, ...(error === undefined ? { result } : { error }) };
}

/**
 * The lines of zones that still count, in their order: all of how a zone ended, and of those that say that it
 * was begun the ones that no end follows. Such a run goes on still, or was stopped. Pure.
 */
function zoneLines(entries: readonly LedgerEntry[]): (StartEntry | ZoneEntry)[] {
  const lines = new Set<StartEntry | ZoneEntry>();
  const begun = new Map<string, StartEntry>();
  for (const entry of entries) {
    if (entry.event !== 'start' && entry.event !== 'zone') continue;
    const key = JSON.stringify([entry.stage, entry.request, entry.zone]);
    const before = begun.get(key);
    if (before !== undefined) lines.delete(before);
    if (entry.event === 'start') begun.set(key, entry);
    else begun.delete(key);
    lines.add(entry);
  }
  return [...lines];
}

/** The commands in the order in which a zone goes through them. */
const WAY = [
  'check',
  'fetch-config',
  'generate',
  'finish',
  'status',
  'report',
  'plan',
  'rehearse',
  'apply',
  'verify',
];

/** Compares two stages of a ledger by the way of a zone; what is not known comes last. */
function compareStages(one: string, other: string): number {
  return place(one) - place(other) || compareTexts(one, other);
}

function place(stage: string): number {
  const at = WAY.indexOf(stage);
  return at === -1 ? WAY.length : at;
}

/** Whether a stage takes nothing of an earlier run for granted: who verifies wants to know how things stand now. */
export function asksAnew(stage: string): boolean {
  return stage === 'verify';
}

/** What the command of a stopped run does when it is run again. */
export function wayOn(stage: string): string {
  return asksAnew(stage)
    ? 'the same command does all anew'
    : 'the same command goes on with what is left';
}

/** An entry of the list of a stage that was no zone of it. */
export interface StageRefusal extends RefusedText {
  readonly stage: string;
}

/** What is written of an entry that is no zone of a run. */
export function describeRefused({ line, text, error }: RefusedEntry): RefusedText {
  const { code, message, hint } = error;
  return { line, text, error: { code, message, hint } };
}

/** The refused entries of the list of the last run of each stage. Pure. */
export function refusedEntries(entries: readonly LedgerEntry[]): StageRefusal[] {
  const last = new Map<string, BeginEntry>();
  for (const entry of entries) if (entry.event === 'begin') last.set(entry.stage, entry);
  return [...last.values()].flatMap(({ stage, refused = [] }) =>
    refused.map((one) => ({ stage, ...one })),
  );
}
