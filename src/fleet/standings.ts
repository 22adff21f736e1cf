import { objectOf } from '../core/json';
import { compareTexts } from '../core/lists';
import {
  type BeginEntry,
  type LedgerEntry,
  type RefusedText,
  STAGES,
  type ZoneEntry,
  type ZoneOutcomeKind,
} from './ledger';
import { type RefusedEntry } from './resolve-zones';

export interface ZoneStanding {
  readonly zone: string;
  readonly name: string;
  readonly stages: Readonly<Record<string, StageStanding>>;
}

export interface StageStanding extends Pick<
  ZoneEntry,
  'line' | 'at' | 'request' | 'result' | 'error'
> {
  readonly outcome: ZoneOutcomeKind;
  /** The command line of the last run of the stage and request, which resumes it. */
  readonly command?: string | undefined;
}

/**
 * Returns the last results of each zone, sorted by name. A zone is `waiting` if the last run of a stage and request
 * listed it, but no run started it; `unknown` if its run was interrupted or is still active. Another plan replaces the
 * results of the runs of an earlier one. Pure.
 */
export function zoneStandings(entries: readonly LedgerEntry[]): ZoneStanding[] {
  const begins = entries.filter((entry) => entry.event === 'begin');
  const keyOf = (...run: readonly string[]): string => JSON.stringify(run);
  const last = new Map(begins.map((one) => [keyOf(one.stage, one.request), one]));
  const zones = new Map<string, { name: string; stages: Map<string, StageStanding> }>();
  const tell = (stage: string, zone: ListedZone, standing: StageStanding): void => {
    const { stages } = zones.get(zone.zone) ?? { stages: new Map<string, StageStanding>() };
    // the runs of an earlier plan say nothing about another one
    const isPlan = stage === 'plan' && ['done', 'attention'].includes(standing.outcome);
    const digest = digestOf(standing);
    for (const later of isPlan ? ['rehearse', 'apply', 'verify'] : []) {
      const run = stages.get(later);
      const isOfPlan = digest !== undefined && digestOf(run) === digest;
      if (run !== undefined && run.at < standing.at && !isOfPlan) stages.delete(later);
    }
    const command = last.get(keyOf(stage, standing.request))?.command;
    zones.set(zone.zone, { name: zone.name, stages: stages.set(stage, { ...standing, command }) });
  };
  for (const { stage, request, at, zones: listed } of last.values()) {
    const line = `listed by the run of ${at}, and not started`;
    for (const zone of listed) tell(stage, zone, { request, at, outcome: 'waiting', line });
  }
  for (const entry of entries) {
    if (entry.event === 'start') {
      const line = `started at ${entry.at}, and its end is not recorded: if no run is active, the same command detects the result`;
      const { stage, at, request } = entry;
      tell(stage, entry, { at, request, outcome: 'unknown', line });
    } else if (entry.event === 'zone') {
      const { stage, at, request, outcome, line, result, error } = entry;
      tell(stage, entry, { at, request, outcome, line, result, error });
    }
  }
  return [...zones]
    .map(([zone, { name, stages }]) => ({
      ...{ zone, name },
      stages: Object.fromEntries([...stages].filter((one) => isCurrent(one, stages))),
    }))
    .sort(
      (one, other) => byNumber.compare(one.name, other.name) || compareTexts(one.zone, other.zone),
    );
}

/** Sorts zone-9 before zone-10. */
const byNumber = new Intl.Collator('en', { numeric: true });

/** Identifies the plan of a result; a run that failed has none. */
const digestOf = (standing?: StageStanding): unknown => objectOf(standing?.result)['digest'];

type ListedZone = Pick<ZoneEntry, 'zone' | 'name'>;

const OUT_OF_DATE = [
  'CONFIG_CHANGED',
  'STATE_CHANGED',
  'RULESET_NOT_LIVE',
  'METHOD_UNSUITABLE',
  'PLAN_INVALID',
];

/** Whether a result of a plan's run is an error that requires a new plan. */
export function isOutOfDate({ error }: Pick<ZoneEntry, 'error'>): boolean {
  return error !== undefined && OUT_OF_DATE.includes(error.code);
}

/**
 * Returns the command that resumes `apply`, by the id of each zone whose last `apply` has one of these outcomes; by
 * default it started and did not end. Pure.
 */
export function unfinishedApplies(
  entries: readonly LedgerEntry[],
  outcomes: readonly ZoneOutcomeKind[] = ['unknown'],
): ReadonlyMap<string, string> {
  return new Map(
    zoneStandings(entries).flatMap(({ zone, stages: { apply } }) =>
      apply?.command !== undefined && outcomes.includes(apply.outcome)
        ? [[zone, apply.command] as const]
        : [],
    ),
  );
}

/** Earlier blockers and open steps do not apply to a migrated zone. */
function isCurrent(
  [stage, { outcome, at }]: [string, StageStanding],
  stages: ReadonlyMap<string, StageStanding>,
): boolean {
  return (
    outcome === 'done' ||
    ![...stages].some(
      ([other, end]) =>
        STAGES.get(other)?.showsNew === true &&
        compareStages(stage, other) < 0 &&
        end.outcome === 'done' &&
        at <= end.at,
    )
  );
}

export function stagesOf(zones: readonly ZoneStanding[]): string[] {
  return [...new Set(zones.flatMap(({ stages }) => Object.keys(stages)))].sort(compareStages);
}

const OUTCOME_ORDER = ['done', 'attention', 'failed', 'unknown', 'waiting'] as const;

export function stageCounts(zones: readonly ZoneStanding[]): string[] {
  return stagesOf(zones).map((stage) => {
    const counts = OUTCOME_ORDER.map((outcome) => {
      const count = zones.filter(({ stages }) => stages[stage]?.outcome === outcome).length;
      return count === 0 ? '' : `${count} ${outcome}`;
    });
    return `${stage}: ${counts.filter(Boolean).join(', ')}`;
  });
}

/** Compares stages in the order of the migration; unknown ones come last. */
function compareStages(one: string, other: string): number {
  const order = [...STAGES.keys()];
  const rankOf = (stage: string): number =>
    STAGES.has(stage) ? order.indexOf(stage) : STAGES.size;
  return rankOf(one) - rankOf(other) || compareTexts(one, other);
}

export type StageRefusal = RefusedText & Pick<BeginEntry, 'stage'>;

export function describeRefused({ line, text, error }: RefusedEntry): RefusedText {
  const { code, message, hint } = error;
  return { line, text, error: { code, message, hint } };
}

/** Returns the refused entries of the last run of each stage. Pure. */
export function refusedEntries(entries: readonly LedgerEntry[]): StageRefusal[] {
  const last = new Map<string, BeginEntry>();
  for (const entry of entries) if (entry.event === 'begin') last.set(entry.stage, entry);
  return [...last.values()].flatMap(({ stage, refused = [] }) =>
    refused.map((one) => ({ stage, ...one })),
  );
}
