import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inWorld } from '../test/support/world';
import { applyPlan, makePlan, type Order, orderNames, settings } from './apply-place';
import { benchApplyTime } from './apply-time';
import { type Row, sized } from './measure';

/** Two `state pull`, before and after the removal, and two plans with `show`. */
const mostStarts = 6;
const manyResources = sized(33, 4);

/** Counts the Terraform starts of `apply` and its requests to the legacy API. */
function count(resources: number, order: Order): Promise<{ starts: number; old: number }> {
  return inWorld(settings(resources), async (world) => {
    const { lab } = world;
    const place = { ...world, environment: lab.environment };
    await makePlan(place, order);
    mkdirSync(join(lab.dir, 'bin'));
    const log = join(lab.dir, 'bin/starts');
    const binary = join(lab.dir, 'bin/terraform');
    const script = `#!/bin/sh\necho "$1 $2" >> '${log}'\nexec terraform "$@"\n`;
    writeFileSync(binary, script, { mode: 0o755 });
    lab.asked();
    await applyPlan(place, '--terraform', binary);
    const starts = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0;
    const old = lab.asked().filter((line) => /\/firewall\/|\/waf_migration/.test(line)).length;
    return { starts, old };
  });
}

/** `apply` over a locking HTTP backend, with the real Terraform and the test provider. */
export async function benchApply(): Promise<Row[]> {
  const counts: { few: number; many: number; old: number }[] = [];
  for (const order of orderNames) {
    const few = await count(3, order);
    const many = await count(manyResources, order);
    counts.push({ few: few.starts, many: many.starts, old: few.old + many.old });
  }
  const most = Math.max(...counts.map(({ few }) => few));
  const growth = Math.max(...counts.map(({ few, many }) => many / few));
  const old = counts.reduce((sum, one) => sum + one.old, 0);
  const listed = counts.map(({ few, many }) => `${few} and ${many}`).join(', ');
  return [
    {
      name: `Terraform starts of apply, against ${mostStarts}`,
      ratio: most / mostStarts,
      limit: 1,
      measured: `${listed} (${orderNames.join(', ')}; 3 and ${manyResources} resources)`,
    },
    {
      name: `Terraform starts, ${manyResources} resources against 3`,
      ratio: growth,
      limit: 1,
      measured: listed,
    },
    { name: 'requests of apply to the legacy API', ratio: old, limit: 0, measured: `${old}` },
    ...(await benchApplyTime()),
  ];
}
