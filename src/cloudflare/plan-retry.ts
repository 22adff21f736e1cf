/** How one attempt ended, as far as a retry goes. */
export interface AttemptEnd {
  /** Only GET is sent again: a PUT that moves a zone may have arrived. */
  readonly method: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Undefined when no whole answer came. */
  readonly status: number | undefined;
  /** The connection broke, at a moment when trying again can help. */
  readonly dropped: boolean;
  /** Milliseconds, from the header. */
  readonly retryAfter: number | undefined;
}

/** With three retries a service that fails three times in a row is survived. */
const MAX_ATTEMPTS = 4;
const FIRST_DELAY = 500;
/**
 * The service refuses everything for five minutes after too many requests (facts: 1200 in 300 s).
 * Who asks for a longer wait is not asked earlier than that: the user is told instead.
 */
const MAX_RETRY_AFTER = 300_000;

/**
 * Decides whether an attempt is followed by another one.
 *
 * Not left to undici's retry interceptor (7.30): that resumes a broken body with a Range request,
 * which the service does not know, reads bodies of any size on the way, resends PUT and DELETE
 * unless told, and caps a Retry-After by asking earlier than it says.
 *
 * @returns milliseconds until the next attempt, or undefined when this one was the last
 */
export function planRetry(end: AttemptEnd): number | undefined {
  if (end.method !== 'GET' || end.attempt >= MAX_ATTEMPTS) return undefined;
  // 501 says that it never will.
  const worth =
    end.dropped ||
    (end.status !== undefined && (end.status === 429 || (end.status >= 500 && end.status !== 501)));
  if (!worth) return undefined;
  if (end.retryAfter === undefined) return FIRST_DELAY * 2 ** (end.attempt - 1);
  if (end.retryAfter > MAX_RETRY_AFTER) return undefined;
  return Math.max(end.retryAfter, FIRST_DELAY);
}
