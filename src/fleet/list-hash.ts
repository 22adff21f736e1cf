import { createHash } from 'node:crypto';

/**
 * What a person confirms before something that cannot be undone is done to many zones: their number,
 * and the first twelve digits of the sha256 of their sorted lines, each an id and what is done to it.
 */
export function listHash(zones: readonly string[]): string {
  const lines = zones.map((zone) => `${zone}\n`).sort();
  const digest = createHash('sha256').update(lines.join('')).digest('hex');
  return `${zones.length}:${digest.slice(0, 12)}`;
}
