import { type RateLimiter } from '../../cloudflare/rate-limiter';

/** What decides how long the rest of a run takes. */
export interface Pace {
  /** Where the service is asked. */
  readonly limiter?: Pick<RateLimiter, 'taken' | 'waitFor'> | undefined;
  /** Requests that a zone takes most likely, until it is measured. */
  readonly requests?: number | undefined;
  /** Zones that no earlier run has done; all of them unless told. */
  readonly toDo?: number;
  /** Milliseconds that so many zones will be paused for between their waves. */
  readonly pauses?: (zones: number) => number;
}

/** What was done so far. */
export interface Way {
  /** Zones that this run has done itself. */
  readonly done: number;
  /** Milliseconds that they took. */
  readonly elapsed: number;
  /** Zones that are left. */
  readonly left: number;
  /** Requests that had been sent when the first zone was begun. */
  readonly sentBefore: number;
}

/**
 * Milliseconds that the rest of a run will take: by the time that a zone took so far, and no less
 * than the limit of requests and the pauses between waves allow. Undefined where nothing is known.
 */
export function estimate(
  { limiter, requests, pauses = () => 0 }: Pace,
  { done, elapsed, left, sentBefore }: Way,
): number | undefined {
  const sent = limiter === undefined ? 0 : limiter.taken - sentBefore;
  // what is under way has sent more than it has done: at the start that would be far too much
  const each = done < 10 ? (requests ?? 0) : sent / done;
  const byLimit = limiter?.waitFor(each * left) ?? 0;
  const least = Math.max(byLimit, pauses(left));
  if (done > 0) return Math.max(least, (elapsed / done) * left);
  return least > 0 ? least : undefined;
}
