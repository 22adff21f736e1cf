import { setTimeout as delay } from 'node:timers/promises';

/** The maximum number of open connections of a client. */
export const CONNECTIONS = 8;

export interface RateLimiter {
  /** Resolves when one more request may be sent, in the order of the calls. */
  take(): Promise<void>;
}

interface RateLimitOptions {
  /** Requests in five minutes. */
  readonly requests?: number;
  readonly onWait?: (milliseconds: number) => void;
  /** The clock, in milliseconds since the epoch. */
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

/** The number of requests that the API allows a user or token in five minutes. */
const DEFAULT_RATE = 1200;
/**
 * Five minutes plus one second, because the API counts requests when they arrive. Above the limit
 * it refuses *all* requests for five minutes, so a small margin costs far less.
 */
const WINDOW = 301_000;

/**
 * Creates a limiter that allows at most `requests` in any five minutes, in bursts if needed. Share
 * one among all clients of a user, because the API counts their requests together.
 */
export function createRateLimiter(options: RateLimitOptions = {}): RateLimiter {
  const { requests = DEFAULT_RATE, onWait, now = () => Date.now(), sleep = delay } = options;
  /** The times of the last requests, as a ring buffer. */
  const sent: number[] = [];
  let next = 0;
  let queue = Promise.resolve();

  async function pass(): Promise<void> {
    const oldest = sent[next];
    const wait = oldest === undefined ? 0 : oldest + WINDOW - now();
    if (wait > 0) {
      onWait?.(wait);
      await sleep(wait);
    }
    sent[next] = now();
    next = (next + 1) % requests;
  }
  return {
    take: () => {
      queue = queue.then(pass);
      return queue;
    },
  };
}
