import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manyZones, rulesetId, zoneId } from '../test/support/many-zones';
import { compare, measureInTurn, type Row, runOnce, sized, tool } from './measure';

const count = sized(400, 3);
const rounds = 9;

/** `plan` for all zones of a state, as a whole process, against the plan for one of them. */
export function benchManyZones(): Row[] {
  const folder = mkdtempSync(join(tmpdir(), 'cf-waf-migrate-zones-'));
  try {
    const file = join(folder, 'zones.tfstate');
    writeFileSync(file, manyZones(count));
    const plan = (zones: number) => () => {
      const each = Array.from({ length: zones }, (_, at) => at);
      const flags = [
        ...each.flatMap((at) => ['--zone', zoneId(at)]),
        ...each.flatMap((at) => ['--ruleset-id', `${zoneId(at)}=${rulesetId(at)}`]),
      ];
      const argv = [...tool, 'plan', '--state', file, ...flags, '--json'] as const;
      // 2: decisions remain, about the other zones of the state
      return runOnce({ argv, codes: [0, 2] });
    };
    const pairs = measureInTurn(rounds, plan(count), plan(1));
    const name = `plan ${count} zones in one state, against one of them`;
    return [compare(name, pairs, ({ milliseconds }) => milliseconds, 1.5, 'ms')];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
