import { existsSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { type RateLimiter } from '../../src/cloudflare/rate-limiter';
import { makeFolders } from '../../src/actions/make-folders';
import { createSharedRateLimiter } from '../../src/cloudflare/shared-rate-limiter';
import { temporaryFolder } from '../support/temporary-folder';

const START = 1_800_000_000_000;
/** Several processes on one machine: one clock, one file, and a limiter each. */
function machine(path = join(temporaryFolder(), 'state/rate')) {
  let time = START;
  const unshared: unknown[] = [];
  const limiter = (requests?: number): RateLimiter =>
    createSharedRateLimiter({
      path,
      makeFolder: () => makeFolders(dirname(path)),
      ...(requests === undefined ? {} : { requests }),
      now: () => time,
      sleep: (milliseconds) => {
        time += milliseconds;
        return Promise.resolve();
      },
      onUnshared: (cause) => unshared.push(cause),
    });
  return {
    path,
    limiter,
    unshared,
    now: () => time - START,
    pass: (milliseconds: number) => (time += milliseconds),
  };
}

it('lets 1,200 requests of all runs through, and the next one when five minutes are over', async () => {
  const { path, limiter, now, unshared } = machine();
  const runs = [limiter(), limiter(), limiter()];
  for (let count = 0; count < 1200; count += 1) await runs[count % 3]!.take();
  expect([now(), runs[0]!.waitFor(1), runs[0]!.waitFor(1201)]).toEqual([0, 301_000, 602_000]);
  await limiter().take();
  expect([now(), unshared]).toEqual([301_000, []]);
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  expect(existsSync(`${path}.lock`)).toBe(false);
});

it('never lets more through in any five minutes, whoever asks, and whatever dies on the way', async () => {
  const law = fc.asyncProperty(
    fc.integer({ min: 1, max: 20 }),
    fc.array(fc.tuple(fc.nat(60_000), fc.nat(4)), { maxLength: 90 }),
    async (requests, asked) => {
      const { limiter, now, pass } = machine();
      const runs = Array.from({ length: 4 }, () => limiter(requests));
      const sent: number[] = [];
      for (const [gap, who] of asked) {
        pass(gap);
        // of one that was killed another takes the place, with nothing but the file
        if (who === 4) runs[0] = limiter(requests);
        await runs[who % 4]!.take();
        sent.push(now());
      }
      sent.forEach((at, index) => {
        const inWindow = sent.slice(index).filter((later) => later - at < 300_000);
        expect(inWindow.length).toBeLessThanOrEqual(requests);
      });
    },
  );
  await fc.assert(law, { numRuns: 40 });
});

it('takes a lock over that a killed process left, and waits for one that is held', async () => {
  const { path, limiter, now } = machine();
  await limiter().take();
  writeFileSync(`${path}.lock`, '');
  const old = new Date(Date.now() - 10_000);
  utimesSync(`${path}.lock`, old, old);
  await limiter().take();
  expect([now(), existsSync(`${path}.lock`)]).toEqual([2, false]);
});

it.each([
  ['from a clock that was set back', Buffer.from(new Float64Array(1201).fill(START * 2).buffer)],
  ['that is no record', Buffer.from('x'.repeat(9608))],
  ['that is cut', Buffer.alloc(13, 7)],
])('is not held up by a file %s', async (_, bytes) => {
  const path = join(temporaryFolder(), 'rate');
  writeFileSync(path, bytes);
  const { limiter, now } = machine(path);
  for (let count = 0; count < 5; count += 1) await limiter(3).take();
  expect(now()).toBeLessThanOrEqual(301_000);
});

it('counts for itself where no file can be written, and says so once', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  const { limiter, now, unshared } = machine(join(file, 'rate'));
  const alone = limiter(3);
  for (let count = 0; count < 4; count += 1) await alone.take();
  expect([now(), unshared.length, alone.taken]).toEqual([301_000, 1, 4]);
});

it('goes on with its own count where the file is deleted under it', async () => {
  const { path, limiter, now, unshared } = machine();
  const run = limiter(4);
  for (let count = 0; count < 3; count += 1) await run.take();
  rmSync(path);
  await run.take();
  expect(now()).toBe(0);
  await run.take();
  expect([now(), unshared]).toEqual([301_000, []]);
});
