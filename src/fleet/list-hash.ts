import { createHash } from 'node:crypto';
import { type FleetZone } from './resolve-zones';

/**
 * What a person confirms before something that cannot be undone is done to many zones: their number,
 * and the first twelve digits of the sha256 of their sorted ids, one a line.
 */
export function listHash(zones: readonly Pick<FleetZone, 'id'>[]): string {
  const ids = zones.map(({ id }) => `${id}\n`).sort();
  const digest = createHash('sha256').update(ids.join('')).digest('hex');
  return `${zones.length}:${digest.slice(0, 12)}`;
}
