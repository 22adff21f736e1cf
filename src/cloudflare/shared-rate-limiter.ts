import { closeSync, constants, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { types } from 'node:util';
import {
  createRateLimiter,
  DEFAULT_RATE,
  type RateLimiter,
  type RateLimitOptions,
  waitFor,
  WINDOW,
} from './rate-limiter';

/** Where the requests of all runs with the same credentials are written down. */
interface SharedOptions extends RateLimitOptions {
  /** A file for each service and secret; its name must not give the secret away. */
  readonly path: string;
  /** Makes the folder of `path` where there is none; throws where it cannot. */
  readonly makeFolder: () => void;
  /** Told once, when the record cannot be kept: from then on this run counts for itself alone. */
  readonly onUnshared: (cause: unknown) => void;
}

/** Of each request a time in milliseconds since the epoch, as a number of eight bytes. */
const SLOT = 8;
/** Behind the slots, how many requests were ever written: it says which slot is next. */
const COUNT_AT = DEFAULT_RATE * SLOT;
/** The lock is held for a few system calls: one that is this old is of a process that was killed. */
const STALE = 2_000;
/** Milliseconds between two attempts to get the lock. */
const RETRY = 2;

/**
 * A limiter that all processes of this user share, by a file of 1,200 times, of which the oldest is
 * overwritten: every request reserves the moment at which it may go out, before it does. A process
 * that is killed leaves at most a reservation that nobody uses, and a lock that soon counts as
 * stale. Two that break a stale lock at once can reserve the same slot: one request is not counted.
 */
export function createSharedRateLimiter(options: SharedOptions): RateLimiter {
  const { path, requests = DEFAULT_RATE, onWait, now = () => Date.now() } = options;
  const sleep = options.sleep ?? ((time) => new Promise<void>((done) => setTimeout(done, time)));
  let alone: RateLimiter | undefined;
  let file: number | undefined;
  let taken = 0;
  let queue = Promise.resolve();

  async function pass(): Promise<void> {
    taken += 1;
    if (alone !== undefined) return alone.take();
    let at: number;
    try {
      file ??= openRecord();
      at = await reserve(file);
    } catch (error) {
      options.onUnshared(error);
      alone = createRateLimiter(options);
      // what has gone out already counts, as if it had been just now
      for (let count = 1; count < Math.min(taken, requests); count += 1) await alone.take();
      return alone.take();
    }
    const wait = at - now();
    if (wait <= 0) return;
    onWait?.(wait);
    await sleep(wait);
  }

  /** Made where it is not there; not appended to, or a write could not choose its place. */
  function openRecord(): number {
    options.makeFolder();
    return openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  /** The moment at which one more request may go out, which is then taken. */
  async function reserve(record: number): Promise<number> {
    while (!tryLock(`${path}.lock`)) await sleep(RETRY);
    try {
      const count = readNumber(record, COUNT_AT);
      const time = now();
      const before = slotOf(record, count - requests, time);
      const at = before === undefined ? time : Math.max(time, before + WINDOW);
      writeNumber(record, (count % DEFAULT_RATE) * SLOT, at);
      writeNumber(record, COUNT_AT, count + 1);
      return at;
    } finally {
      rmSync(`${path}.lock`, { force: true });
    }
  }

  return {
    take: () => {
      queue = queue.then(pass);
      return queue;
    },
    get taken() {
      return taken;
    },
    waitFor: (more) => {
      const record = file;
      if (alone !== undefined || record === undefined) return alone?.waitFor(more) ?? 0;
      const time = now();
      const first = readNumber(record, COUNT_AT) - requests;
      return waitFor(more, requests, time, (index) => slotOf(record, first + index, time));
    },
  };
}

function tryLock(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    if (!types.isNativeError(error) || !('code' in error) || error.code !== 'EEXIST') throw error;
    const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Math.abs(Date.now() - made) > STALE) rmSync(path, { force: true });
    return false;
  }
}

/**
 * When a request went out, or will, by its number; undefined where there is none, and where the time
 * is further ahead than anybody reserves: then the clock was set back, or it is no record of ours.
 */
function slotOf(record: number, number: number, now: number): number | undefined {
  if (!Number.isSafeInteger(number) || number < 0) return undefined;
  const at = readNumber(record, (number % DEFAULT_RATE) * SLOT);
  return at > 0 && at < now + 2 * WINDOW ? at : undefined;
}

function readNumber(record: number, position: number): number {
  const bytes = Buffer.alloc(SLOT);
  if (readSync(record, bytes, 0, SLOT, position) < SLOT) return 0;
  const value = bytes.readDoubleLE();
  return Number.isSafeInteger(Math.trunc(value)) && value > 0 ? value : 0;
}

function writeNumber(record: number, position: number, value: number): void {
  const bytes = Buffer.alloc(SLOT);
  bytes.writeDoubleLE(value);
  if (writeSync(record, bytes, 0, SLOT, position) < SLOT) throw new Error('the disk is full');
}
