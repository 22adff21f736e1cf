/** How many connections a client keeps open at once. */
export const CONNECTIONS = 8;

/** Lets requests through at the pace that the API allows a user. */
export interface RateLimiter {
  /** Resolves when one more request may be sent; in the order of the calls. */
  take(): Promise<void>;
}

/** How many requests, and who waits. */
interface RateLimitOptions {
  /** Requests in five minutes. */
  readonly requests?: number;
  /** Told before a wait, in milliseconds. */
  readonly onWait?: (milliseconds: number) => void;
  /** The clock, in milliseconds since the epoch. */
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

/** What the API allows a user or a token in five minutes (facts: cloudflare.md 2.3). */
const DEFAULT_RATE = 1200;
/**
 * Five minutes, and one second: the API counts when a request arrives. Above the limit it
 * refuses *everything* for five minutes, so a little less than it allows is far more.
 */
const WINDOW = 301_000;

/**
 * A limiter that never lets more than `requests` through in any five minutes; a burst may use them
 * all at once. Share one among all clients of one user: the API counts them together.
 */
export function createRateLimiter(options: RateLimitOptions = {}): RateLimiter {
  const { requests = DEFAULT_RATE, onWait, now = () => Date.now() } = options;
  const sleep = options.sleep ?? ((time) => new Promise<void>((done) => setTimeout(done, time)));
  /** When each of the last requests went out; the oldest is overwritten. */
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
