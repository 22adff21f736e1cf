import { types } from 'node:util';

/** Longest chain that is told. */
const MOST = 5;

/**
 * What an error came from, and what that came from.
 * @returns messages, as they are: hostile text
 */
export function causesOf(cause: unknown): string[] {
  const causes: string[] = [];
  for (let one = cause; types.isNativeError(one) && causes.length < MOST; one = one.cause) {
    causes.push(one.message);
  }
  return causes;
}
