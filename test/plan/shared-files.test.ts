import { type Plan } from '../../src/plan/plan';
import { planMigration } from '../../src/plan/plan-migration';
import { planUnblocking } from '../../src/plan/plan-state';
import { configuration, declaredZone, OLD_BLOCKS } from './support/planned-states';
import { MODULE, rootState } from './support/shared-module';

describe('a state whose module lies outside of its folder', () => {
  const shared = ({ findings }: Plan) =>
    findings.filter(({ code }) => code === 'BLOCK_OF_SEVERAL_STATES');

  it('is planned with the word that others may call it, where no other state of the plan does', async () => {
    const states = [await rootState('a'), await rootState('c')];
    expect(shared(planMigration([declaredZone], states))).toEqual([
      expect.objectContaining({
        severity: 'decision',
        subject: MODULE,
        message: expect.stringContaining('state a'),
      }),
    ]);
  });

  it('is planned with that word also where the state holds nothing of the module any more', async () => {
    const left = await rootState('a', { installed: '4.52.8' }, []);
    expect(shared(planUnblocking([left])).map(({ subject }) => subject)).toEqual([MODULE]);
  });

  it('is no matter where the module lies inside', async () => {
    const inside = await configuration({
      'main.tf': 'module "waf" {\n  source = "./modules/waf"\n}\n',
      [MODULE]: OLD_BLOCKS,
    });
    const state = await rootState('a', { dir: '.', configuration: inside });
    expect(shared(planMigration([declaredZone], [state]))).toEqual([]);
  });
});
