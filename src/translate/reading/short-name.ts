import { createHash } from 'node:crypto';

/**
 * A short name for the ref of a rule, which stays the same while the old thing is the same one: the
 * beginning of its id, else a digest of where it was read.
 */
export function shortName(id: string | undefined, from: string): string {
  const clean = (id ?? '').replace(/[^A-Za-z0-9]/g, '').slice(0, 12);
  return clean === '' ? createHash('sha256').update(from).digest('hex').slice(0, 12) : clean;
}
