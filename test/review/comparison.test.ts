import fc from 'fast-check';
import { AS_LOGGED, type Intended } from '../../src/review/query/comparison-query';
import { type Rank } from '../../src/review/query/events';
import { events } from './support/arbitrary-events';
import { compareEvents } from './support/duckdb';
import { compareSlowly, type RawEvent } from './support/reference';
import { cutLike, tablesOf } from './support/row-tables';

const configured: Intended = {
  fallback: 3,
  rules: new Map<string, Rank>([
    ['a'.repeat(32), 2],
    ['b'.repeat(32), 0],
    ['c'.repeat(32), 1],
  ]),
};

test.each([
  ['a log is a log', AS_LOGGED],
  ['a log counts as what the rule is configured to do', configured],
])('the query agrees with the slow reference on any events: %s', async (_, intended) => {
  await fc.assert(
    fc.asyncProperty(events, async (all) => {
      const rows = await compareEvents(all, intended);
      const slow = compareSlowly(all, { ...intended, rules: new Map(intended.rules) });
      expect(tablesOf(rows)).toEqual(cutLike(slow, rows));
    }),
    { numRuns: 60 },
  );
});

const legacy = (Action: string, RuleID = '100001'): RawEvent => ({ Source: 'waf', Action, RuleID });
const fresh = (Action: string, RuleID = 'a'.repeat(32)): RawEvent => ({
  Source: 'firewallmanaged',
  Action,
  RuleID,
});
const custom = { Source: 'firewallcustom', Action: 'block' };

test.each(['/a\u0001b', '["x"]'])('keeps the path %j unchanged', async (path) => {
  const rows = await compareEvents(
    [{ ...legacy('block'), RayID: '[1]', ClientRequestPath: path, ClientRequestMethod: 'GET' }],
    AS_LOGGED,
  );
  const samples = rows.filter(({ section }) => section === 'sample');
  expect(samples.map((row) => [row.item, row.method, row.path])).toEqual([['[1]', 'GET', path]]);
});

test('keeps the ten most frequent paths of a rule, and the first by name of equally frequent ones', async () => {
  const frequent = ['/z', '/z', '/z', '/y', '/y'];
  const once = Array.from('lkjihgfedcba', (name) => `/${name}`);
  const all = [...once, ...frequent].map((path, index) => ({
    ...legacy('block'),
    RayID: `r${index}`,
    ClientRequestPath: path,
  }));
  const rows = await compareEvents(all, AS_LOGGED);
  const paths = rows.flatMap((row) => (row.section === 'path' ? [[row.path, row.requests]] : []));
  expect(paths.sort()).toEqual([
    ...Array.from('abcdefgh', (name) => [`/${name}`, 1]),
    ['/y', 2],
    ['/z', 3],
  ]);
});

test('decides the outcome of a request for any order and duplicates of its events', async () => {
  const cases: [string, RawEvent[]][] = [
    ['both-act', [fresh('block'), legacy('block')]],
    ['both-act', [fresh('managed_challenge'), legacy('challenge')]],
    ['both-log', [fresh('log'), legacy('log')]],
    ['only-legacy', [legacy('block')]],
    ['only-legacy', [fresh('skip'), legacy('block')]],
    ['only-new', [fresh('log')]],
    ['only-new', [fresh('managedchallengebypassed')]],
    ['only-new', [fresh('block'), legacy('simulate')]],
    ['only-new', [fresh('managedchallengebypassed'), legacy('log')]],
    ['only-legacy', [fresh('log'), legacy('block')]],
    ['only-legacy', [fresh('log'), legacy('challenge')]],
    ['stricter', [fresh('block'), legacy('challenge')]],
    ['laxer', [fresh('managed_challenge'), legacy('block')]],
    ['hidden', [fresh('block')]],
    ['hidden', [fresh('managed_challenge')]],
    ['cut-short', [fresh('log'), custom]],
    ['stopped-before', [custom]],
    ['neither', [{ Source: 'firewallcustom', Action: 'log' }]],
    ['sampled', [{ ...fresh('log'), SampleInterval: 10 }]],
    ['sampled', [{ ...legacy('block'), SampleInterval: '10' }]],
    ['both-act', [{ ...fresh('block'), SampleInterval: 10 }, legacy('block')]],
  ];
  const outcomesOf = async (request: RawEvent[]): Promise<string[]> => {
    const rows = await compareEvents(
      request.map((event) => ({ RayID: 'r', ...event })),
      AS_LOGGED,
    );
    return rows.filter(({ section }) => section === 'request').map((row) => row.outcome);
  };
  for (const [outcome, request] of cases) {
    const found = [await outcomesOf(request), await outcomesOf([...request, ...request].reverse())];
    expect([request, found]).toEqual([request, [[outcome], [outcome]]]);
  }
});
