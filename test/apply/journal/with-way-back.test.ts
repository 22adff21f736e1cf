import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { applyPlan } from '../../../src/apply/apply-plan';
import { journalPath } from '../../../src/apply/journal/journal';
import { type Plan } from '../../../src/plan/plan';
import { fakeTerraform } from '../../support/fake-terraform';
import { removalPlan } from '../../support/removal-plan';
import { temporaryFolder } from '../../support/temporary-folder';

const digest = 'd'.repeat(64);
const wayBack = (folder: string) =>
  `or go back: cf-waf-migrate rollback ${join(folder, journalPath(digest))}`;
const shown = JSON.stringify({
  ...{ format_version: '1.2', terraform_version: '1.11.4', planned_values: {}, configuration: {} },
  resource_changes: [{ address: 'a.b', change: { actions: ['update'], before: 1, after: 2 } }],
});
const state = JSON.stringify({
  ...{ version: 4, terraform_version: '1.11.4', serial: 1, lineage: 'l' },
  ...{ outputs: {}, resources: [] },
});
const DESTROYED = 'either disable lifecycle.prevent_destroy or reduce the scope of the plan';

/** Backs a state up, and checks it with a Terraform that plans in this way. */
function checked(planning: string, isCopy = false, folder = temporaryFolder()) {
  const { steps, ...rest } = removalPlan(digest);
  const runs = [{ argv: ['terraform', 'plan', '-detailed-exitcode'] }];
  const check = { id: '2', kind: 'check', state: 'main', title: '', runs };
  const plan = { ...rest, steps: [...steps.slice(0, 1), check] } as unknown as Plan;
  const body = `case $1 in state) echo '${state}' ;; show) echo '${shown}' ;; plan) ${planning} ;; esac`;
  const { path } = fakeTerraform(temporaryFolder(), body);
  const terraform = { binary: path, environment: { PATH: process.env['PATH'] } };
  return applyPlan({ plan, isCopy, folder, terraform, report: () => undefined });
}

describe('a check that fails', () => {
  it('says how to go back where Terraform would change something', async () => {
    const folder = temporaryFolder();
    await expect(checked('exit 2', false, folder)).rejects.toMatchObject({
      code: 'PLAN_NOT_EMPTY',
      hint: expect.stringContaining(wayBack(folder)),
    });
  });

  it('says it as a command that can be pasted, whatever the folder is called', async () => {
    const folder = join(temporaryFolder(), 'zone a');
    mkdirSync(folder);
    await expect(checked('exit 2', false, folder)).rejects.toMatchObject({
      hint: expect.stringContaining(`rollback '${join(folder, journalPath(digest))}'`),
    });
  });

  it.each([
    'Error: Resource already managed by Terraform',
    'Error: Saved plan is stale',
    'Error: Invalid target address\\n\\nNo matching objects found.',
  ])('leads nobody back over what somebody else did meanwhile: %s', async (said) => {
    const failed = checked(`printf '${said}\\n' >&2; exit 1`);
    await expect(failed).rejects.toMatchObject({
      code: 'TERRAFORM_FAILED',
      hint: expect.stringMatching(/^somebody else.*run the same command again, .*plan again$/),
    });
  });

  it('says how to go back, and to leave prevent_destroy where Terraform advises to disable it', async () => {
    const failed = checked(`printf 'Error: no\\n${DESTROYED}\\n' >&2; exit 1`);
    await expect(failed).rejects.toMatchObject({
      code: 'TERRAFORM_FAILED',
      hint: expect.stringMatching(/^leave prevent_destroy as it is.*; or go back: /),
    });
  });

  it('says nothing of a way back on a copy, which is gone', async () => {
    await expect(checked('exit 2', true)).rejects.toMatchObject({
      hint: expect.not.stringContaining('rollback'),
    });
  });
});
