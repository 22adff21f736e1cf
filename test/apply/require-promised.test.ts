import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPlan } from '../../src/apply/apply-plan';
import { type Plan } from '../../src/plan/plan';
import { fakeTerraform } from '../support/fake-terraform';
import { address, removalPlan } from '../support/removal-plan';
import { temporaryFolder } from '../support/temporary-folder';

const digest = 'f'.repeat(64);
const held = {
  ...{ mode: 'managed', type: 'cloudflare_waf_rule', name: 'a' },
  provider: 'provider["registry.terraform.io/cloudflare/cloudflare"]',
  instances: [{ schema_version: 0, attributes: { id: 'a' } }],
};
const stateWith = (resources: readonly object[]): string =>
  JSON.stringify({
    ...{ version: 4, terraform_version: '1.11.4', serial: 1, lineage: 'l' },
    ...{ outputs: {}, resources },
  });

/** Lets a resource go, and then checks in this way; somebody leaves these resources meanwhile. */
function removing(after: readonly object[], check: 'empty' | 'target-empty') {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'state.json'), stateWith([held]));
  writeFileSync(join(folder, 'removed.json'), stateWith([]));
  writeFileSync(join(folder, 'after.json'), stateWith(after));
  const { steps, ...rest } = removalPlan(digest, { gone: [address] });
  const runs = [{ argv: ['terraform', 'plan'] }];
  const last = { id: '3', kind: 'check', state: 'main', title: '', runs, expects: { plan: check } };
  const plan = { ...rest, steps: [...steps, last] } as unknown as Plan;
  const body = `case "$1 $2" in
    *pull) cat state.json ;;
    *rm) cp removed.json state.json ;;
    plan*) cp after.json state.json ;;
  esac`;
  const fake = fakeTerraform(temporaryFolder(), body);
  const terraform = { binary: fake.path, environment: { PATH: process.env['PATH'] } };
  return {
    apply: () => applyPlan({ plan, folder, terraform, report: () => undefined }),
    pulls: () => fake.calls().filter(([, word]) => word === 'pull').length,
  };
}

describe('at the end, the state', () => {
  it('is read once more where no check has planned all of it', async () => {
    const { apply, pulls } = removing([], 'target-empty');
    await apply();
    expect(pulls()).toBe(3);
    await apply();
    expect(pulls()).toBe(4);
  });

  it('stops the run where it is not as the steps left it', async () => {
    await expect(removing([held], 'target-empty').apply()).rejects.toMatchObject({
      code: 'STATE_CHANGED',
      message: `state main is not as the steps left it: ${address} is still in the state`,
    });
  });

  it('is not read once more where an empty plan of all of it has shown as much', async () => {
    const { apply, pulls } = removing([], 'empty');
    await apply();
    expect(pulls()).toBe(2);
  });
});
