import * as z from 'zod';
import { positionOfState } from '../cloudflare/waf-migration';
import { compareTexts, groupBy } from '../core/lists';
import { posixQuote } from '../core/posix-quote';
import { type LedgerEntry, type ZoneEntry } from './ledger';
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
  /** When the zone migrated. */
  readonly migratedAt?: string;
}

const READING = ['check', 'status', 'report', 'fetch-config'];

/** Whether a step does not affect the progress of a zone, because it only reads a migrated zone. */
const isBeside = (stage: string, place: Place | undefined): boolean =>
  place === 'new' && READING.includes(stage);

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
    const state = stateOf(zone, place);
    const migrated = state === 'migrated' ? history.find(showsNew) : undefined;
    return {
      ...zone,
      place,
      state,
      history: history.toReversed(),
      ...(migrated === undefined ? {} : { migratedAt: migrated.at }),
    };
  });
}

const showsNew = ({ stage, outcome }: ZoneEntry): boolean =>
  outcome === 'done' && SHOWS_NEW.includes(stage);

function placeOf(history: readonly ZoneEntry[]): Place | undefined {
  let place: Place | undefined;
  for (const entry of history) {
    // only `finish` switches the legacy WAF off, and it is irreversible
    if (showsNew(entry)) return 'new';
    const { migrationState } = resultSchema.safeParse(entry.result).data ?? {};
    const position = positionOfState(migrationState);
    if (position === 'moved') return 'new';
    if (position === 'validation') place = 'both';
    if (position === 'start') place = 'legacy';
  }
  return place;
}

function stateOf({ stages }: ZoneStanding, place: Place | undefined): ZoneState {
  const relevant = Object.entries(stages)
    .filter(([stage]) => !isBeside(stage, place))
    .map(([, { outcome }]) => outcome);
  if (relevant.includes('failed') || relevant.includes('unknown')) return 'failed';
  if (relevant.includes('attention')) return 'attention';
  if (place === 'new' && !relevant.includes('waiting')) return 'migrated';
  return relevant.includes('done') || place === 'new' ? 'started' : 'waiting';
}

/** Zones whose step failed for the same reason. */
export interface FailureGroup {
  readonly stage: string;
  /** Whether the step only reads migrated zones, and does not affect their progress. */
  readonly isAside: boolean;
  readonly outcome: 'failed' | 'unknown' | 'attention';
  readonly cause: string;
  readonly code?: string;
  readonly hint?: string;
  readonly zones: readonly ZoneStanding[];
  /** The command line of the last run of this step, which resumes it. */
  readonly command?: string;
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
    Object.entries(zone.stages).flatMap(([stage, standing]) => {
      const { outcome, line, error, request } = standing;
      if (outcome === 'done' || outcome === 'waiting') return [];
      const command = commands.get(`${stage} ${request}`);
      const hint = error?.hint ?? manualStep(standing.result);
      const group = {
        ...{ stage, isAside: isBeside(stage, zone.place), outcome, cause: withoutZone(line, zone) },
        ...(error !== undefined && { code: error.code }),
        ...(hint !== undefined && { hint }),
        ...(command !== undefined && { command }),
      };
      const cases = group.code ?? [group.cause, hint];
      return { key: JSON.stringify([group.isAside, outcome, stage, request, cases]), group, zone };
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

const waitingSchema = z.object({
  manual: z.object({
    title: z.string(),
    runs: z.array(z.object({ argv: z.array(z.string()) })).default([]),
  }),
});

/** The manual step that `apply` waits for, with each command on a separate line. */
function manualStep(result: unknown): string | undefined {
  const { manual } = waitingSchema.safeParse(result).data ?? {};
  if (manual === undefined) return undefined;
  const commands = manual.runs.map(({ argv }) => argv.map(posixQuote).join(' '));
  return `${manual.title}${commands.length === 0 ? '' : `:\n${commands.join('\n')}`}`;
}

/** Replaces the zone's id and name, so that lines of different zones can be equal. */
function withoutZone(line: string, { zone, name }: ZoneStanding): string {
  return [`zone ${zone}`, zone, name].reduce((text, own) => text.replaceAll(own, 'the zone'), line);
}
