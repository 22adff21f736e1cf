import { resolve } from 'node:path';
import { planOfCopy } from '../../../src/actions/rehearsal/plan-of-copy';
import { type Plan } from '../../../src/plan/plan';

const run = (...words: string[]) => ({ argv: ['terraform', 'init', ...words], saveTo: 'x' });

it('a copy gets nothing for the backend, and reads providers where they are', () => {
  const init = {
    state: 'one',
    runs: [run('-backend-config=b.hcl', '-plugin-dir=../p', '-upgrade')],
  };
  const manual = { state: 'one' };
  const states = [{ name: 'one', dir: 'waf' }];
  const plan = { digest: 'd', states, steps: [init, manual] } as unknown as Plan;
  expect(planOfCopy(plan, '/here')).toEqual({
    ...plan,
    steps: [{ ...init, runs: [run(`-plugin-dir=${resolve('/here/p')}`, '-upgrade')] }, manual],
  });
});
