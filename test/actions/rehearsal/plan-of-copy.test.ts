import { planOfCopy } from '../../../src/actions/rehearsal/plan-of-copy';
import { type Plan } from '../../../src/plan/plan';

const run = (...words: string[]) => ({ argv: ['terraform', 'init', ...words], saveTo: 'x' });

it('a copy gets no flags for the backend', () => {
  const init = { state: 'one', runs: [run('-backend-config=b.hcl', '-upgrade')] };
  const manual = { state: 'one' };
  const plan = { digest: 'd', states: [], steps: [init, manual] } as unknown as Plan;
  expect(planOfCopy(plan)).toEqual({
    ...plan,
    steps: [{ ...init, runs: [run('-upgrade')] }, manual],
  });
});
