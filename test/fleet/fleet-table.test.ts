import { zoneStandings } from '../../src/fleet/fleet-table';
import { type ZoneEntry } from '../../src/fleet/ledger-entry';

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
const outcomes = (...entries: ZoneEntry[]) =>
  Object.entries(zoneStandings(entries)[0]!.stages).map(([stage, { outcome }]) => [stage, outcome]);

it('the last entry of each stage counts, in whichever order they are read', () => {
  const later = entry('check', 'done', 2);
  const earlier = entry('check', 'failed', 1);
  expect(outcomes(earlier, later)).toEqual([['check', 'done']]);
  expect(outcomes(later, earlier)).toEqual([['check', 'done']]);
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
