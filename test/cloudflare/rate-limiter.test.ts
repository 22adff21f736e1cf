import fc from 'fast-check';
import { createRateLimiter } from '../../src/cloudflare/rate-limiter';
import { clientUnderTest } from '../support/client-under-test';
import { html, ok, serve } from '../support/fault-server';

/** A clock that moves only during sleep. */
function clockAt(start: number) {
  let time = start;
  const waits: number[] = [];
  return {
    waits,
    now: () => time,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    sleep: (milliseconds: number) => {
      time += milliseconds;
      return Promise.resolve();
    },
    onWait: (milliseconds: number) => waits.push(milliseconds),
  };
}

test('[S140] sends 1,200 requests at once, and the next one after five minutes', async () => {
  const clock = clockAt(5_000);
  const limiter = createRateLimiter(clock);
  for (let count = 0; count < 1200; count += 1) await limiter.take();
  expect(clock.now()).toBe(5_000);
  await limiter.take();
  expect(clock.waits).toEqual([301_000]);
});

test('never sends more requests in five minutes than allowed', async () => {
  const law = fc.asyncProperty(
    fc.integer({ min: 1, max: 20 }),
    fc.array(fc.nat(60_000), { maxLength: 120 }),
    async (requests, gaps) => {
      const clock = clockAt(0);
      const limiter = createRateLimiter({ ...clock, requests });
      const sent: number[] = [];
      for (const gap of gaps) {
        clock.pass(gap);
        await limiter.take();
        sent.push(clock.now());
      }
      sent.forEach((at, index) => {
        const inWindow = sent.slice(index).filter((later) => later - at < 300_000);
        expect(inWindow.length).toBeLessThanOrEqual(requests);
      });
    },
  );
  await fc.assert(law, { numRuns: 200 });
});

test('keeps the order of calls at the same time', async () => {
  const clock = clockAt(0);
  const limiter = createRateLimiter({ ...clock, requests: 2 });
  const order: string[] = [];
  const names = ['a', 'b', 'c', 'd', 'e'];
  await Promise.all(names.map((name) => limiter.take().then(() => order.push(name))));
  expect(order).toEqual(names);
  expect(clock.waits).toEqual([301_000, 301_000]);
});

test('two clients with one limiter share its budget, and a retry counts', async () => {
  const clock = clockAt(0);
  const limiter = createRateLimiter({ ...clock, requests: 3 });
  const { server } = await serve([html(503), ok({}), ok({})]);
  const one = clientUnderTest(server.baseUrl, { limiter }).client;
  const other = clientUnderTest(server.baseUrl, { limiter }).client;
  await one.request('GET', '/a');
  await other.request('GET', '/b');
  expect(server.requests).toHaveLength(3);
  expect(clock.waits).toEqual([]);
  await one.request('GET', '/c');
  expect(clock.waits).toHaveLength(1);
  await Promise.all([one.close(), other.close()]);
});
