import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type FleetZone, type RefusedEntry, type ResolvedZones } from './resolve-zones';
import { type ZoneGroup } from './zone-group';

/** The zones whose state is that of one Terraform folder. */
export interface DirGroup extends ZoneGroup {
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
