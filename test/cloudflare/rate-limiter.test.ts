import fc from 'fast-check';
import { createRateLimiter } from '../../src/cloudflare/rate-limiter';
import { graphqlLimiter, readSecurityEvents } from '../../src/cloudflare/security-events';
import { clientUnderTest, ZONE } from '../support/client-under-test';
import { html, ok, type Play, serve } from '../support/fault-server';

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

test.each([
  ['[S140] 1,200 requests', 1200, createRateLimiter],
  ['300 queries of security events', 300, graphqlLimiter],
])('sends %s at once, and the next one after five minutes', async (_, most, create) => {
  const clock = clockAt(5_000);
  const limiter = create(clock);
  for (let count = 0; count < most; count += 1) await limiter.take();
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

const answer = (zone: object): Play => {
  const text = JSON.stringify({ data: { viewer: { zones: [zone] } }, errors: null });
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(text);
  };
};
const settings = answer({
  settings: {
    firewallEventsAdaptive: { maxPageSize: 2, maxDuration: 86_400, notOlderThan: 2_678_400 },
  },
});
const page = (...seconds: number[]): Play =>
  answer({
    firewallEventsAdaptive: seconds.map((second) => ({
      rayName: `r${second}`,
      datetime: new Date(second * 1000).toISOString(),
      sampleInterval: 1,
    })),
  });

test('queries wait for the GraphQL limit and lose no page', async () => {
  const time = clockAt(0);
  const { client, server } = await serve([settings, page(1, 2), page(2, 3), page(3, 4), page(4)]);
  const rays: unknown[] = [];
  const limiter = createRateLimiter({ ...time, requests: 2 });
  const span = { from: 0, until: 60_000 };
  for await (const events of readSecurityEvents(client, ZONE, span, limiter)) {
    rays.push(...events.map(({ RayID }) => RayID));
  }
  expect(rays).toEqual(['r1', 'r2', 'r3', 'r4']);
  expect(server.requests).toHaveLength(5);
  // five queries, two at a time
  expect(time.waits).toEqual([301_000, 301_000]);
});

test.each([
  ['the same page each time', page(1, 2), 3],
  ['invalid times', answer({ firewallEventsAdaptive: [{ datetime: 'x' }, {}] }), 2],
])('stops if the API returns %s', async (_, repeated, queries) => {
  const { client, server } = await serve([settings, ...Array<Play>(20).fill(repeated)]);
  const limiter = createRateLimiter(clockAt(0));
  const pages = readSecurityEvents(client, ZONE, { from: 0, until: 60_000 }, limiter);
  const readAll = async (): Promise<void> => {
    while ((await pages.next()).done !== true);
  };
  await expect(readAll()).rejects.toMatchObject({ code: 'API_RESPONSE_INVALID' });
  expect(server.requests).toHaveLength(queries);
});
