import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manyZones, zoneId } from '../test/support/many-zones';
import { type Megabytes, megabytes, ruleset, withLargeStates, zone } from './large-state';
import { type Command, median, type Row, type Run, runOnce, sized, tool } from './measure';
import { reviewConfig, writeEvents } from './review';

const rounds = sized(3, 1);
/** Ten times the input may take ten times the time and memory, plus 10 % for noise. */
const limit = 11;

/** The runs of one command with 1, 10 and 100 times its smallest input. */
type Growth = readonly [Run, Run, Run];

/** Time and peak memory of commands: 100 times the smallest input against 10 times. */
export async function benchGrowth(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cf-waf-migrate-growth-'));
  try {
    return [
      ...rowsOf('plan of a state of 100 MB, against 10 MB', await growPlan()),
      ...rowsOf('report of 1,000 zones as HTML, against 100', growReport(folder)),
      ...rowsOf('review of 10 million events, against 1 million', growReview(folder)),
      ...rowsOf('fleet status of 10,000 zones as HTML, against 1,000', growFleet(folder)),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function rowsOf(name: string, [one, ten, hundred]: Growth): Row[] {
  const row = (what: string, figure: (run: Run) => number, unit: string): Row => ({
    name: `${name}: ${what}`,
    ratio: figure(hundred) / figure(ten),
    limit,
    measured: `${[one, ten, hundred].map((run) => figure(run).toFixed(0)).join(' / ')} ${unit}`,
  });
  return [
    row('time', ({ milliseconds }) => milliseconds, 'ms'),
    row('peak memory', ({ peakMegabytes }) => peakMegabytes, 'MB'),
  ];
}

function growPlan(): Promise<Growth> {
  return withLargeStates((fileOf) => {
    const plan = (size: Megabytes): Run =>
      medianRun(['plan', '--state', fileOf(size), '--ruleset-id', ruleset, '--zone', zone]);
    const [one, ten, hundred] = megabytes;
    return [plan(one), plan(ten), plan(hundred)];
  });
}

function growReport(folder: string): Growth {
  return grow(sized(10, 1), (zones) => {
    const state = join(folder, `${zones}.tfstate`);
    writeFileSync(state, manyZones(zones));
    const out = join(folder, `report-${zones}`);
    mkdirSync(out);
    return ['report', '--state', state, '--format', 'html', '--out', join(out, 'report.html')];
  });
}

function growReview(folder: string): Growth {
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify(reviewConfig));
  return grow(sized(100_000, 100), (events) => {
    const file = join(folder, `${events}.ndjson`);
    writeEvents(file, events);
    return ['review', '--events', file, '--config', config, '--json'];
  });
}

function growFleet(folder: string): Growth {
  return grow(sized(100, 1), (zones) => {
    const ledger = join(folder, `${zones}.jsonl`);
    writeFileSync(ledger, finishedLedger(zones));
    return ['fleet', 'status', '--ledger', ledger, '--format', 'html'];
  });
}

/** The ledger of a `finish` that migrated all zones. */
function finishedLedger(count: number): string {
  const run = { stage: 'finish', request: '{}', at: '2026-01-01T00:00:00Z' };
  const zones = Array.from({ length: count }, (_, at) => ({
    zone: zoneId(at),
    name: `zone-${at}.example.com`,
  }));
  const entries = [
    { event: 'begin', ...run, resumes: false, zones },
    ...zones.flatMap((listed) => [
      { event: 'start', ...run, ...listed },
      { event: 'zone', ...run, ...listed, outcome: 'done', line: 'migrated', result: {} },
    ]),
    { event: 'end', ...run, open: 0 },
  ];
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

function grow(smallest: number, prepare: (size: number) => readonly string[]): Growth {
  const measure = (factor: number): Run => medianRun(prepare(smallest * factor));
  return [measure(1), measure(10), measure(100)];
}

/** The median time and the median peak memory of several runs. */
function medianRun(args: readonly string[]): Run {
  // 2: differences, decisions or manual steps remain.
  const command: Command = { argv: [...tool, ...args], codes: [0, 2] };
  const runs = Array.from({ length: rounds }, () => runOnce(command));
  return {
    milliseconds: median(runs.map((run) => run.milliseconds)),
    peakMegabytes: median(runs.map((run) => run.peakMegabytes)),
  };
}
