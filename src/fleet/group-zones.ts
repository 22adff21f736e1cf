import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type FleetZone, type RefusedEntry, type ResolvedZones } from './resolve-zones';

/** Zones that are done in one go and share their outcome: one alone, or all those of one plan. */
export interface ZoneGroup {
  readonly zones: readonly FleetZone[];
}

/** Whether an earlier run has done all of a group, which is not done again then. */
export function isDoneEarlier(
  { zones }: ZoneGroup,
  earlier: ReadonlyMap<string, unknown>,
): boolean {
  return zones.every(({ id }) => earlier.has(id));
}

/** What the grouping has to know of a saved plan. */
export interface PlanFile {
  /** As people see it. */
  readonly file: string;
  readonly digest: string;
  readonly zoneIds: readonly string[];
  /** What tells the states of the plan from those of all others: folder, where its links lead, and workspace. */
  readonly places: readonly string[];
  /** Files that it takes blocks out of, where their links lead. */
  readonly edited: readonly string[];
}

/** The zones of one plan. */
export interface PlanGroup<Plan extends PlanFile> extends ZoneGroup {
  readonly plan: Plan;
}

/** A zone that no plan is carried out for, and why. */
export interface UnplannedZone {
  readonly zone: FleetZone;
  readonly error: MigrationError;
}

/**
 * Finds the plan of each zone. A plan is carried out whole or not at all: not when it is for a zone
 * that is not listed, and not when another plan is for the same zone, changes the same state, or takes
 * blocks out of the same file, which is of a module that the states of both share. Pure.
 * @returns the groups in the order of their first zones; a plan of none of the zones is left alone
 */
export function groupByPlan<Plan extends PlanFile>(
  zones: readonly FleetZone[],
  plans: readonly Plan[],
): { readonly groups: PlanGroup<Plan>[]; readonly refused: UnplannedZone[] } {
  const listed = new Set(zones.map(({ id }) => id));
  const concerned = plans.filter(({ zoneIds }) => zoneIds.some((id) => listed.has(id)));
  const byZone = index(concerned, ({ zoneIds }) => zoneIds);
  const byPlace = index(concerned, ({ places }) => places);
  const byEdit = index(concerned, ({ edited }) => edited);
  const obstacles = new Map(
    concerned.map((plan) => [plan, obstacle(plan, listed, { byZone, byPlace, byEdit })]),
  );
  const groups = new Map<Plan, FleetZone[]>();
  const refused: UnplannedZone[] = [];
  for (const zone of zones) {
    const [plan] = byZone.get(zone.id) ?? [];
    if (plan === undefined) {
      refused.push({ zone, error: notPlanned(zone) });
      continue;
    }
    const error = obstacles.get(plan);
    if (error !== undefined) {
      refused.push({ zone, error });
      continue;
    }
    const group = groups.get(plan);
    if (group) group.push(zone);
    else groups.set(plan, [zone]);
  }
  return { groups: [...groups].map(([plan, own]) => ({ plan, zones: own })), refused };
}

interface Indexes<Plan> {
  readonly byZone: ReadonlyMap<string, readonly Plan[]>;
  readonly byPlace: ReadonlyMap<string, readonly Plan[]>;
  readonly byEdit: ReadonlyMap<string, readonly Plan[]>;
}

function obstacle<Plan extends PlanFile>(
  plan: Plan,
  listed: ReadonlySet<string>,
  { byZone, byPlace, byEdit }: Indexes<Plan>,
): MigrationError | undefined {
  const name = printable(plan.file, 200);
  const other = plan.zoneIds.find((id) => !listed.has(id));
  if (other !== undefined) {
    const message = `${name} is also for zone ${printable(other, 40)}, which is not listed`;
    return new MigrationError('PLAN_OF_OTHER_ZONES', message);
  }
  const clash = (what: string, sharing: readonly Plan[]): MigrationError | undefined => {
    const another = sharing.find((one) => one !== plan);
    if (another === undefined) return undefined;
    const message = `${name} and ${printable(another.file, 200)} are both for ${what}`;
    return new MigrationError('PLANS_OVERLAP', message);
  };
  for (const id of plan.zoneIds) {
    const found = clash(`zone ${printable(id, 40)}`, byZone.get(id) ?? []);
    if (found !== undefined) return found;
  }
  for (const place of plan.places) {
    const found = clash(`the state of ${printable(place, 200)}`, byPlace.get(place) ?? []);
    if (found !== undefined) return found;
  }
  for (const file of plan.edited) {
    const found = clash(`the blocks of ${printable(file, 200)}`, byEdit.get(file) ?? []);
    if (found !== undefined) return found;
  }
  return undefined;
}

function index<Plan>(
  plans: readonly Plan[],
  keysOf: (plan: Plan) => readonly string[],
): Map<string, Plan[]> {
  const found = new Map<string, Plan[]>();
  for (const plan of plans) {
    for (const key of new Set(keysOf(plan))) {
      const sharing = found.get(key);
      if (sharing) sharing.push(plan);
      else found.set(key, [plan]);
    }
  }
  return found;
}

function notPlanned({ id, name }: FleetZone): MigrationError {
  return new MigrationError('ZONE_NOT_PLANNED', `no plan is for ${printable(name, 100)} (${id})`);
}

/** The zones whose state is that of one Terraform folder. */
interface DirGroup extends ZoneGroup {
  readonly dir: string;
}

/**
 * Groups zones by the folder that the list names. A zone without one, or with two, is refused; the
 * others go on. Pure.
 * @param placed the one form of a folder, by which two spellings of it are equal
 */
export function groupByDir(
  { zones, listed }: Pick<ResolvedZones, 'zones' | 'listed'>,
  placed: (dir: string) => string,
): { readonly groups: DirGroup[]; readonly refused: RefusedEntry[] } {
  const groups = new Map<string, FleetZone[]>();
  const refused: RefusedEntry[] = [];
  for (const zone of zones) {
    const entries = listed.get(zone.id) ?? [];
    const dirs = new Set(entries.flatMap(({ dir }) => (dir === undefined ? [] : [placed(dir)])));
    const [dir, second] = dirs;
    const [first] = entries;
    if (dir === undefined || second !== undefined) {
      const name = printable(zone.name, 100);
      const problem = dir === undefined ? 'has no folder' : 'has several folders';
      const error = new MigrationError('ZONE_NOT_PLANNED', `${name} ${problem}`, {
        hint: 'name the one Terraform folder of the zone in the column dir, or plan it with --dir',
      });
      refused.push({ text: name, ...(first === undefined ? {} : { line: first.line }), error });
      continue;
    }
    const group = groups.get(dir);
    if (group) group.push(zone);
    else groups.set(dir, [zone]);
  }
  return { groups: [...groups].map(([dir, own]) => ({ dir, zones: own })), refused };
}
