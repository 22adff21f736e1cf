import { acceptFlag, posixQuote } from '../core/posix-quote';
import {
  type BeginEntry,
  type LedgerEntry,
  readResult,
  type ZoneEntry,
  type ZoneOutcomeKind,
} from './ledger';

export interface StageStanding extends Pick<
  ZoneEntry,
  'line' | 'at' | 'request' | 'result' | 'error'
> {
  readonly outcome: ZoneOutcomeKind;
  /** The command line that repeats the stage, or resumes it. */
  readonly command?: string | undefined;
}

interface ZoneStages {
  readonly name: string;
  readonly stages: ReadonlyMap<string, StageStanding>;
}

/**
 * Returns the last result of each zone at each stage. Another plan replaces the results of the runs of an earlier one.
 * Pure.
 */
export function zoneResults(entries: readonly LedgerEntry[]): ReadonlyMap<string, ZoneStages> {
  const begins = entries.filter((entry) => entry.event === 'begin');
  const commandOf = commandFinder(begins);
  const zones = new Map<string, { name: string; stages: Map<string, StageStanding> }>();
  const reports = new Map<string, StageStanding>();
  for (const one of [...listedZones(begins), ...entries.flatMap(resultOf)]) {
    const { zone, name, stage, standing } = one;
    const { stages } = zones.get(zone) ?? { stages: new Map<string, StageStanding>() };
    const isPlan = stage === 'plan' && ['done', 'attention'].includes(standing.outcome);
    if (isPlan) dropRunsOfEarlierPlan(stages, standing);
    const found = { ...standing, command: commandOf(one, stages.get('plan')) };
    // an earlier report still counts, if it may not be overwritten
    const isKept = stage === 'report' && standing.error?.code === 'FILE_EXISTS';
    const kept = isKept ? reports.get(zone) : undefined;
    stages.set(stage, kept ? { ...kept, command: found.command } : found);
    if (stage === 'report' && standing.result !== undefined) reports.set(zone, found);
    zones.set(zone, { name, stages });
  }
  return zones;
}

/** What the ledger has about a zone at one stage. */
interface ZoneResult extends Pick<ZoneEntry, 'zone' | 'name' | 'stage'> {
  readonly standing: StageStanding;
}

/** The zones that the last run of each stage, request and list has, as if it had started none. */
function listedZones(begins: readonly BeginEntry[]): ZoneResult[] {
  const last = new Map(begins.map((one) => [keyOf(one.stage, one.request, one.list ?? ''), one]));
  return [...last.values()].flatMap(({ stage, request, at, zones }) => {
    const line = `listed by the run of ${at}, and not started`;
    return zones.map((zone) => ({
      ...zone,
      stage,
      standing: { at, request, outcome: 'waiting' as const, line },
    }));
  });
}

function resultOf(entry: LedgerEntry): ZoneResult[] {
  const { stage, request, at } = entry;
  if (entry.event === 'start') {
    const standing = { at, request, outcome: 'unknown' as const, line: INTERRUPTED };
    return [{ ...entry, stage, standing }];
  }
  if (entry.event !== 'zone') return [];
  const { outcome, line, result, error } = entry;
  return [{ ...entry, stage, standing: { at, request, outcome, line, result, error } }];
}

/**
 * Finds the command that repeats a stage for a zone: that of the last run of the stage and request that listed it. If the
 * last run of the stage for that list no longer had the zone, there is none, but an apply can go on with the plan of the
 * zone.
 */
function commandFinder(begins: readonly BeginEntry[]) {
  // runs for different lists can have the same request
  const runs = new Map(
    begins.flatMap((one) =>
      one.zones.map(({ zone }) => [keyOf(one.stage, one.request, zone), one] as const),
    ),
  );
  const listed = new Map(
    begins.map(({ stage, list = '', zones }) => [
      keyOf(stage, list),
      new Set(zones.map(({ zone }) => zone)),
    ]),
  );
  return ({ zone, stage, standing }: ZoneResult, plan?: StageStanding): string | undefined => {
    const { command, list } = runs.get(keyOf(stage, standing.request, zone)) ?? {};
    if (list === undefined || listed.get(keyOf(stage, list))?.has(zone) === true) return command;
    return stage === 'apply' ? (applyOfPlan(plan) ?? command) : undefined;
  };
}

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

/** Without the time, which differs between the zones of a run. */
const INTERRUPTED = 'interrupted, unless a run is active: run the same command again to find out';

/** The commands that run all plans of a list. */
export const OF_PLANS: readonly string[] = ['rehearse', 'apply', 'verify'];

/** The command that applies the plan of a zone without its list; undefined if the ledger does not have the plan. */
export function applyOfPlan(planned?: Pick<StageStanding, 'result'>): string | undefined {
  const { plan, codes } = readResult(planned);
  if (plan === '') return undefined;
  const accept = codes.split(', ').filter(Boolean);
  return ['apply', posixQuote(plan), ...accept.map(acceptFlag)].join(' ');
}

/** The runs of an earlier plan say nothing about another one. */
function dropRunsOfEarlierPlan(stages: Map<string, StageStanding>, plan: StageStanding): void {
  const { digest } = readResult(plan);
  for (const stage of OF_PLANS) {
    const run = stages.get(stage);
    const isOfPlan = digest !== '' && readResult(run).digest === digest;
    if (run !== undefined && run.at < plan.at && !isOfPlan) stages.delete(stage);
  }
}
