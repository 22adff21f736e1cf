import { join } from 'node:path';
import { isRolledBack, journalPath } from '../../apply/journal/journal';
import { progressOf } from '../../apply/journal/progress';
import { type Client } from '../../cloudflare/client';
import { type MigrationStatus, readMigrationStatus } from '../../cloudflare/waf-migration';
import { type Finding } from '../../core/finding';
import { mapConcurrently } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { counted } from '../../core/printable';
import {
  groupByPlan,
  hasFolder,
  type PlanGroup,
  type SavedPlan,
  type SkippedZone,
} from '../../fleet/group-zones';
import { leadsToApply, readResult, type ZoneEntry } from '../../fleet/ledger';
import { readPlans } from '../../fleet/read-plans';
import { type FleetZone, type ResolvedZones } from '../../fleet/resolve-zones';
import { zoneStandings } from '../../fleet/standings';
import { openDecisions } from '../../plan/plan-schema';
import { type Waves } from '../../fleet/run-fleet';
import { awaitsMigration } from '../../zone/live-status';
import { acceptOf, readAccepted, showChange } from '../consent';
import { shownPlan } from '../../plan/formats/shown-plan';
import { flagsOf } from '../plans/plan-text';
import { type CliContext, type CommandResult } from '../context';
import { lastingError, readCurrentEntries } from './next-of-list';
import { type GroupWork, runGroups, type ZoneResult } from './for-zones';
import {
  commandForSameZones,
  parseConcurrency,
  PLANS_AT_ONCE,
  type PlanRunOptions,
  ZONES_AT_ONCE,
} from '../options';
import { withListedZones } from '../zones';

/** The result for a plan, which is printed in full if it is the only one. */
export type PlanResult = ZoneResult & { readonly json: object };

/** Entries of each list in the result of one of many plans, such as its differences. */
const MOST_LISTED = 20;

/** The work of a command for one of many plans. */
type PlanWork = Pick<GroupWork<PlanGroup>, 'repeats' | 'before'> & {
  readonly stage: 'rehearse' | 'apply' | 'verify';
  /** Asks once for all plans, for what cannot be undone; throws to decline. */
  readonly inWaves?: (groups: readonly PlanGroup[]) => Promise<Waves>;
  readonly perform: (plan: SavedPlan, client: Client) => Promise<PlanResult>;
};

/**
 * Runs a command for the plans of many zones, several at a time. The plans name their zones, and the list
 * selects among them.
 * @param operand a plan, or a folder of plans
 */
export async function forPlans(
  options: PlanRunOptions,
  context: CliContext,
  operand: string,
  { inWaves, perform, ...about }: PlanWork,
): Promise<CommandResult> {
  const { stage } = about;
  requireOutputs(options);
  const concurrency = parseConcurrency(options, PLANS_AT_ONCE);
  const plans = await readPlans(operand, context.cwd);
  return withListedZones(options, context, async (found, client) => {
    const { groups, refused, skipped } = await selectPlans(found, plans, options, context, client);
    const groupOf = new Map(groups.flatMap((group) => group.zones.map(({ id }) => [id, group])));
    showChange({ lists: flagsOf(groups.map(({ plan }) => plan)) }, context);
    const waves = groups.length === 0 ? undefined : await inWaves?.(groups);
    const many: GroupWork<PlanGroup> = {
      ...about,
      groups,
      skipped,
      concurrency,
      waves,
      next: () => nextOf(stage, groups, options, operand),
      holds: (entry) => holdsFor(groupOf.get(entry.zone), entry),
      describe: ({ file, plan }) => `${file}: ${counted(plan.steps.length, 'step')}`,
      perform: async (group) => {
        const { plan, file } = group;
        const result = await perform(group, client);
        return { ...result, json: { plan: file, digest: plan.digest, ...shortened(result.json) } };
      },
    };
    const known = { ...found, refused: [...found.refused, ...refused] };
    return runGroups(many, known, options, context);
  });
}

/** Of the changes, only those of outputs can be accepted for all plans: an output changes no resource. */
function requireOutputs(options: PlanRunOptions): void {
  if (readAccepted(options).every((address) => address.startsWith('output.'))) return;
  const message = '--accept with the address of a resource works with one plan: leave out --zones';
  throw new MigrationError('USAGE', message, {
    hint: 'run this command for the plan of that resource, without --zones',
  });
}

/** The command that follows when a stage of these plans is done. */
function nextOf(
  stage: PlanWork['stage'],
  groups: readonly PlanGroup[],
  options: PlanRunOptions,
  operand: string,
): string {
  if (stage === 'verify' || areInReview(groups)) return commandForSameZones('status', options);
  if (stage === 'apply')
    return commandForSameZones('verify', options, { accept: readAccepted(options) }, operand);
  const accept = acceptOf(dueDecisions(groups), options.accept);
  return commandForSameZones('apply', options, { accept }, operand);
}

/** Whether a pipeline applies all of these plans. */
const areInReview = (groups: readonly PlanGroup[]): boolean =>
  groups.length > 0 && groups.every((group) => progressOf(group) === 'in review');

/** Whether the result of an earlier run for a zone is still valid for its plan. */
function holdsFor(group: PlanGroup | undefined, entry: ZoneEntry): boolean {
  const result = readResult(entry);
  if (group?.plan.digest !== result.digest) return false;
  // the differences may be corrected, or accepted now
  if (entry.outcome === 'attention' && !leadsToApply(result)) return false;
  return !isRolledBack(join(group.folder, journalPath(group.plan.digest)));
}

/** The plans to run for the zones of a list, and the zones that they leave out. */
async function selectPlans(
  { zones }: ResolvedZones,
  plans: readonly SavedPlan[],
  options: PlanRunOptions,
  context: CliContext,
  client: Client,
) {
  const planned = new Set(plans.flatMap(({ plan }) => plan.zones.map(({ zoneId }) => zoneId)));
  // `plan` skips them too
  const isUnplanned = (zone: FleetZone): boolean => hasFolder(zone) && !planned.has(zone.id);
  const { waiting, ready } = await separateWaiting(zones, isUnplanned, client);
  const standings = zoneStandings(readCurrentEntries(options, context));
  const stages = new Map(standings.map((one) => [one.zone, one.stages]));
  const { groups, refused, skipped } = groupByPlan(ready, plans, zones.some(hasFolder), ({ id }) =>
    lastingError(stages.get(id)?.['plan']),
  );
  return { groups, refused, skipped: [...waiting, ...skipped] };
}

/** The open decisions of the plans that are not applied yet. */
export const dueDecisions = (groups: readonly PlanGroup[]): Finding[] =>
  groups
    .filter((group) => progressOf(group) !== 'applied')
    .flatMap((group) => openDecisions(shownPlan(group)));

/** The ledger repeats a result for each zone of its plan. */
function shortened(json: object): object {
  const fields: [string, unknown][] = Object.entries(json);
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name,
      Array.isArray(value) ? value.slice(0, MOST_LISTED) : value,
    ]),
  );
}

/**
 * Separates the zones that have not migrated: they have no ruleset to import.
 * @param isAsked whether the API is asked for a zone; the others are ready
 */
export async function separateWaiting(
  zones: readonly FleetZone[],
  isAsked: (zone: FleetZone) => boolean,
  client: Client,
) {
  const statuses = new Map<string, MigrationStatus>();
  const waits = await mapConcurrently(zones, ZONES_AT_ONCE, async (zone) => {
    if (!isAsked(zone)) return false;
    try {
      const status = await readMigrationStatus(client, zone.id);
      statuses.set(zone.id, status);
      return await awaitsMigration(client, zone.id, status);
    } catch (error) {
      // its plan fails for the same reason
      if (error instanceof MigrationError) return false;
      throw error;
    }
  });
  const line = 'not migrated: finish it first';
  return {
    waiting: zones.filter((_, at) => waits[at]).map((zone): SkippedZone => ({ ...zone, line })),
    ready: zones.filter((_, at) => !waits[at]),
    statuses,
  };
}
