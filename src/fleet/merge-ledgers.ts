import { compareTexts } from '../model/compare-texts';
import { lastLists } from './last-lists';
import {
  type LedgerEntry,
  type ListedZone,
  type RefusedText,
  type StartEntry,
  type ZoneEntry,
} from './ledger-entry';
import { once } from './refused-entries';
import { zoneLines } from './zone-lines';

type ZoneLine = StartEntry | ZoneEntry;

/**
 * The ledgers of several runs (shards, machines) as one: of each stage and request the last entry of
 * each zone, in the order of the ids. It depends neither on the order of the ledgers nor on who did
 * what, so that four shards come to what one run comes to. What only runs before the last one did stands
 * before it: nobody goes on with that. Pure.
 */
export function mergeLedgers(ledgers: readonly (readonly LedgerEntry[])[]): LedgerEntry[] {
  const runs = new Map<string, LedgerEntry[][]>();
  for (const entries of ledgers) {
    for (const [key, own] of groupByRun(entries)) runs.set(key, [...(runs.get(key) ?? []), own]);
  }
  return [...runs.entries()]
    .sort(([one], [other]) => compareTexts(one, other))
    .flatMap(([, parts]) => mergeRun(parts));
}

function groupByRun(entries: readonly LedgerEntry[]): Map<string, LedgerEntry[]> {
  const groups = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    const key = JSON.stringify([entry.stage, entry.request]);
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}

/** The entries of one stage and request, of each ledger. */
function mergeRun(parts: readonly (readonly LedgerEntry[])[]): LedgerEntry[] {
  const starts = parts.map(startOfLastRun);
  const now = parts.flatMap((part, at) => part.slice(starts[at]));
  const before = parts.flatMap((part, at) => part.slice(0, starts[at]));
  const entries = lastOfEach(parts.map((part, at) => part.slice(starts[at])));
  const known = new Set(entries.map(({ zone }) => zone));
  const earlier = lastOfEach(parts.map((part, at) => part.slice(0, starts[at]))).filter(
    ({ zone }) => !known.has(zone),
  );
  const ended = parts.every((part) => part.at(-1)?.event === 'end');
  const failed = parts.reduce(
    (sum, part, at) => sum + notBegun(part.slice(starts[at])),
    countFailed(entries),
  );
  const last = now
    .map(({ at }) => at)
    .sort()
    .at(-1);
  const [first] = now;
  const lists = parts.flatMap(lastLists);
  const listed = listedBy(lists);
  const isListed = new Set(listed?.map(({ zone }) => zone));
  const unlisted = listedBy(parts.flat())?.filter(({ zone }) => !isListed.has(zone)) ?? [];
  const past = unlisted.length > 0 ? unlisted : undefined;
  return [
    ...(earlier.length > 0 || past !== undefined
      ? beginAndZones(before.length > 0 ? before : now, earlier, past)
      : []),
    ...beginAndZones(now, entries, listed, refusedBy(lists)),
    // a part that has not ended keeps the whole from being taken for one that did all
    ...(ended && first !== undefined
      ? [
          {
            event: 'end',
            stage: first.stage,
            request: first.request,
            at: last ?? first.at,
            failed,
          } as const,
        ]
      : []),
  ];
}

/** Where the run begins that can be gone on with: what stands before it, it has not done. */
function startOfLastRun(part: readonly LedgerEntry[]): number {
  const at = part.findLastIndex((entry, index) => {
    const before = part[index - 1];
    const isAfterAll = before?.event === 'end' && before.failed === 0;
    return isAfterAll || (entry.event === 'begin' && !entry.resumes);
  });
  return Math.max(0, at);
}

/** A run of all these lines, as if it had begun with the first and done the zones by their ids. */
function beginAndZones(
  all: readonly LedgerEntry[],
  zones: readonly ZoneLine[],
  listed?: readonly ListedZone[],
  refused: readonly RefusedText[] = [],
): LedgerEntry[] {
  const [first] = all;
  if (first === undefined) return [];
  const { stage, request } = first;
  const at = all.map((entry) => entry.at).sort()[0] ?? first.at;
  const list = listed === undefined ? {} : { zones: [...listed] };
  const rest = refused.length === 0 ? {} : { refused: [...refused] };
  return [{ event: 'begin', stage, request, at, resumes: false, ...list, ...rest }, ...zones];
}

/** In the order of their texts, which asks for no order of the ledgers. */
function refusedBy(lists: ReturnType<typeof lastLists>): RefusedText[] {
  const all = once(lists.flatMap(({ refused = [] }) => refused));
  return all.sort((one, other) => compareTexts(JSON.stringify(one), JSON.stringify(other)));
}

/** The zones of all lists, in the order of the ids; undefined where no ledger is new enough to have one. */
function listedBy(entries: readonly LedgerEntry[]): ListedZone[] | undefined {
  const lists = entries.flatMap((entry) =>
    entry.event === 'begin' && entry.zones !== undefined ? [entry.zones] : [],
  );
  if (lists.length === 0) return undefined;
  // of two names of a zone the later one in the alphabet: any rule does that asks no order
  const names = lists.flat().map(({ zone, name }) => [zone, name] as const);
  const last = new Map(names.sort(([, one], [, other]) => compareTexts(one, other)));
  return [...last]
    .map(([zone, name]) => ({ zone, name }))
    .sort((one, other) => compareTexts(one.zone, other.zone));
}

function lastOfEach(parts: readonly (readonly LedgerEntry[])[]): ZoneLine[] {
  const zones = new Map<string, ZoneLine>();
  for (const entry of parts.flatMap(zoneLines)) {
    if (isLater(entry, zones.get(entry.zone))) zones.set(entry.zone, entry);
  }
  return [...zones.values()].sort((one, other) => compareTexts(one.zone, other.zone));
}

function countFailed(entries: readonly ZoneLine[]): number {
  return entries.filter((entry) => entry.event === 'zone' && entry.outcome === 'failed').length;
}

/** What a run in waves left beside the zones that failed: there is no entry of zones not begun. */
function notBegun(part: readonly LedgerEntry[]): number {
  const last = part.at(-1);
  return last?.event === 'end' ? Math.max(0, last.failed - countFailed(lastOfEach([part]))) : 0;
}

/** Of the same time the line that comes later in the alphabet: any rule does that asks no order. */
function isLater(entry: ZoneLine, than: ZoneLine | undefined): boolean {
  if (than === undefined) return true;
  return (
    compareTexts(entry.at, than.at) > 0 ||
    (entry.at === than.at && compareTexts(JSON.stringify(entry), JSON.stringify(than)) > 0)
  );
}
