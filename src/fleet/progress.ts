import * as z from 'zod';
import { positionOfState } from '../cloudflare/waf-migration';
import { compareTexts } from '../core/lists';
import { posixQuote } from '../core/posix-quote';
import { type LedgerEntry, type ZoneEntry } from './ledger';
import { compareStages, type StageStanding, type ZoneStanding, zoneStandings } from './standings';

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

/** Steps that succeed only if the new WAF is on. */
const SHOWS_NEW = ['finish', 'apply', 'verify'];

const resultSchema = z.object({ migrationState: z.string() });

/** Returns the progress of all zones of a ledger. Pure. */
export function fleetProgress(entries: readonly LedgerEntry[]): ZoneProgress[] {
  const histories = new Map<string, ZoneEntry[]>();
  for (const entry of entries) {
    if (entry.event !== 'zone') continue;
    const own = histories.get(entry.zone);
    if (own === undefined) histories.set(entry.zone, [entry]);
    else own.push(entry);
  }
  return zoneStandings(entries).map((zone) => {
    const history = histories.get(zone.zone) ?? [];
    const place = placeOf(history);
    const state = stateOf(zone, place);
    const [migrated] = history.filter(showsNew);
    return {
      ...zone,
      place,
      state,
      history: history.toReversed(),
      ...(state === 'migrated' && migrated !== undefined ? { migratedAt: migrated.at } : {}),
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
    .filter(([stage, standing]) => !isSuperseded(stage, standing, stages))
    .map(([, { outcome }]) => outcome);
  if (relevant.includes('failed') || relevant.includes('unknown')) return 'failed';
  if (relevant.includes('attention')) return 'attention';
  if (place === 'new' && !relevant.includes('waiting')) return 'migrated';
  return relevant.includes('done') || place === 'new' ? 'started' : 'waiting';
}

/** Whether a later step has ended since. */
function isSuperseded(
  stage: string,
  { at }: StageStanding,
  stages: ZoneStanding['stages'],
): boolean {
  return Object.entries(stages).some(
    ([other, standing]) =>
      SHOWS_NEW.includes(other) &&
      standing.outcome !== 'waiting' &&
      standing.at >= at &&
      compareStages(stage, other) < 0,
  );
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
  const commands = new Map<string, string>();
  for (const entry of entries) {
    if (entry.event === 'begin' && entry.command !== undefined) {
      commands.set(`${entry.stage} ${entry.request}`, entry.command);
    }
  }
  const groups = new Map<string, FailureGroup & { readonly zones: ZoneStanding[] }>();
  for (const zone of zones) {
    for (const [stage, standing] of Object.entries(zone.stages)) {
      const { outcome, line, error, request } = standing;
      if (outcome === 'done' || outcome === 'waiting') continue;
      if (isSuperseded(stage, standing, zone.stages)) continue;
      const cause = withoutZone(line, zone);
      const isAside = isBeside(stage, zone.place);
      const hint = error?.hint ?? manualStep(standing.result);
      const cases = error?.code ?? [cause, hint];
      const key = JSON.stringify([isAside, outcome, stage, request, cases]);
      const group = groups.get(key);
      if (group !== undefined) {
        group.zones.push(zone);
        continue;
      }
      const command = commands.get(`${stage} ${request}`);
      groups.set(key, {
        ...{ stage, isAside, outcome, cause, zones: [zone] },
        ...(error === undefined ? {} : { code: error.code }),
        ...(hint === undefined ? {} : { hint }),
        ...(command === undefined ? {} : { command }),
      });
    }
  }
  const order = ['failed', 'unknown', 'attention'];
  return [...groups.values()].sort(
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
const withoutZone = (line: string, { zone, name }: ZoneStanding): string =>
  line
    .replaceAll(`zone ${zone}`, 'the zone')
    .replaceAll(zone, 'the zone')
    .replaceAll(name, 'the zone');
