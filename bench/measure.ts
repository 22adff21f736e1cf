import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One line of the table. */
export interface Row {
  readonly name: string;
  readonly ratio: number;
  readonly limit: number;
  /** The measured values of both sides, for the reader. */
  readonly measured: string;
}

/** The time and memory of one run. */
export interface Run {
  readonly milliseconds: number;
  readonly peakMegabytes: number;
}

export interface Command {
  readonly argv: readonly [string, ...string[]];
  /** The exit codes that count as success. */
  readonly codes?: readonly number[];
}

/** The built command line, before its arguments. */
export const tool = [process.execPath, join(__dirname, '../dist/cli/main.js')] as const;

const time = '/usr/bin/time';

/** Runs each bench once with tiny sizes, to check only that it works. */
const isTiny = process.argv.includes('--tiny');
export const sized = <T>(full: T, tiny: T): T => (isTiny ? tiny : full);

/** The environment without variables that change what Terraform does or prints. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:TF_|CLOUDFLARE_)/.test(name));
  return { ...Object.fromEntries(kept), CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1' };
}

/**
 * Runs a command to its end.
 *
 * @throws Error when GNU time is missing, or the command ends with another exit code
 */
export function runOnce({ argv, codes = [0] }: Command): Run {
  if (!isTiny && !existsSync(time)) {
    throw new Error(`${time} is missing: install GNU time to measure memory`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'cf-waf-migrate-time-'));
  try {
    const report = join(folder, 'report');
    const start = process.hrtime.bigint();
    const [file, ...args] = isTiny ? argv : [time, '-f', '%M', '-o', report, ...argv];
    const run = spawnSync(file, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      env: cleanEnvironment(),
    });
    const milliseconds = Number(process.hrtime.bigint() - start) / 1e6;
    if (run.error !== undefined) throw run.error;
    if (run.status === null || !codes.includes(run.status)) {
      throw new Error(`${argv.join(' ')} ended with ${run.status ?? run.signal}: ${run.stderr}`);
    }
    if (isTiny) return { milliseconds, peakMegabytes: 1 };
    // GNU time adds a line before the figure if the exit code is not 0.
    const kilobytes = Number(readFileSync(report, 'utf8').trim().split('\n').at(-1));
    if (!(kilobytes > 0)) throw new Error(`${time} is not GNU time: it reports no peak memory`);
    return { milliseconds, peakMegabytes: kilobytes / 1024 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const value = sorted[sorted.length >> 1];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}

/** Two things measured in turn, so that other load on the machine affects both. */
export interface Pairs<T> {
  readonly ours: readonly T[];
  readonly theirs: readonly T[];
}

export function measureInTurn<T>(rounds: number, ours: () => T, theirs: () => T): Pairs<T> {
  const pairs = Array.from({ length: sized(rounds, 1) }, (_, round) => {
    if (round % 2 === 0) return { ours: ours(), theirs: theirs() };
    const second = theirs();
    return { ours: ours(), theirs: second };
  });
  return { ours: pairs.map((pair) => pair.ours), theirs: pairs.map((pair) => pair.theirs) };
}

/** The median of the ratios of the pairs, and the two medians in words. */
export function compare<T>(
  name: string,
  { ours, theirs }: Pairs<T>,
  figure: (one: T) => number,
  limit: number,
  unit: string,
): Row {
  const figures = { ours: ours.map(figure), theirs: theirs.map(figure) };
  const ratio = median(figures.ours.map((value, index) => value / (figures.theirs[index] ?? NaN)));
  const [left, right] = [median(figures.ours), median(figures.theirs)].map((value) =>
    value < 100 ? value.toFixed(1) : value.toFixed(0),
  );
  return { name, ratio, limit, measured: `${left} / ${right} ${unit}` };
}
