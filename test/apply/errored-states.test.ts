import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { erroredStates } from '../../src/apply/apply-plan';
import { type Plan } from '../../src/plan/plan';
import { temporaryFolder } from '../support/temporary-folder';

it('a whole state that lies about may be of before the plan: it is deleted after a look alone', () => {
  const folder = temporaryFolder();
  const plan = { states: [{ dir: '.' }] } as unknown as Plan;
  expect(erroredStates(plan, folder)).toEqual([]);
  writeFileSync(join(folder, 'errored.tfstate'), '{}');
  const [found] = erroredStates(plan, folder);
  expect(found?.message).not.toContain('delete it');
  expect(found?.remedy).toContain('look first whether all of its resources are in the state');
});
