import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPlan } from '../../../src/actions/apply/apply-plan';
import { fakeTerraform } from '../../support/fake-terraform';
import { address, removalPlan } from '../../support/removal-plan';
import { resource, stateText } from '../../support/applied-folder';
import { temporaryFolder } from '../../support/temporary-folder';

const plan = removalPlan('c'.repeat(64), { gone: [address] });
const [type = ''] = address.split('.');

/** Carries the plan out with a Terraform whose `state rm` does this. */
function applyWith(removal: string) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'state.json'), stateText(1, [resource(type)]));
  writeFileSync(join(folder, 'removed.json'), stateText(2, []));
  const body = `case "$2" in pull) cat state.json ;; rm) ${removal} ;; esac`;
  const fake = fakeTerraform(temporaryFolder(), body);
  const terraform = { binary: fake.path, environment: { PATH: process.env['PATH'] } };
  const done = applyPlan({ plan, folder, terraform, report: () => undefined });
  return { done, calls: () => fake.calls().map(([, word]) => word) };
}

it('what was removed is looked for in the state before the step is done', async () => {
  const { done, calls } = applyWith('cp removed.json state.json');
  expect((await done).steps.at(-1)).toMatchObject({ status: 'done' });
  expect(calls().slice(0, 3)).toEqual(['pull', 'rm', 'pull']);
});

it('a removal of which Terraform only says that it was done ends the run', async () => {
  const { done } = applyWith('exit 0');
  await expect(done).rejects.toMatchObject({
    code: 'STATE_CHANGED',
    message: expect.stringContaining(`still holds ${address}, though Terraform says`),
  });
});
