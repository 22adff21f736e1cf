import { groupBy } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type Plan } from '../plan/plan';
import { type FleetZone, type RefusedEntry, type ResolvedZones } from './resolve-zones';

/** Zones with a shared outcome: one zone, or all zones of one plan. */
export interface ZoneGroup {
  readonly zones: readonly FleetZone[];
}

/** A plan of a file. */
export interface SavedPlan {
  readonly plan: Plan;
  /** Path as shown to the user. */
  readonly file: string;
  /** The folder of the file: paths in the plan are relative to it. */
  readonly folder: string;
  /** Identifies the states of the plan: real path of the folder, and workspace. */
  readonly places: readonly string[];
  /** Real paths of the files from which it removes blocks. */
  readonly edited: readonly string[];
}

/** A plan with its zones, which are all listed. */
export interface PlanGroup extends SavedPlan, ZoneGroup {}

/** Whether the list names a Terraform folder for the zone. */
export const hasFolder = ({ entries = [] }: FleetZone): boolean =>
  entries.some(({ dir }) => dir !== undefined);

/**
 * Finds the plan of each zone. Refuses a plan that has an unlisted zone, or that shares a zone, a state or an edited
 * file with another plan. Pure.
 * @returns the groups in the order of their first zones; plans without listed zones are left out
 */
export function groupByPlan(zones: readonly FleetZone[], plans: readonly SavedPlan[]) {
  const listed = new Set(zones.map(({ id }) => id));
  const concerned = plans.filter((saved) => zonesOf(saved).some((id) => listed.has(id)));
  const claims = groupBy(
    concerned.flatMap((saved) => claimsOf(saved).map((claim) => ({ claim, saved }))),
    ({ claim }) => claim,
  );
  const refusalOf = (saved: SavedPlan): MigrationError | undefined => {
    const name = printable(saved.file, 200);
    const unlisted = zonesOf(saved).find((id) => !listed.has(id));
    if (unlisted !== undefined) {
      const message = `${name} is also for zone ${printable(unlisted, 40)}, which is not listed`;
      return new MigrationError('PLAN_OF_OTHER_ZONES', message);
    }
    const [clash] = claimsOf(saved)
      .flatMap((claim) => claims.get(claim) ?? [])
      .filter((one) => one.saved !== saved);
    if (clash === undefined) return undefined;
    const message = `${name} and ${printable(clash.saved.file, 200)} are both for ${printable(clash.claim, 200)}`;
    return new MigrationError('PLANS_OVERLAP', message);
  };
  const refusals = new Map(concerned.map((saved) => [saved, refusalOf(saved)]));
  const namesFolders = zones.some(hasFolder);
  const { groups, ...others } = groupZones(
    zones,
    (zone): SavedPlan | MigrationError | undefined => {
      const saved = claims.get(`zone ${zone.id}`)?.[0].saved;
      if (saved !== undefined) return refusals.get(saved) ?? saved;
      if (namesFolders && !hasFolder(zone)) return undefined;
      const message = `no plan includes ${printable(zone.name, 100)} (${zone.id})`;
      return new MigrationError('ZONE_NOT_PLANNED', message);
    },
  );
  return { groups: groups.map(([saved, own]): PlanGroup => ({ ...saved, zones: own })), ...others };
}

function zonesOf({ plan }: SavedPlan): string[] {
  return plan.zones.map(({ zoneId }) => zoneId);
}

/** Returns what only one plan may change, each once. */
function claimsOf(saved: SavedPlan): string[] {
  const { places, edited } = saved;
  const claims = [
    ...zonesOf(saved).map((id) => `zone ${id}`),
    ...places.map((place) => `the state of ${place}`),
    ...edited.map((file) => `the blocks of ${file}`),
  ];
  return [...new Set(claims)];
}

/**
 * Groups zones by their folder in the list. Skips a zone without a folder, refuses one with several. Pure.
 * @param placed normalises a folder, so that two spellings of it are equal
 */
export function groupByDir(zones: readonly FleetZone[], placed: (dir: string) => string) {
  const { groups, ...others } = groupZones(zones, ({ name, entries = [] }) => {
    const dirs = new Set(entries.flatMap((one) => (one.dir === undefined ? [] : placed(one.dir))));
    const [dir, second] = dirs;
    if (second === undefined) return dir;
    return new MigrationError('ZONE_NOT_PLANNED', `${printable(name, 100)} has several folders`, {
      hint: 'name the one Terraform folder of the zone in the column dir, or plan it with --dir',
    });
  });
  return { groups: groups.map(([dir, own]) => ({ dir, zones: own })), ...others };
}

/** Refuses the zones that have an error, beside the entries that are refused already. Pure. */
export function refuseZones(
  found: ResolvedZones,
  errors: ReadonlyMap<string, MigrationError>,
): ResolvedZones {
  const { groups, refused } = groupZones(found.zones, (zone) => errors.get(zone.id) ?? zone);
  return { zones: groups.map(([zone]) => zone), refused: [...found.refused, ...refused] };
}

/** Groups zones by a key. Refuses the zones for which it is an error, and skips those without one. */
function groupZones<Key>(
  zones: readonly FleetZone[],
  keyOf: (zone: FleetZone) => Key | MigrationError | undefined,
) {
  const groups = new Map<Key, FleetZone[]>();
  const refused: RefusedEntry[] = [];
  const skipped: FleetZone[] = [];
  for (const zone of zones) {
    const key = keyOf(zone);
    if (key instanceof MigrationError) {
      const [entry] = zone.entries ?? [];
      const { text } = entry ?? { text: zone.name };
      refused.push({ text, ...(entry && { line: entry.line }), error: key });
    } else if (key === undefined) skipped.push(zone);
    else groups.set(key, [...(groups.get(key) ?? []), zone]);
  }
  return { groups: [...groups], refused, skipped };
}
