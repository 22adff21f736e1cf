import { zoneStandings } from '../../src/fleet/standings';
import { type LedgerEntry, type ZoneEntry } from '../../src/fleet/ledger';

const zone = 'a'.repeat(32);
const entry = (stage: string, outcome: ZoneEntry['outcome'], second: number): ZoneEntry => ({
  event: 'zone',
  stage,
  request: 'r',
  at: `2026-01-01T00:00:0${second}.000Z`,
  zone,
  name: 'a.example.com',
  outcome,
  line: `${stage} ${outcome}`,
});
const begin = (stage: string, second: number, ...digits: string[]): LedgerEntry => ({
  event: 'begin',
  stage,
  request: 'r',
  at: `2026-01-01T00:00:0${second}.000Z`,
  zones: digits.map((digit) => ({ zone: digit.repeat(32), name: `${digit}.example.com` })),
});
const outcomes = (...entries: LedgerEntry[]) =>
  Object.entries(zoneStandings(entries)[0]!.stages).map(([stage, { outcome }]) => [stage, outcome]);

it('the last entry of each stage counts', () => {
  const later = entry('check', 'done', 2);
  const earlier = entry('check', 'failed', 1);
  expect(outcomes(earlier, later)).toEqual([['check', 'done']]);
});

it('what kept a zone from moving no longer counts once it has moved', () => {
  const check = entry('check', 'attention', 1);
  expect(outcomes(check, entry('finish', 'done', 2))).toEqual([['finish', 'done']]);
});

it.each([
  ['the zone has not moved', entry('check', 'attention', 1), entry('finish', 'failed', 2)],
  ['it was checked afterwards', entry('check', 'attention', 3), entry('finish', 'done', 2)],
  ['nothing kept it', entry('check', 'done', 1), entry('finish', 'done', 2)],
])('but does when %s', (_, check, finish) => {
  expect(outcomes(check, finish)).toEqual([
    ['check', check.outcome],
    ['finish', finish.outcome],
  ]);
});

describe('a zone that a run had on its list and never came to', () => {
  const stopped = [begin('finish', 1, 'a', 'b', 'c'), entry('finish', 'done', 2)];

  const told = (...entries: LedgerEntry[]) =>
    zoneStandings(entries).map(({ stages }) => stages['finish']?.outcome);

  it('no longer waits when the last run had another list', () => {
    const later = [...stopped, begin('finish', 3, 'a', 'c'), entry('finish', 'done', 4)];
    expect(told(...later)).toEqual(['done', 'waiting']);
  });

  it('is still waiting when a run of another request had another list', () => {
    expect(told(...stopped, { ...begin('finish', 3, 'a'), request: 's' })).toEqual(
      told(...stopped),
    );
  });

  it('stands as an earlier run left it, where one had come to it', () => {
    expect(outcomes(entry('check', 'done', 1), begin('check', 2, 'a'))).toEqual([
      ['check', 'done'],
    ]);
  });
});

describe('a zone that a run has begun, and of which nothing says how it ended', () => {
  const start = (second: number): LedgerEntry => {
    const { stage, request, at, zone: id, name } = entry('finish', 'done', second);
    return { event: 'start', stage, request, at, zone: id, name };
  };
  const killed = [begin('finish', 1, 'a', 'b'), start(2)];

  it('is known once it has ended, also by a clock that was put back', () => {
    expect(outcomes(...killed, entry('finish', 'done', 3))).toEqual([['finish', 'done']]);
    expect(outcomes(...killed, entry('finish', 'done', 1))).toEqual([['finish', 'done']]);
  });
});
