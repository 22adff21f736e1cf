import { createHash } from 'node:crypto';

/** One of several parts of a list; each part is done by a run of its own. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/**
 * The zones of one shard. Which shard a zone belongs to depends on its id alone: two machines whose
 * lists differ (a zone was added meanwhile) still never take the same zone.
 */
export function zonesOfShard<Zone extends { readonly id: string }>(
  zones: readonly Zone[],
  { index, count }: Shard,
): Zone[] {
  return zones.filter(({ id }) => {
    const digest = createHash('sha256').update(id).digest();
    return digest.readUInt32BE(0) % count === index - 1;
  });
}
