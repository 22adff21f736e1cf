import { type ZoneGroup } from './group-zones';
import { type ZoneEntry } from './ledger';

/** How an irreversible command runs for many zones: a few zones first, until an alarm. */
export interface Waves {
  /** Maximum number of zones in a wave, at least 1. */
  readonly size: number;
  /** Ids of the zones of the first wave; if empty, all waves are alike. */
  readonly canaries: ReadonlySet<string>;
  /** Ids of zones for which nothing irreversible is left: they run before the first wave. */
  readonly aside?: ReadonlySet<string>;
  /** Whether this outcome of a zone stops the run. */
  readonly isAlarm: (outcome: ZoneEntry['outcome']) => boolean;
  /** Waits between two waves, so that the user can notice problems. */
  readonly pause: () => Promise<void>;
}

type WaveSettings = Pick<Waves, 'size' | 'canaries' | 'aside'>;

/** The number of the wave of each zone, by its id, from 1. */
export function waveNumbers(
  groups: readonly ZoneGroup[],
  waves: WaveSettings,
): ReadonlyMap<string, number> {
  const numbers = wavesOf(groups, waves).waves.flatMap((wave, index) =>
    wave.flatMap(({ zones }) => zones.map(({ id }) => [id, index + 1] as const)),
  );
  return new Map(numbers);
}

/**
 * Divides the groups: those that are in no wave, and the waves, which begin with the canaries. Never splits a group; a
 * group that is larger than a wave is a separate wave.
 */
export function wavesOf<Group extends ZoneGroup>(
  all: readonly Group[],
  { size, canaries, aside = new Set() }: WaveSettings,
): { readonly aside: Group[]; readonly waves: Group[][] } {
  const isAside = ({ zones }: Group): boolean => zones.every(({ id }) => aside.has(id));
  const isCanary = ({ zones }: Group): boolean => zones.some(({ id }) => canaries.has(id));
  const groups = all.filter((group) => !isAside(group));
  const first = groups.filter(isCanary);
  const waves = first.length === 0 ? [] : [first];
  let room = 0;
  for (const group of groups.filter((one) => !isCanary(one))) {
    if (group.zones.length > room) {
      waves.push([group]);
      room = size;
    } else waves.at(-1)?.push(group);
    room -= group.zones.length;
  }
  return { aside: all.filter(isAside), waves };
}
