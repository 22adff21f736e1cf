import { type Megabytes, megabytes, ruleset, zone } from './large-state';
import { compare, measureInTurn, type Row, runOnce, tool } from './measure';

const limits: Record<Megabytes, number> = { 1: 2, 10: 1, 100: 0.35 };
const rounds: Record<Megabytes, number> = { 1: 11, 10: 7, 100: 3 };

/** `plan` as a whole process, against `terraform state list` of the same state. */
export function benchPlan(fileOf: (size: Megabytes) => string): Row[] {
  return megabytes.flatMap((size) => {
    const options = ['--state', fileOf(size), '--ruleset-id', ruleset, '--zone', zone, '--json'];
    const pairs = measureInTurn(
      rounds[size],
      // 2: manual steps remain.
      () => runOnce({ argv: [...tool, 'plan', ...options], codes: [0, 2] }),
      () => runOnce({ argv: ['terraform', 'state', 'list', `-state=${fileOf(size)}`] }),
    );
    const name = `plan ${size} MB, against terraform state list`;
    const time = compare(name, pairs, ({ milliseconds }) => milliseconds, limits[size], 'ms');
    if (size !== 100) return [time];
    const memory = `${name}, peak memory`;
    return [time, compare(memory, pairs, ({ peakMegabytes }) => peakMegabytes, 1, 'MB')];
  });
}
