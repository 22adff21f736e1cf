import * as z from 'zod';
import { positionOfState } from '../cloudflare/waf-migration';
import { compareTexts, groupBy } from '../core/lists';
import { type LedgerEntry, type ZoneEntry } from './ledger';
import { type SameRun } from './resume';
import { SHOWS_NEW, type ZoneStanding, zoneStandings } from './standings';

/** Which WAF a zone has, according to its last successful step; undefined if no step shows it. */
type Place = 'legacy' | 'both' | 'new';

/** The progress of a zone, exactly one of these. */
export type ZoneState = 'failed' | 'attention' | 'started' | 'waiting' | 'migrated';

/** The progress of one zone. */
export interface ZoneProgress extends ZoneStanding {
  readonly place: Place | undefined;
  readonly state: ZoneState;
  /** The finished steps, latest first. */
  readonly history: readonly ZoneEntry[];
}

const READING = ['check', 'status', 'report', 'fetch-config'];

/** The last results that count: steps that only read a migrated zone do not affect its progress. */
const relevantStages = ({ stages }: ZoneStanding, place: Place | undefined) =>
  Object.entries(stages).filter(([stage]) => place !== 'new' || !READING.includes(stage));

const resultSchema = z.object({ migrationState: z.string() });

/** Returns the progress of all zones of a ledger. Pure. */
export function fleetProgress(entries: readonly LedgerEntry[]): ZoneProgress[] {
  const histories = groupBy(
    entries.flatMap((entry) => (entry.event === 'zone' ? entry : [])),
    ({ zone }) => zone,
  );
  return zoneStandings(entries).map((zone) => {
    const history: readonly ZoneEntry[] = histories.get(zone.zone) ?? [];
    const place = placeOf(history);
    return { ...zone, place, state: stateOf(zone, place), history: history.toReversed() };
  });
}

function placeOf(history: readonly ZoneEntry[]): Place | undefined {
  let place: Place | undefined;
  for (const { stage, outcome, result } of history) {
    // only `finish` switches the legacy WAF off, and it is irreversible
    if (outcome === 'done' && SHOWS_NEW.includes(stage)) return 'new';
    const { migrationState } = resultSchema.safeParse(result).data ?? {};
    const position = positionOfState(migrationState);
    if (position === 'moved') return 'new';
    if (position === 'validation') place = 'both';
    if (position === 'start') place = 'legacy';
  }
  return place;
}

function stateOf(zone: ZoneStanding, place: Place | undefined): ZoneState {
  const relevant = relevantStages(zone, place).map(([, { outcome }]) => outcome);
  if (relevant.includes('failed') || relevant.includes('unknown')) return 'failed';
  if (relevant.includes('attention')) return 'attention';
  if (place === 'new' && !relevant.includes('waiting')) return 'migrated';
  return relevant.includes('done') || place === 'new' ? 'started' : 'waiting';
}

/** Zones whose step failed for the same reason. */
export interface FailureGroup extends SameRun {
  readonly outcome: 'failed' | 'unknown' | 'attention';
  readonly cause: string;
  readonly code: string | undefined;
  readonly hint: string | undefined;
  /** Each with its own message: the code can be the same for several causes. */
  readonly zones: readonly { readonly name: string; readonly cause: string }[];
  /** The command line of the last run of this step, which resumes it. */
  readonly command: string | undefined;
}

/** Groups open steps by their cause: failures first, then the largest group. Pure. */
export function failureGroups(
  zones: readonly ZoneProgress[],
  entries: readonly LedgerEntry[],
): FailureGroup[] {
  const commands = new Map(
    entries.flatMap((entry) =>
      entry.event === 'begin' ? [[`${entry.stage} ${entry.request}`, entry.command] as const] : [],
    ),
  );
  const open = zones.flatMap((zone) =>
    relevantStages(zone, zone.place).flatMap(([stage, { outcome, line, error, request }]) => {
      if (outcome === 'done' || outcome === 'waiting') return [];
      const cause = withoutZone(line, zone);
      const { code, hint } = error ?? {};
      const command = commands.get(`${stage} ${request}`);
      const group = { stage, request, outcome, cause, code, hint, command };
      return {
        key: JSON.stringify([outcome, stage, request, code ?? cause]),
        group,
        zone: { name: zone.name, cause },
      };
    }),
  );
  const order = ['failed', 'unknown', 'attention'];
  return [...groupBy(open, ({ key }) => key).values()]
    .map((all) => ({ ...all[0].group, zones: all.map(({ zone }) => zone) }))
    .sort(
      (one, other) =>
        order.indexOf(one.outcome) - order.indexOf(other.outcome) ||
        other.zones.length - one.zones.length ||
        compareTexts(one.stage, other.stage),
    );
}

/** Replaces the zone's id and name, so that lines of different zones can be equal. */
function withoutZone(line: string, { zone, name }: ZoneStanding): string {
  const own = [`zone ${zone}`, zone, name].map((text) => text.replaceAll('.', '\\.')).join('|');
  // not in a path
  return line.replace(new RegExp(`(?<![\\w./-])(?:${own})(?![\\w/-]|\\.\\w)`, 'g'), 'the zone');
}
