import { readSecurityEvents } from '../../src/cloudflare/security-events';
import { ZONE } from '../support/client-under-test';
import { json, type Play, serve } from '../support/fault-server';

const answer = (zone: object): Play => json({ data: { viewer: { zones: [zone] } }, errors: null });
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

test('reads page by page, each event once', async () => {
  const { client, server } = await serve([settings, page(1, 2), page(2, 3), page(3, 4), page(4)]);
  const rays: unknown[] = [];
  for await (const events of readSecurityEvents(client, ZONE, { from: 0, until: 60_000 })) {
    rays.push(...events.map(({ RayID }) => RayID));
  }
  expect(rays).toEqual(['r1', 'r2', 'r3', 'r4']);
  expect(server.requests).toHaveLength(5);
});

test.each([
  ['the same page each time', page(1, 2), 3],
  ['invalid times', answer({ firewallEventsAdaptive: [{ datetime: 'x' }, {}] }), 2],
  ['events after the requested time', page(60, 61), 2],
])('stops if the API returns %s', async (_, repeated, queries) => {
  const { client, server } = await serve([settings, ...Array<Play>(20).fill(repeated)]);
  const pages = readSecurityEvents(client, ZONE, { from: 0, until: 60_000 });
  const readAll = async (): Promise<void> => {
    while ((await pages.next()).done !== true);
  };
  await expect(readAll()).rejects.toMatchObject({ code: 'API_RESPONSE_INVALID' });
  expect(server.requests).toHaveLength(queries);
});
