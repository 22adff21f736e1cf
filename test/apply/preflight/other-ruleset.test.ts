import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPlan } from '../../../src/apply/apply-plan';
import { verifyStateBytes } from '../../../src/apply/verify-plan';
import { type Plan } from '../../../src/plan/plan';
import { fakeTerraform } from '../../support/fake-terraform';
import { removalPlan } from '../../support/removal-plan';
import { temporaryFolder } from '../../support/temporary-folder';

const address = 'cloudflare_ruleset.managed';
const planned = 'a'.repeat(32);
const plan: Plan = {
  ...removalPlan('b'.repeat(64)),
  zones: [{ zoneId: 'z', ruleset: { id: planned, address, importId: '', state: 'main' } }],
};

const stateOf = (...instances: object[]): Buffer =>
  Buffer.from(
    JSON.stringify({
      version: 4,
      terraform_version: '1.11.4',
      serial: 1,
      lineage: 'l',
      outputs: {},
      resources: [
        {
          mode: 'managed',
          type: 'cloudflare_ruleset',
          name: 'managed',
          provider: 'provider["registry.terraform.io/cloudflare/cloudflare"]',
          instances: instances.map((instance) => ({ schema_version: 1, ...instance })),
        },
      ],
    }),
  );
const withId = (id: string): Buffer => stateOf({ attributes: { id } });

/** Carries the plan out where Terraform answers by a script, which runs in the folder. */
function applying(folder: string, script: string) {
  const fake = fakeTerraform(temporaryFolder(), script);
  const applied = applyPlan({
    plan,
    folder,
    terraform: { binary: fake.path, environment: { PATH: process.env['PATH'] } },
    report: () => undefined,
  });
  return { applied, calls: () => fake.calls().map(([, word]) => word) };
}

describe('another ruleset at the address of the plan', () => {
  it('is told by verify, and a deposed one or one without an id is not taken for it', () => {
    const problems = (bytes: Buffer): string[] =>
      verifyStateBytes(plan, bytes).differences.map(({ problem }) => problem);
    expect(problems(withId('c'.repeat(32)))).toEqual(['is another ruleset than was planned']);
    expect(problems(withId(planned))).toEqual([]);
    expect(problems(stateOf({ attributes: {} }))).toEqual([]);
    const deposed = { deposed: '00000000', attributes: { id: 'c'.repeat(32) } };
    expect(problems(stateOf({ attributes: { id: planned } }, deposed))).toEqual([]);
  });

  it('stops apply before it does anything', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'state.json'), withId('c'.repeat(32)));
    const { applied, calls } = applying(folder, 'cat state.json');
    await expect(applied).rejects.toMatchObject({
      code: 'STATE_CHANGED',
      message: expect.stringContaining(`another ruleset at ${address}`) as string,
    });
    expect(calls()).toEqual(['pull']);
  });
});

it("no state at all, as where a plan was taken elsewhere, is nobody else's write", async () => {
  const { applied } = applying(temporaryFolder(), 'true');
  await expect(applied).rejects.toMatchObject({
    code: 'STATE_CHANGED',
    message: expect.stringContaining('is not there') as string,
  });
});
