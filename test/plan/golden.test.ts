import { planMigration } from '../../src/plan/plan-migration';
import { expectGolden, otherGoldenFiles } from '../generate/support/golden';
import { planCases } from './support/plan-cases';
import { zone } from './support/state-facts';

describe('what is planned', () => {
  it.each(Object.keys(planCases))('for %s', async (name) => {
    const { zones = [zone], states, method } = await planCases[name]!();
    const { digest, ...plan } = planMigration(zones, states, method);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expectGolden('plans', `${name}.json`, `${JSON.stringify(plan, null, 2)}\n`);
  });

  it('has no other file', () => {
    const names = Object.keys(planCases).map((name) => `${name}.json`);
    expect(otherGoldenFiles('plans', names)).toEqual([]);
  });
});
