import fc from 'fast-check';
import { type Rank } from '../../src/review/query/events';
import { AS_LOGGED, type Intended } from '../../src/review/managed-rules';
import { events } from './support/arbitrary-events';
import { compareSlowly, type RawEvent } from './support/reference';
import { cutLike, tablesOf } from './support/row-tables';
import { EngineUnderTest } from './support/with-engine';

let duckdb: EngineUnderTest;
beforeAll(async () => {
  duckdb = await EngineUnderTest.open();
});
afterAll(() => {
  duckdb.close();
});

const meant: Intended = {
  fallback: 3,
  rules: new Map<string, Rank>([
    ['a'.repeat(32), 2],
    ['b'.repeat(32), 0],
    ["'; DROP TABLE events; --", 1],
  ]),
};

test.each([
  ['as they stand', AS_LOGGED],
  ['as the rules are meant', meant],
])('the query agrees with the slow reference on any events, %s', async (_, intended) => {
  await fc.assert(
    fc.asyncProperty(events, async (all) => {
      const rows = await duckdb.compare(all, intended);
      const slow = compareSlowly(all, { ...intended, rules: new Map(intended.rules) });
      expect(tablesOf(rows)).toEqual(cutLike(slow, rows));
    }),
    { numRuns: 60 },
  );
});

const outcome = async (...all: RawEvent[]): Promise<string[]> => {
  const rows = await duckdb.compare(
    all.map((event) => ({ RayID: 'r', ...event })),
    AS_LOGGED,
  );
  return rows.filter(({ section }) => section === 'request').map((row) => row.outcome);
};
const old = (Action: string): RawEvent => ({ Source: 'waf', Action, RuleID: '100001' });
const fresh = (Action: string): RawEvent => ({
  Source: 'firewallmanaged',
  Action,
  RuleID: 'a'.repeat(32),
});
const custom = { Source: 'firewallcustom', Action: 'block' };

test.each(['/a\u001fb', '\u001f["x"]', '["x"]'])(
  'the path %j comes back as it was',
  async (path) => {
    const rows = await duckdb.compare(
      [{ ...old('block'), RayID: '[1]', ClientRequestPath: path, ClientRequestMethod: 'GET' }],
      AS_LOGGED,
    );
    const samples = rows.filter(({ section }) => section === 'sample');
    expect(samples.map((row) => [row.item, row.method, row.path])).toEqual([['[1]', 'GET', path]]);
  },
);

test('of the paths of a rule the ten most frequent are held, and the first by name of as many', async () => {
  const frequent = ['/z', '/z', '/z', '/y', '/y'];
  const once = Array.from('lkjihgfedcba', (name) => `/${name}`);
  const all = [...once, ...frequent].map((path, index) => ({
    ...old('block'),
    RayID: `r${index}`,
    ClientRequestPath: path,
  }));
  const rows = await duckdb.compare(all, AS_LOGGED);
  const paths = rows.flatMap((row) => (row.section === 'path' ? [[row.path, row.requests]] : []));
  expect(paths.sort()).toEqual([
    ...Array.from('abcdefgh', (name) => [`/${name}`, 1]),
    ['/y', 2],
    ['/z', 3],
  ]);
});

test.each<[string, RawEvent[]]>([
  ['both-act', [fresh('block'), old('block')]],
  ['both-act', [fresh('managed_challenge'), old('challenge')]],
  ['both-log', [fresh('log'), old('log')]],
  ['only-old', [old('block')]],
  ['only-old', [fresh('skip'), old('block')]],
  ['only-new', [fresh('log')]],
  ['only-new', [fresh('managedchallengebypassed')]],
  ['stricter', [fresh('block'), old('simulate')]],
  ['laxer', [fresh('log'), old('block')]],
  ['hidden', [fresh('block')]],
  ['hidden', [fresh('managed_challenge')]],
  ['cut-short', [fresh('log'), custom]],
  ['stopped-before', [custom]],
  ['neither', [{ Source: 'firewallcustom', Action: 'log' }]],
  ['sampled', [{ ...fresh('log'), SampleInterval: 10 }]],
  ['sampled', [{ ...old('block'), SampleInterval: '10' }]],
  ['both-act', [{ ...fresh('block'), SampleInterval: 10 }, old('block')]],
])('a request is %s', async (expected, all) => {
  expect(await outcome(...all)).toEqual([expected]);
  expect(await outcome(...[...all, ...all].reverse())).toEqual([expected]);
});
