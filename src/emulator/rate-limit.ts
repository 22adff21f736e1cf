import * as z from 'zod';

/**
 * The limit of the service: so many requests in so many seconds for each user, and after that 429
 * for everything until the time is over (public documentation: 1200 in 300).
 */
export const rateLimitSchema = z.strictObject({
  requests: z.int().min(1).default(1200),
  seconds: z.int().min(1).default(300),
});

/** A limit as a scenario sets it. */
export type RateLimit = z.infer<typeof rateLimitSchema>;

/** What a request finds of the limit. */
export interface RateLimitState {
  /** Requests that are left in this window. */
  readonly remaining: number;
  /** Seconds until the window ends, rounded up. */
  readonly reset: number;
  readonly exceeded: boolean;
}

/** Counts requests in fixed windows. `clock` is in milliseconds. */
export function createRateLimiter(
  { requests, seconds }: RateLimit,
  clock: () => number,
): () => RateLimitState {
  let start = -Infinity;
  let used = 0;
  return () => {
    const now = clock();
    if (now - start >= seconds * 1000) {
      start = now;
      used = 0;
    }
    used += 1;
    return {
      remaining: Math.max(0, requests - used),
      reset: Math.ceil((start + seconds * 1000 - now) / 1000),
      exceeded: used > requests,
    };
  };
}
