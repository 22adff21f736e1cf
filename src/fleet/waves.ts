import { type FleetZone } from './resolve-zones';

/** How something that cannot be undone goes over many zones: a few first, and not on after an alarm. */
export interface Waves {
  /** Zones of a wave, at least 1. */
  readonly size: number;
  /** Ids of the zones of the first wave; none: all waves are alike. */
  readonly canaries: ReadonlySet<string>;
  /** Waits between two waves: time in which somebody, or something, can raise an alarm. */
  readonly pause: () => Promise<void>;
}

/** The zones wave by wave: canaries, then the others in their order. */
export function wavesOf(
  zones: readonly FleetZone[],
  { size, canaries }: Pick<Waves, 'size' | 'canaries'>,
): FleetZone[][] {
  const first = zones.filter(({ id }) => canaries.has(id));
  const rest = zones.filter(({ id }) => !canaries.has(id));
  const waves = Array.from({ length: Math.ceil(rest.length / size) }, (_, index) =>
    rest.slice(index * size, (index + 1) * size),
  );
  return first.length === 0 ? waves : [first, ...waves];
}
