import { type LedgerEntry } from '../../src/fleet/ledger';
import { doneEarlier, whenRunAgain } from '../../src/fleet/resume';

const run = { stage: 'finish', request: '{}', at: '2026-11-21T00:00:00.000Z' };
const zone = (digit: string, outcome: 'done' | 'attention' | 'failed' = 'done'): LedgerEntry => ({
  ...{ event: 'zone', ...run, zone: digit.repeat(32), name: `${digit}.example` },
  ...{ outcome, line: 'migrated' },
});
const start = (digit: string): LedgerEntry => ({
  ...{ event: 'start', ...run, zone: digit.repeat(32), name: `${digit}.example` },
});
const begin = (): LedgerEntry => ({ event: 'begin', ...run, zones: [] });
const end = (open: number): LedgerEntry => ({ event: 'end', ...run, open });
const digits = (entries: LedgerEntry[], how = {}): string[] =>
  [...doneEarlier(entries, { ...run, ...how }).keys()].map((id) => id.charAt(0));

it.each<[string, LedgerEntry[], string[]]>([
  ['was stopped', [begin(), zone('a'), zone('b', 'attention')], ['a', 'b']],
  ['failed for a zone', [begin(), zone('a'), zone('b', 'failed'), end(1)], ['a']],
  ['did all', [begin(), zone('a'), end(0)], []],
  ['was resumed', [begin(), zone('a'), begin(), zone('b')], ['a', 'b']],
  ['started a zone again', [begin(), zone('a'), start('a')], []],
])('knows what an earlier run did that %s', (_, entries, done) => {
  expect(digits(entries)).toEqual(done);
});

it('runs zones that need attention again where only done zones count', () => {
  expect(digits([begin(), zone('a'), zone('b', 'attention')], { onlyDone: true })).toEqual(['a']);
});

it.each([
  ['finish', '{}', true],
  ['check', '{}', false],
  ['plan', '{"write":true}', true],
  ['plan', '{}', false],
])('resumes %s with the options %s: %s, and says so', (stage, request, isResumed) => {
  const entries = [begin(), zone('a')].map((entry) => ({ ...entry, stage, request }));
  expect(digits(entries, { stage, request })).toEqual(isResumed ? ['a'] : []);
  expect(whenRunAgain({ stage, request })).toBe(
    `the same command ${isResumed ? 'resumes with the zones that are left' : 'does all zones again'}`,
  );
});
