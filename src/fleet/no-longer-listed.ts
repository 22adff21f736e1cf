import { type Finding } from '../model/finding';
import { printable } from '../model/printable';
import { type ZoneEntry } from './ledger-entry';
import { type FleetZone } from './resolve-zones';

/** The zones that the run which is picked up has done, and that the list has no longer. */
export function noLongerListed(
  earlier: readonly ZoneEntry[],
  listed: readonly FleetZone[],
): Finding[] {
  const ids = new Set(listed.map(({ id }) => id));
  return earlier
    .filter(({ zone }) => !ids.has(zone))
    .map(({ zone, name }) => ({
      code: 'ZONE_NO_LONGER_LISTED',
      severity: 'info',
      subject: zone,
      message: `${printable(name, 100)} was done by the run that is picked up, and is not on the list any more`,
      remedy: 'nothing is to be done, if you took it off the list',
    }));
}
