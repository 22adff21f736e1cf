import { ClientError } from '../http/cloudflare-go';

/**
 * Whether provider 3.35 takes an error for "no longer there": by a code, and only with a status that
 * has no class of its own. A 404 never counts, whatever its code.
 */
export function isGone(error: unknown, ...codes: number[]): boolean {
  return (
    error instanceof ClientError &&
    error.kind === 'request' &&
    codes.some((code) => error.codes.includes(code))
  );
}
