import { type ErrorCode } from '../core/error-catalogue';
import { type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';

/** What was read, or why not. */
export type Optional<T> =
  | { readonly items: readonly T[]; readonly unread?: undefined }
  | { readonly items: readonly []; readonly unread: MigrationError };

/** The codes of an endpoint that is retired, or not accessible with these credentials. */
const refusals = new Set<ErrorCode>(['API_UNAUTHORIZED', 'API_REFUSED', 'API_NOT_FOUND']);

/** Reads a list that a command does not need; the command must report when it is unread. */
export async function readOptional<T>(list: AsyncIterable<T>): Promise<Optional<T>> {
  const items: T[] = [];
  try {
    for await (const item of list) items.push(item);
    return { items };
  } catch (error) {
    if (isRefusal(error)) return { items: [], unread: error };
    throw error;
  }
}

/** Whether the API refused: the connection works. */
export function isRefusal(error: unknown): error is MigrationError {
  return error instanceof MigrationError && refusals.has(error.code);
}

/** The finding for a list that was not read. */
export function notChecked(what: string, subject: string, error: MigrationError): Finding {
  return {
    code: 'NOT_CHECKED',
    severity: 'decision',
    subject,
    message: `cannot read the ${what}: ${error.message}`,
    remedy: 'set CLOUDFLARE_EMAIL and CLOUDFLARE_API_KEY: the legacy API can refuse an API token',
  };
}
