import { createHash } from 'node:crypto';
import { type ZoneGroup } from './group-zones';
import { type ZoneEntry } from './ledger-entry';

/** How something that cannot be undone goes over many zones: a few first, and not on after an alarm. */
export interface Waves {
  /** Zones of a wave, at least 1. */
  readonly size: number;
  /** Ids of the zones of the first wave; none: all waves are alike. */
  readonly canaries: ReadonlySet<string>;
  /** Whether a zone that ended like this stops the run: no other one is begun then. */
  readonly isAlarm: (outcome: ZoneEntry['outcome']) => boolean;
  /** Milliseconds between two waves. */
  readonly pauseMilliseconds: number;
  /** Waits between two waves: time in which somebody, or something, can raise an alarm. */
  readonly pause: () => Promise<void>;
}

/**
 * The groups wave by wave: those of canaries, then the others in their order. A group is never
 * parted; one that has more zones than a wave is a wave of its own.
 */
export function wavesOf<Group extends ZoneGroup>(
  groups: readonly Group[],
  { size, canaries }: Pick<Waves, 'size' | 'canaries'>,
): Group[][] {
  const isCanary = ({ zones }: Group): boolean => zones.some(({ id }) => canaries.has(id));
  const waves: Group[][] = [];
  let room = 0;
  for (const group of groups) {
    if (isCanary(group)) continue;
    const wave = waves.at(-1);
    if (wave === undefined || group.zones.length > room) {
      waves.push([group]);
      room = size - group.zones.length;
    } else {
      wave.push(group);
      room -= group.zones.length;
    }
  }
  const first = groups.filter(isCanary);
  return first.length === 0 ? waves : [first, ...waves];
}

/**
 * What a person confirms before something that cannot be undone is done to many zones: their number,
 * and the first twelve digits of the sha256 of their sorted lines, each an id and what is done to it.
 */
export function listHash(zones: readonly string[]): string {
  const lines = zones.map((zone) => `${zone}\n`).sort();
  const digest = createHash('sha256').update(lines.join('')).digest('hex');
  return `${zones.length}:${digest.slice(0, 12)}`;
}
