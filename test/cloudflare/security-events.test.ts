import { ZONE } from '../support/client-under-test';
import { type Play, withServer } from '../support/fault-server';
import { createRateLimiter } from '../../src/cloudflare/rate-limiter';
import { graphqlLimiter, readSecurityEvents } from '../../src/cloudflare/security-events';

/** A clock that moves only while somebody sleeps. */
function clock() {
  let time = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => time,
    sleep: (milliseconds: number) => {
      time += milliseconds;
      return Promise.resolve();
    },
    onWait: (milliseconds: number) => waits.push(milliseconds),
  };
}

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

test('queries wait for a limit of their own, and no page is lost by it', async () => {
  const time = clock();
  await withServer(
    [settings, page(1, 2), page(2, 3), page(3, 4), page(4)],
    async ({ client, server }) => {
      const rays: unknown[] = [];
      const limiter = createRateLimiter({ ...time, requests: 2 });
      const span = { from: 0, until: 60_000 };
      for await (const { events, overfull } of readSecurityEvents(client, ZONE, span, limiter)) {
        expect(overfull).toBe(false);
        rays.push(...events.map(({ rayName }) => rayName));
      }
      expect(rays).toEqual(['r1', 'r2', 'r3', 'r4']);
      expect(server.requests).toHaveLength(5);
      // five queries, two at a time
      expect(time.waits).toEqual([301_000, 301_000]);
    },
  );
});

test('300 queries go out at once, and the next one waits until five minutes are over', async () => {
  const time = clock();
  const limiter = graphqlLimiter(time);
  for (let count = 0; count < 300; count += 1) await limiter.take();
  expect(time.waits).toEqual([]);
  await limiter.take();
  expect(time.waits).toEqual([301_000]);
});

describe('a service that gives the same page whatever is asked for', () => {
  const rounds = async (repeated: Play) => {
    const pages: [number, boolean][] = [];
    const limiter = createRateLimiter(clock());
    const plays = [settings, ...Array<Play>(20).fill(repeated)];
    const read = withServer(plays, async ({ client }) => {
      const span = { from: 0, until: 60_000 };
      for await (const { events, overfull } of readSecurityEvents(client, ZONE, span, limiter)) {
        pages.push([events.length, overfull]);
      }
    });
    await expect(read).rejects.toMatchObject({
      code: 'API_RESPONSE_INVALID',
      message: expect.stringContaining('no later events than the one before'),
    });
    return pages;
  };

  it('is not asked for ever', async () => {
    // the third time what lies behind is asked for
    expect(await rounds(page(1, 2))).toEqual([
      [2, false],
      [1, true],
    ]);
  });

  it('is not asked for ever where its times are none', async () => {
    const odd = { rayName: 'r', datetime: 'soon', sampleInterval: 1 };
    const noTimes = answer({ firewallEventsAdaptive: [odd, { ...odd, rayName: 's' }] });
    expect(await rounds(noTimes)).toEqual([[2, true]]);
  });
});
