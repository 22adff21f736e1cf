import { createHash } from 'node:crypto';

/** The form of every identifier of the service: 32 lower-case hexadecimal digits. */
export const IDENTIFIER = /^[0-9a-f]{32}$/;

/** Mints identifiers: unlike each other, and the same in each run of the same calls. */
export interface IdentifierMint {
  /** A new identifier of 32 hexadecimal digits. */
  readonly next: () => string;
  /** A new Ray ID: 16 hexadecimal digits and a colo, as in the header `cf-ray`. */
  readonly nextRay: () => string;
}

/** A mint whose identifiers depend on `seed` and on how many were minted before. */
export function createMint(seed: string): IdentifierMint {
  let minted = 0;
  let rays = 0;
  const digest = (kind: string, count: number): string =>
    createHash('sha256').update(`${seed}/${kind}/${count}`).digest('hex');
  return {
    next: () => digest('id', (minted += 1)).slice(0, 32),
    nextRay: () => `${digest('ray', (rays += 1)).slice(0, 16)}-FRA`,
  };
}
