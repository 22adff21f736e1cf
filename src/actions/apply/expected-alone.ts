import { type Expects } from '../../plan/plan';
import { type Verdict } from '../../terraform/judge-plan';

/**
 * Takes for a difference whatever a plan of Terraform imports or forgets that a step does not expect, as a
 * block of somebody else does that was never applied: it is theirs to apply.
 */
export function expectedAlone(
  { differences, allowed }: Verdict,
  { gone = [], present = [] }: Expects = {},
): Pick<Verdict, 'verdict' | 'differences' | 'allowed'> {
  const expected = new Set([
    ...gone.map((address) => `forget ${address}`),
    ...present.map((address) => `import ${address}`),
  ]);
  const isExpected = ({ address, actions }: Verdict['allowed'][number]): boolean =>
    actions.every((action) => expected.has(`${action} ${address}`));
  const all = [...differences, ...allowed.filter((change) => !isExpected(change))];
  return {
    verdict: all.length === 0 ? 'clean' : 'dirty',
    differences: all,
    allowed: allowed.filter(isExpected),
  };
}
