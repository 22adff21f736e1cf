import { type FleetZone } from './resolve-zones';

/** Zones that are done in one go and share their outcome: one alone, or all those of one plan. */
export interface ZoneGroup {
  readonly zones: readonly FleetZone[];
}
