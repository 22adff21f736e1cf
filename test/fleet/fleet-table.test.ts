import { isOutOfDate, zoneStandings } from '../../src/fleet/standings';
import { type LedgerEntry, type ZoneEntry } from '../../src/fleet/ledger';

const head = (stage: string, second: number) => ({
  ...{ stage, request: 'r', at: `2026-01-01T00:00:0${second}.000Z` },
});
const zoneOf = (digit: string) => ({ zone: digit.repeat(32), name: `${digit}.example.com` });
const begin = (stage: string, second: number, digits: string): LedgerEntry => ({
  ...{ event: 'begin', ...head(stage, second), zones: Array.from(digits, zoneOf) },
});
const start = (second: number): LedgerEntry => ({
  ...{ event: 'start', ...head('finish', second), ...zoneOf('a') },
});
const end = (stage: string, second: number, outcome: ZoneEntry['outcome'] = 'done'): ZoneEntry => ({
  ...{ event: 'zone', ...head(stage, second), ...zoneOf('a'), outcome, line: '' },
});
/** A zone that is done at a stage of the plan with this digest. */
const endOf = (stage: string, second: number, digest: string): ZoneEntry => ({
  ...end(stage, second),
  result: { digest },
});

/** A run that came only to the first of its three zones. */
const stopped = [begin('finish', 1, 'abc'), end('finish', 2)];
const killed = [begin('finish', 1, 'ab'), start(2)];

it.each<[string, LedgerEntry[], ...string[]]>([
  ['the last entry counts', [end('check', 1, 'failed'), end('check', 2)], 'a check done'],
  [
    'a step that needed attention is done once the zone has migrated',
    [end('check', 1, 'attention'), end('finish', 2)],
    ...['a check done', 'a finish done'],
  ],
  [
    'one that failed no longer counts',
    [end('check', 1, 'failed'), end('finish', 2)],
    'a finish done',
  ],
  [
    'but does when the zone has not migrated',
    [end('check', 1, 'attention'), end('finish', 2, 'failed')],
    ...['a check attention', 'a finish failed'],
  ],
  [
    'but does when it was checked afterwards',
    [end('check', 3, 'attention'), end('finish', 2)],
    ...['a check attention', 'a finish done'],
  ],
  ['nothing kept it', [end('check', 1), end('finish', 2)], 'a check done', 'a finish done'],
  [
    'a zone no longer waits when the last run of its list left it out',
    [...stopped, begin('finish', 3, 'ac'), end('finish', 4)],
    ...['a finish done', 'c finish waiting'],
  ],
  [
    'but does when the last run had a list of another file',
    [...stopped, Object.assign(begin('finish', 3, 'ac'), { list: 'week-2.csv' })],
    ...['a finish done', 'b finish waiting', 'c finish waiting'],
  ],
  [
    'but does when a run of another request had another list',
    [...stopped, { ...begin('finish', 3, 'a'), request: 's' }],
    ...['a finish done', 'b finish waiting', 'c finish waiting'],
  ],
  ['an earlier run came to it', [end('check', 1), begin('check', 2, 'a')], 'a check done'],
  [
    'a new plan replaces the runs of the one before',
    [end('plan', 1), end('rehearse', 2), end('apply', 3, 'failed'), end('plan', 4)],
    'a plan done',
  ],
  [
    'but a plan that failed does not',
    [end('plan', 1), end('rehearse', 2), end('plan', 4, 'failed')],
    ...['a plan failed', 'a rehearse done'],
  ],
  [
    'but the same plan, made again, keeps its runs',
    [
      ...[endOf('plan', 1, 'p'), endOf('apply', 2, 'p'), end('verify', 3, 'failed')],
      endOf('plan', 4, 'p'),
    ],
    ...['a plan done', 'a apply done'],
  ],
  [
    'and another plan does not',
    [endOf('plan', 1, 'p'), endOf('apply', 2, 'p'), endOf('plan', 3, 'q')],
    'a plan done',
  ],
  ['it has ended', [...killed, end('finish', 3)], 'a finish done', 'b finish waiting'],
  [
    'it has ended by a clock that was put back',
    [...killed, end('finish', 1)],
    ...['a finish done', 'b finish waiting'],
  ],
])('%s', (_, entries, ...expected) => {
  const told = zoneStandings(entries).flatMap(({ name, stages }) =>
    Object.entries(stages).map(([stage, { outcome }]) => `${name.charAt(0)} ${stage} ${outcome}`),
  );
  expect(told).toEqual(expected);
});

it.each([
  ['PLAN_INVALID', true],
  ['STATE_CHANGED', true],
  ['TERRAFORM_FAILED', false],
])('the error %s makes a plan out of date: %s', (code, expected) => {
  const error = { code, message: '', hint: '', causes: [] };
  expect(isOutOfDate({ error })).toBe(expected);
});
