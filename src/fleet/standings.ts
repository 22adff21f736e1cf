import { positionOfState } from '../cloudflare/waf-migration';
import { type Finding, isOpenFinding } from '../core/finding';
import { compareTexts } from '../core/lists';
import { counted, grouped } from '../core/printable';
import {
  type LedgerEntry,
  readFindings,
  readResult,
  type ResultFields,
  type RefusedText,
  STAGES,
  type ZoneEntry,
  type ZoneOutcomeKind,
} from './ledger';
import { applyOfPlan, type StageStanding, zoneResults } from './zone-results';

/** How far a zone is, the most urgent first. `started`: steps are done, more follow. */
export const ZONE_STATES = ['failed', 'attention', 'started', 'waiting', 'migrated'] as const;
export type ZoneState = (typeof ZONE_STATES)[number];

export interface ZoneStanding {
  readonly zone: string;
  readonly name: string;
  readonly state: ZoneState;
  /** Whether the legacy WAF is off, whatever later steps have found. */
  readonly isMigrated: boolean;
  /** The last results that count. */
  readonly stages: Readonly<Record<string, StageStanding>>;
}

/**
 * Returns the last results of each zone, sorted by name. A zone is `waiting` if the last run of a stage, request and list
 * has it, but no run started it; `unknown` if its run was interrupted or is still active. Another plan replaces the
 * results of the runs of an earlier one. Pure.
 */
export function zoneStandings(entries: readonly LedgerEntry[]): ZoneStanding[] {
  const migrated = new Set(
    entries.flatMap((entry) => (entry.event === 'zone' && showsMigrated(entry) ? entry.zone : [])),
  );
  return [...zoneResults(entries)]
    .map(([zone, { name, stages: all }]): ZoneStanding => {
      const isMigrated = migrated.has(zone);
      const stages = currentStages(all, isMigrated);
      return { zone, name, state: stateOf(stages, isMigrated), isMigrated, stages };
    })
    .sort(
      (one, other) => byNumber.compare(one.name, other.name) || compareTexts(one.zone, other.zone),
    );
}

/** Compares zones by their states, the most urgent first. */
export const byUrgency = (one: ZoneStanding, other: ZoneStanding): number =>
  ZONE_STATES.indexOf(one.state) - ZONE_STATES.indexOf(other.state);

/** Sorts zone-9 before zone-10. */
const byNumber = new Intl.Collator('en', { numeric: true });

const OUT_OF_DATE = [
  'CONFIG_CHANGED',
  'STATE_CHANGED',
  'RULESET_NOT_LIVE',
  'METHOD_UNSUITABLE',
  'PLAN_INVALID',
];

/** Whether a result of a plan's run requires a new plan. */
export function isOutOfDate({ error, result }: Pick<ZoneEntry, 'error' | 'result'>): boolean {
  return error === undefined ? readResult({ result }).outdated : OUT_OF_DATE.includes(error.code);
}

export interface UnfinishedApply {
  readonly outcome: ZoneOutcomeKind;
  /** The file of the plan that it ran; empty if the ledger does not have it. */
  readonly plan: string;
  /** The command that resumes it. */
  readonly command: string;
  /** The command that resumes it for the plan of the zone only, if the ledger has the plan. */
  readonly ofPlan: string | undefined;
  /** The manual step that it has reached. */
  readonly waitsAt: ResultFields['manual'];
}

/**
 * The last `apply` of each zone, by its id, if it was interrupted, waits or failed. Pure.
 * @param isOpen whether a run of a plan can be resumed; default: each
 */
export function unfinishedApplies(
  entries: readonly LedgerEntry[],
  isOpen: (apply: StageStanding, plan: ResultFields) => boolean = () => true,
): ReadonlyMap<string, UnfinishedApply> {
  // the last one that was saved: a later `plan` can have failed
  const plans = new Map(
    entries.flatMap((one) =>
      one.event === 'zone' && one.stage === 'plan' && readResult(one).plan !== ''
        ? [[one.zone, one] as const]
        : [],
    ),
  );
  return new Map(
    zoneStandings(entries).flatMap(({ zone, stages: { apply } }) => {
      if (apply?.command === undefined) return [];
      const { command, outcome } = apply;
      if (outcome !== 'unknown' && outcome !== 'attention' && outcome !== 'failed') return [];
      const saved = plans.get(zone);
      const own = readResult(apply);
      const ran = own.plan === '' ? readResult(saved) : own;
      if (!isOpen(apply, ran)) return [];
      const { plan } = ran;
      return [[zone, { outcome, plan, command, ofPlan: applyOfPlan(saved), waitsAt: own.manual }]];
    }),
  );
}

/** Only `finish` switches the legacy WAF off, and it is irreversible. */
function showsMigrated(entry: ZoneEntry): boolean {
  const { stage, outcome } = entry;
  const { migrationState, moved } = readResult(entry);
  const isMoved = moved || positionOfState(migrationState) === 'moved';
  return isMoved || (outcome === 'done' && STAGES.get(stage)?.showsNew === true);
}

/**
 * The results that still count. A step that needed attention is done once the zone is further, and one without a result
 * no longer counts. A step that is done needs attention if it generated a stack before the migration.
 */
function currentStages(
  stages: ReadonlyMap<string, StageStanding>,
  isMigrated: boolean,
): ZoneStanding['stages'] {
  const showingNew = [...stages].filter(
    ([stage, { outcome }]) => outcome === 'done' && STAGES.get(stage)?.showsNew === true,
  );
  const current = [...stages].flatMap(([stage, standing]): [string, StageStanding][] => {
    const later = showingNew.flatMap(([other, { at }]) =>
      compareStages(stage, other) < 0 && standing.at <= at ? other : [],
    );
    const done = { ...standing, outcome: 'done' as const };
    if (stage === 'generate' && isMigrated && isProvisional(standing, later))
      return [[stage, { ...standing, outcome: 'attention', line: PROVISIONAL }]];
    if (stage === 'generate' && lacksWafAsBefore(standing, stages.get('finish')))
      return [[stage, done]];
    // that a migrated zone could not be read does not matter
    const isOver = later.length > 0 || (showingNew.length > 0 && isUnread(stage, standing));
    if (!isOver) return [[stage, standing]];
    return hasPassed(stage, standing) ? [[stage, done]] : [];
  });
  return Object.fromEntries(current);
}

/**
 * Whether a stack was generated before the migration, and no plan was applied or verified with it.
 * @param later the later stages that show the new WAF
 */
const isProvisional = (generated: StageStanding, later: readonly string[]): boolean =>
  readResult(generated).source === 'config' && later.every((stage) => stage === 'finish');

const isUnread = (stage: string, { outcome }: StageStanding): boolean =>
  outcome !== 'attention' && STAGES.get(stage)?.reads === true;

/** Whether a stage that is over counts as done. A zone that a blocker kept from being reported has no report. */
function hasPassed(stage: string, standing: StageStanding): boolean {
  if (standing.outcome !== 'attention') return standing.outcome === 'done';
  return stage !== 'report' || readResult(standing).files.length > 0;
}

/** Whether a stack needs attention only because the zone has no WAF, which `finish` found expected. */
const lacksWafAsBefore = (generated: StageStanding, finish?: StageStanding): boolean =>
  generated.outcome === 'attention' &&
  finish?.outcome === 'done' &&
  allFindings(finish).some(isLackOfWaf) &&
  openFindings(generated).every(isLackOfWaf);

const isLackOfWaf = ({ code }: Finding): boolean => code === 'ZONE_UNPROTECTED';

const PROVISIONAL = 'its stack is provisional, and the zone has migrated: generate it again';

function stateOf(stages: ZoneStanding['stages'], isMigrated: boolean): ZoneState {
  const outcomes = Object.values(stages).map(({ outcome }) => outcome);
  if (outcomes.includes('failed') || outcomes.includes('unknown')) return 'failed';
  if (outcomes.includes('attention')) return 'attention';
  const isToApply = isPlanned(stages) && !isApplied(stages);
  if (isMigrated && !outcomes.includes('waiting') && !isToApply) return 'migrated';
  return outcomes.includes('done') || isMigrated ? 'started' : 'waiting';
}

/** Whether a zone has a plan that changes something; `plan` for one state writes no ledger. */
function isPlanned(stages: ZoneStanding['stages']): boolean {
  const { plan, rehearse } = stages;
  if (isApplied(stages)) return true;
  return plan ? plan.outcome !== 'done' || readResult(plan).ready : rehearse !== undefined;
}

const isApplied = ({ apply, verify }: ZoneStanding['stages']): boolean =>
  apply?.outcome === 'done' || verify?.outcome === 'done';

/** How many zones have the new WAF, and how many have their plan applied. */
export function describeProgress(zones: readonly ZoneStanding[]): string {
  const planned = zones.filter(({ stages }) => isPlanned(stages));
  const { length: applied } = planned.filter(({ stages }) => isApplied(stages));
  const { length: migrated } = zones.filter(({ isMigrated }) => isMigrated);
  const waf = `New WAF: ${grouped(migrated)} of ${counted(zones.length, 'zone')}.`;
  if (planned.length === 0) return waf;
  return `${waf} Terraform: ${grouped(applied)} of ${grouped(planned.length)} applied.`;
}

/** Whether a step found no WAF on; a plan also has the findings of its other zones. */
export const isUnprotected = ({ zone, stages }: ZoneStanding): boolean =>
  Object.values(stages)
    .flatMap(allFindings)
    .some((one) => isLackOfWaf(one) && one.subject === zone);

/** The steps of a zone that failed, have no result or need attention. */
export const openStages = ({ stages }: ZoneStanding): [string, StageStanding][] =>
  Object.entries(stages).filter(([, { outcome }]) => outcome !== 'done' && outcome !== 'waiting');

/** The command that repeats a step; none if it read its zones from standard input, which cannot be read again. */
export const commandToRepeat = ({ command = '' }: Pick<StageStanding, 'command'>): string[] =>
  command === '' || / --zones[ =]-( |$)/.test(command) ? [] : [command];

interface Failure extends Pick<ZoneEntry, 'result'> {
  readonly error?: RefusedText['error'] | undefined;
}

/** The findings of a result, or of an error. */
function allFindings(one: Failure): Finding[] {
  const recorded = one.error?.findings;
  return recorded ? readFindings(recorded) : readResult(one).findings;
}

/** The blockers and decisions of a result, or of an error. */
export const openFindings = (one: Failure): Finding[] => allFindings(one).filter(isOpenFinding);

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
