import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Megabytes, megabytes } from './large-state';
import { compare, measureInTurn, median, type Row, runOnce } from './measure';

const module = join(__dirname, '../dist/tfstate/parse-state.js');
const rounds: Record<Megabytes, number> = { 1: 41, 10: 15, 100: 5 };
/** The target in MB; `terraform state list` needs 510 MB. */
const memoryLimit = 450;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Milliseconds, after collecting the garbage of the previous round. */
function clocked(use: () => unknown): number {
  collect();
  const start = process.hrtime.bigint();
  use();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** Only the parsing of a state, against `JSON.parse` of the same bytes, in one warm process. */
export async function benchReading(fileOf: (size: Megabytes) => string): Promise<Row[]> {
  const { parseState } = (await import(module)) as { parseState: (bytes: Uint8Array) => unknown };
  const rows = megabytes.map((size) => {
    const file = fileOf(size);
    const ours = () => clocked(() => parseState(readFileSync(file)));
    const theirs = () => clocked(() => JSON.parse(readFileSync(file, 'utf8')));
    measureInTurn(2, ours, theirs);
    const pairs = measureInTurn(rounds[size], ours, theirs);
    return compare(`read ${size} MB, against JSON.parse`, pairs, (one) => one, 1.2, 'ms');
  });
  const script = `require(${JSON.stringify(module)}).parseState(require('fs').readFileSync(${JSON.stringify(fileOf(100))}))`;
  const runs = [1, 2, 3].map(() => runOnce({ argv: [process.execPath, '-e', script] }));
  const peak = median(runs.map(({ peakMegabytes }) => peakMegabytes));
  const measured = `${peak.toFixed(0)} / ${memoryLimit} MB`;
  const name = `read 100 MB, peak memory of the process, against ${memoryLimit} MB`;
  return [...rows, { name, ratio: peak / memoryLimit, limit: 1, measured }];
}
