import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPlans } from '../../src/cli/fleet/read-plans';
import { groupByPlan } from '../../src/fleet/group-by-plan';
import { planMigration } from '../../src/plan/plan-migration';
import { declaredZone } from '../plan/support/planned-states';
import { otherZone, rootState } from '../plan/support/shared-module';
import { temporaryFolder } from '../support/temporary-folder';

const zones = [declaredZone, otherZone];

it('plans that take blocks out of one module, each for its own state, are refused together', async () => {
  const folder = temporaryFolder();
  for (const [at, root] of (['a', 'b'] as const).entries()) {
    const plan = planMigration([zones[at]!], [await rootState(root)]);
    writeFileSync(join(folder, `${root}.plan.json`), JSON.stringify(plan));
  }
  const listed = zones.map(({ zoneId }) => ({ id: zoneId, name: zoneId }));
  const { groups, refused } = groupByPlan(listed, await readPlans(folder, folder));
  expect(groups).toEqual([]);
  expect(refused.map(({ error }) => [error.code, error.message])).toEqual([
    ['PLANS_OVERLAP', expect.stringMatching(/both for the blocks of .*modules.waf.main\.tf$/)],
    ['PLANS_OVERLAP', expect.stringMatching(/both for the blocks of .*modules.waf.main\.tf$/)],
  ]);
});
