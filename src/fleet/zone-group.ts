import { type FleetZone } from './resolve-zones';

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
