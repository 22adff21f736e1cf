import { type ErrorCode } from '../core/error-catalogue';
import { type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { SET_KEY } from './failures';

export interface Optional<T> {
  readonly items: readonly T[];
  readonly findings: readonly Finding[];
}

/** The error codes of an endpoint that is retired or not accessible with these credentials. */
const refusals = new Set<ErrorCode>(['API_UNAUTHORIZED', 'API_REFUSED', 'API_NOT_FOUND']);

/**
 * A list, or a finding if the API refuses it.
 * @param what the noun of the finding
 */
export async function readOptional<T>(
  what: string,
  zoneId: string,
  list: Promise<readonly T[]>,
): Promise<Optional<T>> {
  try {
    return { items: await list, findings: [] };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { items: [], findings: [notChecked(what, zoneId, error)] };
  }
}

/** Whether the API refused the request, so the connection itself works. */
export function isRefusal(error: unknown): error is MigrationError {
  return error instanceof MigrationError && refusals.has(error.code);
}

export function unlessRefused<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  return reading.catch((error: unknown) => {
    if (isRefusal(error)) return undefined;
    throw error;
  });
}

/** @param remedy by default for a list of the legacy API */
export function notChecked(
  what: string,
  subject: string,
  error: MigrationError,
  remedy = `${SET_KEY}; a migrated zone may have no legacy API`,
): Finding {
  const message = `cannot read the ${what}: ${error.message}`;
  return { code: 'NOT_CHECKED', severity: 'decision', subject, message, remedy };
}
