import fs from 'node:fs';
import { join } from 'node:path';
import { type ZoneGroup } from '../../src/fleet/group-zones';
import { type Ledger, openLedger } from '../../src/fleet/ledger';
import { type FleetRun, runFleet, type ZoneOutcome } from '../../src/fleet/run-fleet';
import { type Waves } from '../../src/fleet/run-fleet';
import { MigrationError } from '../../src/core/migration-error';
import { temporaryFolder } from '../support/temporary-folder';

const zones = Array.from({ length: 6 }, (_, number) => ({
  id: String(number).repeat(32),
  name: `zone-${number}.example.com`,
}));
const groups: ZoneGroup[] = [zones.slice(0, 3), zones.slice(3, 4), zones.slice(4)].map((own) => ({
  zones: own,
}));
const waves: Waves = {
  size: 3,
  canaries: new Set(),
  pause: () => Promise.resolve(),
};

/** Runs the groups, and gives the outcome of each zone and what was written. */
async function run(options: Partial<FleetRun<ZoneGroup>>) {
  const ledger = openLedger(join(temporaryFolder(), 'ledger'));
  const flushed = jest.spyOn(fs, 'fsyncSync');
  const told: ZoneOutcome[] = [];
  try {
    const outcomes = await runFleet({
      stage: 'apply',
      request: '{}',
      groups,
      refused: [],
      earlier: new Map(),
      ledger,
      concurrency: 1,
      now: () => new Date(0),
      perform: () => Promise.resolve({ outcome: 'done', line: 'x', result: {} }),
      onZone: (outcome) => told.push(outcome),
      ...options,
    });
    return { outcomes, told, entries: ledger.entries, flushes: flushed.mock.calls.length };
  } finally {
    flushed.mockRestore();
    ledger.close();
  }
}

it('what cannot be undone is flushed to the disk when it is begun and has ended, and what can be is not', async () => {
  // two for each of three groups, and one for the end
  expect((await run({ waves })).flushes).toBe(7);
  expect((await run({})).flushes).toBe(0);
});

it.each([
  ['what cannot be undone', waves],
  ['what can be', undefined],
])(
  'a run of %s that is stopped begins no other zone, and calls none of these failed',
  async (_, how) => {
    const stop = new AbortController();
    const perform = jest.fn(() => {
      stop.abort();
      return Promise.reject(new MigrationError('TERRAFORM_FAILED', 'interrupted'));
    });
    const { outcomes, entries } = await run({ waves: how, stopped: stop.signal, perform });
    expect(perform).toHaveBeenCalledTimes(1);
    expect(outcomes.map(({ outcome, line }) => [outcome, line])).toEqual([
      ...Array.from({ length: 3 }, () => ['unknown', 'interrupted: interrupted']),
      ...Array.from({ length: 3 }, () => ['waiting', 'not started: the run was stopped']),
    ]);
    // a resumed run does them all
    expect(entries.at(-1)).toMatchObject({ event: 'end', open: 6 });
  },
);

it('zones that a stopped run has not begun count as open where all before them are done', async () => {
  const stop = new AbortController();
  const perform = (): Promise<{ outcome: 'done'; line: string; result: object }> => {
    stop.abort();
    return Promise.resolve({ outcome: 'done', line: 'x', result: {} });
  };
  const { outcomes, entries } = await run({ stopped: stop.signal, perform });
  expect(outcomes[3]).toMatchObject({
    outcome: 'waiting',
    line: 'not started: the run was stopped',
  });
  expect(entries.at(-1)).toMatchObject({ event: 'end', open: 3 });
});

describe('a ledger that takes no more', () => {
  const full = (event: string): Ledger => ({
    ...openLedger(join(temporaryFolder(), 'ledger')),
    append: ([first]) => {
      if (first?.event === event) throw new MigrationError('FILE_UNWRITABLE', 'full');
    },
  });

  it('when a zone is begun keeps it from being begun', async () => {
    const perform = jest.fn();
    await expect(run({ waves, perform, ledger: full('start') })).rejects.toMatchObject({
      code: 'FILE_UNWRITABLE',
    });
    expect(perform).not.toHaveBeenCalled();
  });

  it('when zones have ended still reports them, and begins no other one', async () => {
    const told: string[] = [];
    const onZone = ({ name }: ZoneOutcome) => told.push(name);
    await expect(run({ waves, onZone, ledger: full('zone') })).rejects.toMatchObject({
      message: 'full',
    });
    expect(told).toEqual(zones.slice(0, 3).map(({ name }) => name));
  });
});

it('a group is done again when one of its zones is not done, and told as earlier when all are', async () => {
  const { entries } = await run({});
  const done = new Map(entries.flatMap((one) => (one.event === 'zone' ? [[one.zone, one]] : [])));
  done.delete(zones[1]!.id);
  const asked: string[] = [];
  const { outcomes } = await run({
    earlier: done,
    perform: ({ zones: own }) => {
      asked.push(...own.map(({ name }) => name));
      return Promise.resolve({ outcome: 'attention', line: 'y', result: {} });
    },
  });
  expect(asked).toEqual(zones.slice(0, 3).map(({ name }) => name));
  expect(outcomes.map(({ earlier }) => earlier)).toEqual([false, false, false, true, true, true]);
});
