import { groupBy } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type FleetZone, type RefusedEntry, type ResolvedZones } from './resolve-zones';

/** Zones that share their outcome: one zone, or all zones of one plan. */
export interface ZoneGroup {
  readonly zones: readonly FleetZone[];
}

/** What the grouping has to know of a saved plan. */
export interface PlanFile {
  /** As the user sees it. */
  readonly file: string;
  readonly digest: string;
  readonly zoneIds: readonly string[];
  /** What tells the states of the plan from all others: real path of the folder, and workspace. */
  readonly places: readonly string[];
  /** Files that it removes blocks from, by their real paths. */
  readonly edited: readonly string[];
}

/** The zones of one plan. */
export interface PlanGroup<Plan extends PlanFile> extends ZoneGroup {
  readonly plan: Plan;
}

/** A zone whose plan is not applied, and why. */
export interface UnplannedZone {
  readonly zone: FleetZone;
  readonly error: MigrationError;
}

/**
 * Finds the plan of each zone. A plan is applied whole or not at all: not where it is for a zone that is not listed,
 * and not where another plan is for the same zone, changes the same state, or edits the same file. Pure.
 * @returns the groups in the order of their first zones; a plan of no listed zone is left out
 */
export function groupByPlan<Plan extends PlanFile>(
  zones: readonly FleetZone[],
  plans: readonly Plan[],
): { readonly groups: PlanGroup<Plan>[]; readonly refused: UnplannedZone[] } {
  const listed = new Set(zones.map(({ id }) => id));
  const concerned = plans.filter(({ zoneIds }) => zoneIds.some((id) => listed.has(id)));
  const claims = groupBy(
    concerned.flatMap((plan) =>
      [...claimsOf(plan)].map(([claim, what]) => ({ claim, what, plan })),
    ),
    ({ claim }) => claim,
  );
  const clashes = [...claims.values()].filter((sharing) => sharing.length > 1);
  const refusals = new Map(
    concerned.map((plan): [Plan, MigrationError | undefined] => {
      const name = printable(plan.file, 200);
      const unlisted = plan.zoneIds.find((id) => !listed.has(id));
      if (unlisted !== undefined) {
        const message = `${name} is also for zone ${printable(unlisted, 40)}, which is not listed`;
        return [plan, new MigrationError('PLAN_OF_OTHER_ZONES', message)];
      }
      const clash = clashes.find((sharing) => sharing.some((one) => one.plan === plan));
      const other = clash?.find((one) => one.plan !== plan);
      if (other === undefined) return [plan, undefined];
      const message = `${name} and ${printable(other.plan.file, 200)} are both for ${other.what}`;
      return [plan, new MigrationError('PLANS_OVERLAP', message)];
    }),
  );
  const refused: UnplannedZone[] = [];
  const planned = zones.flatMap((zone) => {
    const plan = claims.get(`zone ${zone.id}`)?.[0]?.plan;
    const error = plan === undefined ? notPlanned(zone) : refusals.get(plan);
    if (plan !== undefined && error === undefined) return { zone, plan };
    if (error !== undefined) refused.push({ zone, error });
    return [];
  });
  const groups = [...groupBy(planned, ({ plan }) => plan)].map(([plan, own]) => ({
    plan,
    zones: own.map(({ zone }) => zone),
  }));
  return { groups, refused };
}

/** What no other plan may be for, and how a user reads it. */
function claimsOf({ zoneIds, places, edited }: PlanFile): Map<string, string> {
  return new Map([
    ...zoneIds.map((id) => [`zone ${id}`, `zone ${printable(id, 40)}`] as const),
    ...places.map((one) => [`state ${one}`, `the state of ${printable(one, 200)}`] as const),
    ...edited.map((one) => [`file ${one}`, `the blocks of ${printable(one, 200)}`] as const),
  ]);
}

function notPlanned({ id, name }: FleetZone): MigrationError {
  return new MigrationError('ZONE_NOT_PLANNED', `no plan includes ${printable(name, 100)} (${id})`);
}

/** The zones whose state is that of one Terraform folder. */
interface DirGroup extends ZoneGroup {
  readonly dir: string;
}

/**
 * Groups zones by the folder that the list names. A zone without one, or with two, is refused. Pure.
 * @param placed the one form of a folder, by which two spellings of it are equal
 */
export function groupByDir(
  { zones, listed }: Pick<ResolvedZones, 'zones' | 'listed'>,
  placed: (dir: string) => string,
): { readonly groups: DirGroup[]; readonly refused: RefusedEntry[] } {
  const refused: RefusedEntry[] = [];
  const found = zones.flatMap((zone) => {
    const entries = listed.get(zone.id) ?? [];
    const dirs = new Set(entries.flatMap((one) => (one.dir === undefined ? [] : placed(one.dir))));
    const [dir, second] = dirs;
    if (dir !== undefined && second === undefined) return { zone, dir };
    const name = printable(zone.name, 100);
    const problem = dir === undefined ? 'has no folder' : 'has several folders';
    const error = new MigrationError('ZONE_NOT_PLANNED', `${name} ${problem}`, {
      hint: 'name the one Terraform folder of the zone in the column dir, or plan it with --dir',
    });
    const [first] = entries;
    refused.push({ text: name, ...(first !== undefined && { line: first.line }), error });
    return [];
  });
  const groups = [...groupBy(found, ({ dir }) => dir)].map(([dir, own]) => ({
    dir,
    zones: own.map(({ zone }) => zone),
  }));
  return { groups, refused };
}
