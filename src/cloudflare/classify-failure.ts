import { type ErrorCode } from '../model/error-catalogue';
import { type ServiceErrorEntry } from './service-error';

/**
 * Numbers of the service that say more than the HTTP status (facts of public reports, the service's
 * document shows none): 6003 comes with 400, and 7003 with 400 or 404.
 */
const codesOf = {
  API_UNAUTHORIZED: [6003, 9103, 9106, 9107, 9109, 10000],
  API_NOT_FOUND: [1001, 7000, 7003],
  API_RATE_LIMITED: [971, 10100],
} as const;

/** Which of our codes an answer is that has `success: false`. */
export function classifyFailure(status: number, errors: readonly ServiceErrorEntry[]): ErrorCode {
  const is = (codes: readonly number[]) =>
    errors.some((entry) => entry.code !== undefined && codes.includes(entry.code));
  if (status === 429) return 'API_RATE_LIMITED';
  if (status >= 500) return 'API_UNAVAILABLE';
  if (status === 401 || is(codesOf.API_UNAUTHORIZED)) return 'API_UNAUTHORIZED';
  if (is(codesOf.API_RATE_LIMITED)) return 'API_RATE_LIMITED';
  // Rulesets answer "request is not authorized" without a number; a 403 with another number is
  // about the zone (its plan, its state), and new credentials would not help.
  if (status === 403 && errors.every((entry) => entry.code === undefined)) {
    return 'API_UNAUTHORIZED';
  }
  if (status === 404 || is(codesOf.API_NOT_FOUND)) return 'API_NOT_FOUND';
  return 'API_REFUSED';
}
