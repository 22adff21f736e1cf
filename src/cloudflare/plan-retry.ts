/** How one attempt ended, as far as a retry goes. */
interface AttemptEnd {
  /** Only GET is sent again: a PUT that migrates a zone may have arrived. */
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

/** Three retries survive an API that fails three times in a row. */
const MAX_ATTEMPTS = 4;
const FIRST_DELAY = 500;
/**
 * The API refuses everything for five minutes after too many requests (facts: 1200 in 300 s). A longer
 * wait is left to the user.
 */
const MAX_RETRY_AFTER = 300_000;

/**
 * Decides whether an attempt is followed by another one.
 *
 * Not left to undici's retry interceptor (7.30): that resumes a broken body with a Range request,
 * which the API does not support, reads bodies of any size on the way, resends PUT and DELETE
 * unless told, and caps a Retry-After by asking earlier than it says.
 *
 * @returns milliseconds until the next attempt, or undefined when this one was the last
 */
export function planRetry(end: AttemptEnd): number | undefined {
  const { method, attempt, status = 0, dropped, retryAfter } = end;
  if (method !== 'GET' || attempt >= MAX_ATTEMPTS) return undefined;
  // 501 is permanent
  if (!dropped && status !== 429 && (status < 500 || status === 501)) return undefined;
  if (retryAfter === undefined) return FIRST_DELAY * 2 ** (attempt - 1);
  return retryAfter > MAX_RETRY_AFTER ? undefined : Math.max(retryAfter, FIRST_DELAY);
}

/**
 * Reads `Retry-After`: seconds, or an HTTP date (RFC 9110, section 10.2.3).
 *
 * @param now - milliseconds since the epoch
 * @returns milliseconds to wait, 0 or more; undefined when there is no value that can be read
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Date.parse reads far more than HTTP dates, "-5" among them; those begin with the weekday
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
