import fc from 'fast-check';
import { readPages } from '../../src/cloudflare/collection';
import { listRulesets } from '../../src/cloudflare/rulesets';
import { listZones } from '../../src/cloudflare/zones';
import { z } from 'zod';
import { failureOf, ZONE } from '../support/client-under-test';
import { ok, type Play } from '../support/fault-server';
import { withServer } from '../support/with-server';

const zones = Array.from({ length: 23 }, (_, index) => ({
  id: index.toString(16).padStart(32, '0'),
  name: `zone-${index}.test`,
  plan: { legacy_id: 'pro' },
}));
const names = zones.map(({ name }) => name);

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Serves a list in pages of a size that the service chooses, and says of it what `info` says. */
function paged(
  items: readonly unknown[],
  size: number,
  info: (page: number, perPage: number) => object | undefined,
): Play {
  return (response, request) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x');
    const page = Number(searchParams.get('page') ?? 1);
    const result = items.slice((page - 1) * size, page * size);
    const said = info(page, size);
    ok(result, said === undefined ? {} : { result_info: said })(response, request);
  };
}

test.each<[string, number, (page: number, size: number) => object | undefined, number]>([
  ['everything that is documented', 5, (page, per_page) => ({ page, per_page, total_pages: 5 }), 5],
  ['no total_pages', 5, (page, per_page) => ({ page, per_page, count: 5 }), 5],
  ['nothing', 5, () => undefined, 5],
  ['null', 5, () => ({ page: null, per_page: 'x', total_pages: {} }), 5],
  ['nothing, and the last page is full', 23, () => undefined, 2],
  ['no total_pages, and all on one page', 50, (page, per_page) => ({ page, per_page }), 1],
  ['how many there are', 5, (page) => ({ page, per_page: 50, count: 5, total_count: 23 }), 5],
  ['how many there are, and the first page is full', 23, () => ({ total_count: 23 }), 2],
  ['how many are on the page as all', 5, (page) => ({ total_count: page < 5 ? 5 : 3 }), 5],
  ['fewer than there are', 5, (page, per_page) => ({ page, per_page, total_count: 0 }), 5],
  ['more than there are', 5, (page, per_page) => ({ page, per_page, total_count: 99 }), 6],
  ['one page in all', 50, (page, per_page) => ({ page, per_page, total_pages: 1 }), 1],
])('zones are read to the last page when result_info holds %s', async (_, size, info, requests) => {
  await withServer([paged(zones, size, info)], async ({ client, server }) => {
    expect((await collect(listZones(client))).map(({ name }) => name)).toEqual(names);
    expect(server.requests).toHaveLength(requests);
    expect(server.requests[0]?.url).toBe('/client/v4/zones?per_page=50');
    if (requests > 1) expect(server.requests[1]?.url).toBe('/client/v4/zones?per_page=50&page=2');
  });
});

test('pages are asked for when they are needed', async () => {
  const info = (page: number) => ({ page, total_pages: 5 });
  await withServer([paged(zones, 5, info)], async ({ client, server }) => {
    for await (const { name } of listZones(client)) if (name === 'zone-6.test') break;
    expect(server.requests).toHaveLength(2);
  });
});

test('a service that does not page is not read for ever, nor twice', async () => {
  await withServer([ok(zones)], async ({ client, server }) => {
    expect(await collect(listZones(client))).toHaveLength(zones.length);
    expect(server.requests).toHaveLength(2);
  });
});

test.each([
  ['has more pages', { total_pages: 1_000_000 }],
  ['has another cursor', { cursors: { after: 'x' } }],
])('a page that comes again is an error where the service says that it %s', async (_, info) => {
  await withServer([ok(zones, { result_info: info })], async ({ client, server }) => {
    const error = await failureOf(collect(listZones(client)));
    expect([error.code, server.requests.length]).toEqual(['API_RESPONSE_INVALID', 2]);
    expect(error.message).toBe('the list of zones: page 2 repeats the page before it');
  });
});

test('a list is cut off by its pages and by its size', async () => {
  const endless =
    (size: number): Play =>
    (response, request) => {
      const page = new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? '1';
      const zone = { ...zones[0], id: page.padStart(32, '0'), note: 'x'.repeat(size) };
      ok([zone], { result_info: { total_pages: 1_000_000 } })(response, request);
    };
  await withServer([endless(1)], async ({ client, server }) => {
    const error = await failureOf(collect(listZones(client)));
    expect([error.code, server.requests.length]).toEqual(['API_RESPONSE_INVALID', 2000]);
    expect(error.message).toBe('the list of zones: the list does not end after 2000 pages');
  });
  await withServer([endless(40_000_000)], async ({ client, server }) => {
    const error = await failureOf(collect(listZones(client)));
    expect([error.code, server.requests.length]).toEqual(['API_RESPONSE_TOO_LARGE', 4]);
    expect(error.message).toBe('the list of zones: the list is larger than 128 MiB');
  });
}, 60_000);

test('no zones are no zones', async () => {
  await withServer([ok([])], async ({ client }) => {
    expect(await collect(listZones(client))).toEqual([]);
  });
});

test('a failure on a later page is a failure of the list', async () => {
  const [first, second] = [ok(zones.slice(0, 5)), ok({ not: 'a list' })];
  await withServer([first, second], async ({ client }) => {
    const error = await failureOf(collect(listZones(client)));
    expect(error.code).toBe('API_RESPONSE_INVALID');
    expect(error.message).toMatch(/^the list of zones: the answer has an unknown shape \(result: /);
  });
});

describe('rulesets', () => {
  const ruleset = (name: string) => ({ id: 'a'.repeat(32), name, kind: 'zone', phase: 'p' });

  test('are one answer when nothing is said of pages', async () => {
    await withServer([ok([ruleset('a'), ruleset('b')])], async ({ client, server }) => {
      expect(await collect(listRulesets(client, ZONE))).toMatchObject([
        { name: 'a' },
        { name: 'b' },
      ]);
      expect(server.requests.map(({ url }) => url)).toEqual([`/client/v4/zones/${ZONE}/rulesets`]);
    });
  });

  test('are read along the cursors', async () => {
    const cursor = (after: string) => ({ result_info: { cursors: { after } } });
    const plays = [
      ok([ruleset('a')], cursor('one&two')),
      ok([ruleset('b')], cursor('three')),
      ok([ruleset('c')], cursor('')),
    ];
    await withServer(plays, async ({ client, server }) => {
      const found = await collect(listRulesets(client, ZONE));
      expect(found.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
      expect(server.requests.map(({ url }) => url.split('?')[1])).toEqual([
        undefined,
        'cursor=one%26two',
        'cursor=three',
      ]);
    });
  });
});

test('every item comes once and in order, whatever the size of pages and what is said of them', async () => {
  const law = fc.asyncProperty(
    fc.nat(40),
    fc.integer({ min: 1, max: 15 }),
    fc.subarray(['page', 'per_page', 'total_pages', 'count', 'total_count'] as const),
    async (length, size, fields) => {
      const items = Array.from({ length }, (_, id) => ({ id }));
      const info = (page: number, per_page: number) => {
        const totals = { total_pages: Math.ceil(length / size), total_count: length };
        const all = { page, per_page, count: size, ...totals };
        return Object.fromEntries(fields.map((field) => [field, all[field]]));
      };
      await withServer([paged(items, size, info)], async ({ client }) => {
        const list = {
          path: '/things',
          item: z.object({ id: z.number() }),
          paging: 'number' as const,
          about: 'things',
        };
        expect(await collect(readPages(client, list))).toEqual(items);
      });
    },
  );
  await fc.assert(law, { numRuns: 100 });
});
