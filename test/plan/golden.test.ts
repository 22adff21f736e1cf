import { type Plan } from '../../src/plan/plan';
import { planMigration } from '../../src/plan/plan-migration';
import { planUnblocking } from '../../src/plan/plan-state';
import { expectGolden, goldenFiles } from '../generate/support/golden';
import { planCases } from './support/plan-cases';
import { zone } from './support/planned-states';

const planOf = async (name: string): Promise<Plan> => {
  const { zones = [zone], states, method = 'auto' } = await planCases[name]!();
  return name.endsWith('without-a-zone')
    ? planUnblocking(states)
    : planMigration(zones, states, method);
};

describe('what is planned', () => {
  it.each(Object.keys(planCases))('for %s', async (name) => {
    const { digest, ...plan } = await planOf(name);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expectGolden('plans', `${name}.json`, `${JSON.stringify(plan, null, 2)}\n`);
  });

  it('has no other file', () => {
    expect(goldenFiles('plans')).toEqual(
      Object.keys(planCases)
        .map((name) => `${name}.json`)
        .sort(),
    );
  });
});
