import { groupBy } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { posixQuote } from '../core/posix-quote';
import { printable } from '../core/printable';
import { shownPlan } from '../plan/formats/shown-plan';
import { blockedBy, type Plan } from '../plan/plan-schema';
import { type FleetZone, type RefusedEntry, type ResolvedZones } from './resolve-zones';

/** Zones with a shared outcome: one zone, or all zones of one plan. */
export interface ZoneGroup {
  readonly zones: readonly FleetZone[];
}

export interface SavedPlan {
  readonly plan: Plan;
  readonly file: string;
  /** The folder of the file: paths in the plan are relative to it. */
  readonly folder: string;
  /** The same, relative to the working directory, as it is shown: empty for that itself. */
  readonly place: string;
  /** Identifies the states of the plan: real path of the folder, and workspace. */
  readonly places: readonly string[];
  /** Real paths of the files from which it removes blocks. */
  readonly edited: readonly string[];
}

export interface PlanGroup extends SavedPlan, ZoneGroup {}

export interface SkippedZone extends FleetZone {
  readonly line: string;
}

export const hasFolder = (zone: FleetZone): boolean => foldersOf(zone).size > 0;

const foldersOf = ({ entries = [] }: FleetZone): Set<string> =>
  new Set(entries.flatMap(({ dir }) => dir ?? []));

/**
 * Finds the plan of each zone. Refuses a plan that has a blocker or an unlisted zone, or that shares a zone, a state or an
 * edited file with another plan. Pure.
 * @param namesFolders whether the list names the Terraform folder of a zone
 * @param whyUnplanned the error with which `plan` failed for a zone
 * @returns the groups in the order of their first zones; plans without listed zones are left out
 */
export function groupByPlan(
  zones: readonly FleetZone[],
  plans: readonly SavedPlan[],
  namesFolders: boolean,
  whyUnplanned: (zone: FleetZone) => MigrationError | undefined = () => undefined,
) {
  const listed = new Set(zones.map(({ id }) => id));
  const concerned = plans.filter((saved) => zonesOf(saved).some((id) => listed.has(id)));
  const refusals = refusalsOf(concerned, listed);
  // of two plans of a zone, which are both refused, the first one counts
  const planOf = new Map(
    concerned.toReversed().flatMap((saved) => zonesOf(saved).map((id) => [id, saved] as const)),
  );
  const { groups, ...others } = groupZones(
    zones,
    (zone): SavedPlan | MigrationError | undefined => {
      const saved = planOf.get(zone.id);
      if (saved !== undefined) return refusals.get(saved) ?? saved;
      // the plan of its folders is made, applied and verified by its file
      if (foldersOf(zone).size > 1 || (namesFolders && !hasFolder(zone))) return undefined;
      const message = `no plan includes ${printable(zone.name, 100)} (${zone.id})`;
      const error = whyUnplanned(zone)?.withPrefix(message);
      return error ?? new MigrationError('ZONE_NOT_PLANNED', message);
    },
  );
  return { groups: groups.map(([saved, own]): PlanGroup => ({ ...saved, zones: own })), ...others };
}

/** Why plans cannot be run; undefined for those that can. */
function refusalsOf(plans: readonly SavedPlan[], listed: ReadonlySet<string>) {
  const claims = groupBy(
    plans.flatMap((saved) => claimsOf(saved).map((claim) => ({ claim, saved }))),
    ({ claim }) => claim,
  );
  return new Map(
    plans.map((saved): [SavedPlan, MigrationError | undefined] => {
      const name = printable(saved.file, 200);
      const unlisted = zonesOf(saved).find((id) => !listed.has(id));
      if (unlisted !== undefined) {
        const message = `${name} is also for zone ${printable(unlisted, 40)}, which is not listed`;
        return [saved, new MigrationError('PLAN_OF_OTHER_ZONES', message)];
      }
      const [clash] = claimsOf(saved)
        .flatMap((claim) => claims.get(claim) ?? [])
        .filter((one) => one.saved !== saved);
      if (clash === undefined) return [saved, blockedBy(shownPlan(saved))?.withPrefix(name)];
      const message = `${name} and ${printable(clash.saved.file, 200)} are both for ${printable(clash.claim, 200)}`;
      const blocked = [saved, clash.saved].filter(({ plan }) => blockedBy(plan));
      const [only] = blocked.length === 1 ? blocked : [];
      const hint = only && `delete ${posixQuote(only.file)}, which has a blocker`;
      return [saved, new MigrationError('PLANS_OVERLAP', message, { hint })];
    }),
  );
}

const NO_FOLDER = 'no Terraform folder in the list: `generate` makes its stack';
const SEVERAL_FOLDERS = 'no plan here, because it has several folders: pass the file of its plan';

const zonesOf = ({ plan }: SavedPlan): string[] => plan.zones.map(({ zoneId }) => zoneId);

function claimsOf(saved: SavedPlan): string[] {
  const { places, edited } = saved;
  const claims = [
    ...zonesOf(saved).map((id) => `zone ${id}`),
    ...places.map((place) => `the state of ${place}`),
    ...edited.map((file) => `the blocks of ${file}`),
  ];
  return [...new Set(claims)];
}

/** Terraform folders that have one plan. */
export type Folders = readonly [string, ...string[]];

/**
 * Groups zones by their folder in the list. Skips a zone without a folder, refuses one with several. Pure.
 * @param placed normalises a folder, so that two spellings of it are equal
 * @param joined the folders that have one plan, by each of them
 * @param shared the command for a zone with several folders
 */
export function groupByDir(
  zones: readonly FleetZone[],
  placed: (dir: string) => string,
  joined: ReadonlyMap<string, Folders>,
  shared: (zone: string, dirs: readonly string[]) => string,
) {
  const { groups, ...others } = groupZones(zones, (zone) => {
    const { name } = zone;
    const dirs = new Set([...foldersOf(zone)].map(placed));
    const [dir, second] = dirs;
    if (second === undefined) return joined.get(dir ?? '');
    return new MigrationError('ZONE_NOT_PLANNED', `${printable(name, 100)} has several folders`, {
      hint: `name its one Terraform folder in the column dir, or plan it in all of them:\ncf-waf-migrate ${shared(name, [...dirs])}`,
    });
  });
  return { groups: groups.map(([dirs, own]) => ({ dirs, zones: own })), ...others };
}

/** Refuses the zones that have an error, beside the entries that are refused already. Pure. */
export function refuseZones(
  found: ResolvedZones,
  errors: ReadonlyMap<string, MigrationError>,
): ResolvedZones {
  const refused = found.zones.flatMap((zone) => {
    const error = errors.get(zone.id);
    return error === undefined ? [] : [refusedZone(zone, error)];
  });
  const zones = found.zones.filter(({ id }) => !errors.has(id));
  return { zones, refused: [...found.refused, ...refused] };
}

function refusedZone({ name, entries = [] }: FleetZone, error: MigrationError): RefusedEntry {
  const [{ text, line } = { text: name, line: undefined }] = entries;
  return { text, ...(line !== undefined && { line }), error };
}

/**
 * Groups zones by a key.
 * @param keyOf an error refuses the zone; undefined skips it, because it has no Terraform folder, or several
 */
function groupZones<Key>(
  zones: readonly FleetZone[],
  keyOf: (zone: FleetZone) => Key | MigrationError | undefined,
) {
  const groups = new Map<Key, FleetZone[]>();
  const refused: RefusedEntry[] = [];
  const skipped: SkippedZone[] = [];
  for (const zone of zones) {
    const key = keyOf(zone);
    if (key instanceof MigrationError) refused.push(refusedZone(zone, key));
    else if (key === undefined)
      skipped.push({ ...zone, line: hasFolder(zone) ? SEVERAL_FOLDERS : NO_FOLDER });
    else groups.set(key, [...(groups.get(key) ?? []), zone]);
  }
  return { groups: [...groups], refused, skipped };
}
