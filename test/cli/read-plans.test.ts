import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readPlans } from '../../src/cli/many-plans';
import { groupByPlan } from '../../src/fleet/group-zones';
import { planMigration } from '../../src/plan/plan-migration';
import { type StateFacts } from '../../src/plan/facts';
import { configuration, declaredZone } from '../plan/support/state-facts';
import { MODULE, moduleFiles, otherZone, rootState } from '../plan/support/shared-module';
import { temporaryFolder } from '../support/temporary-folder';

const zones = [declaredZone, otherZone];
const listed = zones.map(({ zoneId }) => ({ id: zoneId, name: zoneId }));

it('plans that take blocks out of one module, each for its own state, are refused together', async () => {
  const folder = temporaryFolder();
  for (const [at, root] of (['a', 'b'] as const).entries()) {
    const plan = planMigration([zones[at]!], [await rootState(root)]);
    writeFileSync(join(folder, `${root}.plan.json`), JSON.stringify(plan));
  }
  const { groups, refused } = groupByPlan(listed, await readPlans(folder, folder));
  expect(groups).toEqual([]);
  expect(refused.map(({ error }) => [error.code, error.message])).toEqual([
    ['PLANS_OVERLAP', expect.stringMatching(/both for the blocks of .*modules.waf.main\.tf$/)],
    ['PLANS_OVERLAP', expect.stringMatching(/both for the blocks of .*modules.waf.main\.tf$/)],
  ]);
});

describe('where a link leads', () => {
  const refusedTogether = async (folder: string, states: readonly StateFacts[]) => {
    for (const [at, state] of states.entries()) {
      const plan = planMigration([zones[at]!], [state]);
      writeFileSync(join(folder, `${at}.plan.json`), JSON.stringify(plan));
    }
    const { refused } = groupByPlan(listed, await readPlans(folder, folder));
    return refused.map(({ error }) => `${error.code} ${error.message}`);
  };
  /** A folder, and a link to it that lies beside it. */
  const linked = (at: string, link: string): string => {
    const folder = realpathSync(temporaryFolder());
    mkdirSync(join(folder, at), { recursive: true });
    symlinkSync(basename(at), join(folder, link));
    return folder;
  };
  const overlap = (what: string) => expect.stringMatching(`^PLANS_OVERLAP .* are both for ${what}`);

  it('two plans for one state are refused together', async () => {
    const folder = linked('roots/a', 'roots/b');
    const said = await refusedTogether(folder, [await rootState('a'), await rootState('b')]);
    const both = overlap(`the state of ${folder}/roots/a \\(default\\)`);
    expect(said).toEqual([both, both]);
  });

  it('two plans that take blocks out of one module are refused together', async () => {
    const folder = linked('modules', 'linked');
    const files = {
      'roots/b/main.tf': 'module "waf" {\n  source = "../../linked/waf"\n}\n',
      'linked/waf/main.tf': moduleFiles[MODULE],
    };
    const other = { configuration: await configuration(files, 'roots/b') };
    const said = await refusedTogether(folder, [await rootState('a'), await rootState('b', other)]);
    const both = overlap(`the blocks of ${folder}/${MODULE}`);
    expect(said).toEqual([both, both]);
  });
});

it('one that cannot be read is named, with the hint and the causes that it has alone', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'cut.plan.json'), '{"format":');
  const error = await readPlans(folder, folder).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    hint: expect.stringContaining('cf-waf-migrate plan --out plan.json'),
  });
  expect(String(error)).toContain('cut.plan.json: ');
  expect(error).not.toHaveProperty('cause');
});
