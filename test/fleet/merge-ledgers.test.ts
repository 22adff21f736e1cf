import fc from 'fast-check';
import { doneEarlier } from '../../src/fleet/done-earlier';
import { zoneStandings } from '../../src/fleet/fleet-table';
import { type LedgerEntry } from '../../src/fleet/ledger-entry';
import { mergeLedgers } from '../../src/fleet/merge-ledgers';

const at = fc.integer({ min: 0, max: 50 }).map((second) => new Date(second * 1000).toISOString());
const run = fc.record({
  stage: fc.constantFrom('check', 'generate'),
  request: fc.constantFrom('{}', '{"phase":1}'),
  at,
});
const entry: fc.Arbitrary<LedgerEntry> = fc.oneof(
  run.map((own): LedgerEntry => ({ event: 'begin', ...own, resumes: false })),
  fc.tuple(run, fc.subarray(['a', 'b', 'e', 'f'])).map(([own, digits]): LedgerEntry => {
    const zones = digits.map((digit) => ({ zone: digit.repeat(32), name: `${digit}.example` }));
    const error = { code: 'ZONE_NOT_REACHED', message: 'm', hint: 'h' };
    const refused = digits.map((digit, index) => ({ line: index + 1, text: digit, error }));
    return { event: 'begin', ...own, resumes: false, zones, refused };
  }),
  fc
    .tuple(run, fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('done', 'failed', 'attention'))
    .map(([own, digit, outcome]): LedgerEntry => ({
      event: 'zone',
      ...own,
      zone: digit.repeat(32),
      name: `${digit}.example`,
      outcome,
      line: outcome,
    })),
  fc.tuple(run, fc.constantFrom('a', 'b', 'e')).map(([own, digit]): LedgerEntry => ({
    event: 'start',
    ...own,
    zone: digit.repeat(32),
    name: `${digit}.example`,
  })),
  fc
    .tuple(run, fc.integer({ min: 0, max: 3 }))
    .map(([own, failed]): LedgerEntry => ({ event: 'end', ...own, failed })),
);
const ledger = fc.array(entry, { maxLength: 20 });

describe('merged ledgers', () => {
  it('do not depend on the order of the ledgers', () => {
    fc.assert(
      fc.property(fc.array(ledger, { maxLength: 4 }), (ledgers) => {
        expect(mergeLedgers([...ledgers].reverse())).toEqual(mergeLedgers(ledgers));
      }),
    );
  });

  it('have each zone once for each stage and request, and all of them', () => {
    fc.assert(
      fc.property(fc.array(ledger, { maxLength: 4 }), (ledgers) => {
        const keys = (entries: LedgerEntry[]): string[] =>
          entries.flatMap((one) =>
            'zone' in one ? [`${one.stage} ${one.request} ${one.zone}`] : [],
          );
        const merged = keys(mergeLedgers(ledgers));
        expect(new Set(merged).size).toBe(merged.length);
        expect(new Set(merged)).toEqual(new Set(keys(ledgers.flat())));
      }),
    );
  });

  it('know every zone that the last run of each part listed, and which of them none has done', () => {
    fc.assert(
      fc.property(fc.array(ledger, { maxLength: 4 }), (ledgers) => {
        const waiting = (entries: readonly LedgerEntry[]): string[] =>
          zoneStandings(entries)
            .flatMap(({ zone, stages }) =>
              Object.entries(stages).flatMap(([stage, { outcome }]) =>
                outcome === 'waiting' ? `${stage} ${zone}` : [],
              ),
            )
            .sort();
        // as if each ledger were a shard of its own
        const shards = ledgers.map((entries, part) =>
          entries.map((one) => (one.event === 'begin' ? { ...one, shard: `${part}` } : one)),
        );
        expect(waiting(mergeLedgers(ledgers))).toEqual(waiting(shards.flat()));
      }),
    );
  });

  it('are the same when they are merged again', () => {
    fc.assert(
      fc.property(fc.array(ledger, { maxLength: 4 }), (ledgers) => {
        const merged = mergeLedgers(ledgers);
        expect(mergeLedgers([merged])).toEqual(merged);
      }),
    );
  });

  it('are gone on with where one part was stopped, and not where all did all', () => {
    const own = { stage: 'check', request: '{}', at: '2026-11-21T00:00:00.000Z' };
    const zone = (digit: string): LedgerEntry => ({
      event: 'zone',
      ...own,
      zone: digit.repeat(32),
      name: digit,
      outcome: 'done',
      line: '',
    });
    const begin: LedgerEntry = { event: 'begin', ...own, resumes: false };
    const end: LedgerEntry = { event: 'end', ...own, failed: 0 };
    const stopped = mergeLedgers([
      [begin, zone('a'), end],
      [begin, zone('b')],
    ]);
    expect([...doneEarlier(stopped, own).keys()]).toEqual(['a'.repeat(32), 'b'.repeat(32)]);
    const whole = mergeLedgers([
      [begin, zone('a'), end],
      [begin, zone('b'), end],
    ]);
    expect(doneEarlier(whole, own).size).toBe(0);
    // in waves, an alarm left zones that no ledger has an entry of
    const alarmed = mergeLedgers([
      [begin, zone('a'), { ...end, failed: 3 }],
      [begin, zone('b'), end],
    ]);
    expect(doneEarlier(alarmed, own).size).toBe(2);
  });
});

describe('a ledger with a run that did all and one that was stopped', () => {
  const line = (second: number) => ({
    stage: 'check',
    request: '{}',
    at: `2026-11-21T00:00:0${second}.000Z`,
  });
  const begin = (second: number): LedgerEntry => ({
    event: 'begin',
    ...line(second),
    resumes: false,
  });
  const zone = (digit: string, second: number): LedgerEntry => ({
    event: 'zone',
    ...line(second),
    zone: digit.repeat(32),
    name: digit,
    outcome: 'done',
    line: '',
  });
  const whole: LedgerEntry[] = [
    begin(0),
    zone('a', 1),
    zone('b', 1),
    zone('c', 1),
    { event: 'end', ...line(2), failed: 0 },
  ];
  const stopped = [...whole, begin(3), zone('b', 4)];

  it('is gone on with as it is where it is merged alone', () => {
    const done = (entries: LedgerEntry[]): string[] => [...doneEarlier(entries, line(0)).keys()];
    expect(done(stopped)).toEqual(['b'.repeat(32)]);
    expect(done(mergeLedgers([stopped]))).toEqual(done(stopped));
    // the begin of the second run was cut
    const cut = [...whole, zone('b', 4)];
    expect(done(mergeLedgers([cut]))).toEqual(done(cut));
  });

  it('still says of each zone where it stands', () => {
    expect(zoneStandings(mergeLedgers([stopped]))).toEqual(zoneStandings(stopped));
  });

  it('takes nothing from another part that did all of its own', () => {
    const other: LedgerEntry[] = [begin(0), zone('d', 1), { event: 'end', ...line(2), failed: 0 }];
    const merged = mergeLedgers([stopped, other]);
    expect([...doneEarlier(merged, line(0)).keys()].sort()).toEqual(
      ['b', 'd'].map((digit) => digit.repeat(32)),
    );
  });
});

describe('where a zone stands', () => {
  it('is its last entry of each stage', () => {
    fc.assert(
      fc.property(ledger, (entries) => {
        for (const { zone, stages } of zoneStandings(entries)) {
          for (const [stage, { at: when, outcome }] of Object.entries(stages)) {
            const timesOf = (event: string): string[] =>
              entries.flatMap((one) =>
                one.event === event && 'zone' in one && one.zone === zone && one.stage === stage
                  ? [one.at]
                  : [],
              );
            if (outcome === 'unknown') expect(timesOf('start')).toContain(when);
            else
              expect(['waiting', 'unlisted'].includes(outcome) ? undefined : when).toBe(
                timesOf('zone').sort().at(-1),
              );
          }
        }
      }),
    );
  });
});
