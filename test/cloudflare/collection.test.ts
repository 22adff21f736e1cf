import { filters, listWafPackages, wafOverrides } from '../../src/cloudflare/firewall';
import { listRulesets } from '../../src/cloudflare/rulesets';
import { listZones } from '../../src/cloudflare/zones';
import { failureOf, ZONE } from '../support/client-under-test';
import { ok, type Play, serve } from '../support/fault-server';
import { clientOverEmulator } from '../support/over-emulator';
import { ENTERPRISE, NOT_ELIGIBLE } from '../support/zones';

const FILTER = 'e0f1000000000000000000000000000a';
const zones = Array.from({ length: 23 }, (_, index) => ({
  id: index.toString(16).padStart(32, '0'),
  name: `zone-${index}.test`,
  plan: { legacy_id: 'pro' },
}));
const names = zones.map(({ name }) => name);

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
  ['no total_pages', 5, (page, per_page) => ({ page, per_page, count: 5 }), 6],
  ['nothing', 5, () => undefined, 6],
  ['null', 5, () => ({ page: null, per_page: 'x', total_pages: {} }), 6],
  ['0 pages', 5, () => ({ total_pages: 0, total_count: 23 }), 5],
  ['0 pages and no count', 5, () => ({ total_pages: 0 }), 6],
  ['too few pages', 5, () => ({ total_pages: 2, total_count: 23 }), 5],
  ['too few pages and too many items', 5, () => ({ total_pages: 1, total_count: 99 }), 6],
  ['one page in all', 50, (page, per_page) => ({ page, per_page, total_pages: 1 }), 1],
])('reads zones to the last page if result_info has %s', async (_, size, info, requests) => {
  const { client, server } = await serve([paged(zones, size, info)]);
  expect((await listZones(client)).map(({ name }) => name)).toEqual(names);
  expect(server.requests).toHaveLength(requests);
  expect(server.requests[0]?.url).toBe('/client/v4/zones?per_page=50');
  if (requests > 1) expect(server.requests[1]?.url).toBe('/client/v4/zones?per_page=50&page=2');
});

test('refuses a zone of another account, where the answer names it', async () => {
  const ours = 'a'.repeat(32);
  const of = (id: string) => [{ ...zones[0], account: { id } }, ...zones.slice(1)];
  const { client } = await serve([paged(of(ours), 50, () => undefined)]);
  expect((await listZones(client, ours)).map(({ name }) => name)).toEqual(names);
  const other = await serve([paged(of('b'.repeat(32)), 50, () => undefined)]);
  const { code, message } = await failureOf(listZones(other.client, ours));
  expect([code, message]).toEqual([
    'API_RESPONSE_INVALID',
    `the list of zones: zone ${zones[0]?.id} is not of account ${ours}`,
  ]);
});

test.each([
  ['nothing', {}],
  ['0 pages', { total_pages: 0 }],
  ['too many items', { total_pages: 1, total_count: 99 }],
])('reads a list without paging once if result_info has %s', async (_, result_info) => {
  const { client, server } = await serve([ok(zones, { result_info })]);
  expect(await listZones(client)).toHaveLength(zones.length);
  expect(server.requests).toHaveLength(2);
});

test.each([
  ['has more pages', { total_pages: 1_000_000 }],
  ['has another cursor', { cursors: { after: 'x' } }],
])('refuses a repeated page if the API reports that it %s', async (_, info) => {
  const { client, server } = await serve([ok(zones, { result_info: info })]);
  const error = await failureOf(listZones(client));
  expect([error.code, server.requests.length]).toEqual(['API_RESPONSE_INVALID', 2]);
  expect(error.message).toBe('the list of zones: page 2 repeats the page before it');
});

test('refuses a list that never ends', async () => {
  let page = 0;
  const { client, server } = await serve([
    (...pair) => {
      page += 1;
      ok([{ ...zones[0], name: `zone-${page}.test` }])(...pair);
    },
  ]);
  const error = await failureOf(listZones(client));
  expect(error.message).toBe('the list of zones: the list has more than 1,000 pages');
  expect(server.requests).toHaveLength(1000);
});

test('refuses an answer about another item', async () => {
  const { client } = await serve([ok({ id: 'f'.repeat(32), expression: 'true' })]);
  const error = await failureOf(filters.read(client, ZONE, FILTER));
  expect([error.code, error.message]).toEqual([
    'API_RESPONSE_INVALID',
    expect.stringContaining('another id'),
  ]);
});

test('ends a list with cursors at the page without one', async () => {
  const plays = [
    ok(zones.slice(0, 5), { result_info: { cursors: { after: 'x' } } }),
    ok(zones.slice(5), { result_info: {} }),
  ];
  const { client, server } = await serve(plays);
  expect((await listZones(client)).map(({ name }) => name)).toEqual(names);
  expect(server.requests).toHaveLength(2);
});

test('fails if a later page fails', async () => {
  const [first, second] = [ok(zones.slice(0, 5)), ok({ not: 'a list' })];
  const { client } = await serve([first, second]);
  const error = await failureOf(listZones(client));
  expect(error.code).toBe('API_RESPONSE_INVALID');
  expect(error.message).toMatch(/^the list of zones: the answer has an unknown shape \(result: /);
});

describe('rulesets', () => {
  const ruleset = (name: string) => ({ id: 'a'.repeat(32), name, kind: 'zone', phase: 'p' });

  test('are one response without paging data', async () => {
    const { client, server } = await serve([ok([ruleset('a'), ruleset('b')])]);
    expect(await listRulesets(client, ZONE)).toMatchObject([{ name: 'a' }, { name: 'b' }]);
    expect(server.requests.map(({ url }) => url)).toEqual([`/client/v4/zones/${ZONE}/rulesets`]);
  });

  test('are read with cursors', async () => {
    const cursor = (after: string) => ({ result_info: { cursors: { after } } });
    const plays = [
      ok([ruleset('a')], cursor('one&two')),
      ok([ruleset('b')], cursor('three')),
      ok([ruleset('c')], cursor('')),
    ];
    const { client, server } = await serve(plays);
    const found = await listRulesets(client, ZONE);
    expect(found.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(server.requests.map(({ url }) => url.split('?')[1])).toEqual([
      undefined,
      'cursor=one%26two',
      'cursor=three',
    ]);
  });
});

test('[S24] an update keeps unknown fields', async () => {
  const [client] = await clientOverEmulator({ scenario: 'enterprise' });
  const sent: unknown[] = [];
  const spied = {
    ...client,
    request: async (...args: Parameters<typeof client.request>) => {
      if (args[0] === 'PUT') sent.push(args[2]?.body);
      const envelope = await client.request(...args);
      const result = { ...(envelope.result as object), tier: 'gold' };
      return { ...envelope, result };
    },
  };
  const filter = await filters.read(spied, ENTERPRISE, FILTER);
  await failureOf(filters.update(spied, ENTERPRISE, { ...filter, paused: true }));
  expect(sent).toEqual([expect.objectContaining({ tier: 'gold', paused: true })]);
});

test('with both credentials, the legacy API gets the key, because it can refuse a token', async () => {
  const scenario = {
    name: 'strict',
    include: ['not-eligible'],
    settings: { legacyApiRefusesTokens: true },
  };
  const [client] = await clientOverEmulator({ scenario });
  expect(await wafOverrides.list(client, NOT_ELIGIBLE)).toHaveLength(2);
  expect((await listWafPackages(client, NOT_ELIGIBLE)).length).toBeGreaterThan(1);
});

test('lists a zone once that a new zone moves to the next page', async () => {
  const moved = [...zones.slice(0, 5), ...zones.slice(4)];
  const { client } = await serve([paged(moved, 5, () => undefined)]);
  expect((await listZones(client)).map(({ name }) => name)).toEqual(names);
});
