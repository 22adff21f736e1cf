import { join } from 'node:path';
import { carryOut, change, planIn } from '../plan/support/carry-out';
import { type Lab } from '../support/lab';
import { type CliRun, runCli } from '../support/run-cli';
import { inWorld, type WorldOptions } from '../support/world';

const settings: WorldOptions = {
  rules: { '100000': 'disable', '100001': 'simulate' },
  backend: 'http',
};

const verify = (lab: Lab, ...args: string[]): Promise<CliRun> =>
  runCli(['verify', join(lab.dir, 'plan.json'), ...args, '--json'], {
    cwd: lab.dir,
    environment: lab.environment,
  });
const problems = ({ stdout }: CliRun): string[] =>
  (JSON.parse(stdout).differences as { address: string; problem: string }[]).map(
    ({ address, problem }) => `${address} ${problem}`,
  );

describe('verify', () => {
  it('names every promise that is not kept yet, and none once the plan is carried out', () =>
    inWorld(settings, async ({ lab, zoneIds, addresses }) => {
      const { plan } = await planIn(lab, zoneIds, '--from', '3');
      lab.write('plan.json', plan);
      const before = await verify(lab);
      expect(before.code).toBe(2);
      expect(problems(before).sort()).toEqual(
        [
          ...addresses.map((address) => `${address} is still in the state`),
          `${plan.zones[0]!.ruleset.address} is not in the state`,
        ].sort(),
      );
      await carryOut(lab, plan);
      const after = await verify(lab);
      expect([after.code, after.stderr, JSON.parse(after.stdout)]).toEqual([
        0,
        '',
        { verdict: 'clean', differences: [] },
      ]);

      change(lab, 'managed_rules.tf', (text) =>
        text.replace(/enabled +=  *true/, 'enabled = false'),
      );
      const drifted = await verify(lab);
      expect(drifted.code).toBe(2);
      expect(problems(drifted)).toEqual([
        `${plan.zones[0]!.ruleset.address} Terraform plans: update`,
      ]);
    }));

  it('with --tfplan lets only what imports and forgets through', () =>
    inWorld(settings, async ({ lab, zoneIds }) => {
      const args = ['--from', '3', '--method', 'blocks', '--write'];
      const { plan } = await planIn(lab, zoneIds, ...args);
      lab.write('plan.json', plan);
      const gate = async (): Promise<CliRun> => {
        expect((await lab.terraform('plan', '-out=p.bin')).code).toBe(0);
        lab.write('tfplan.json', (await lab.terraform('show', '-json', 'p.bin')).stdout);
        return verify(lab, '--tfplan', join(lab.dir, 'tfplan.json'));
      };
      expect(JSON.parse((await gate()).stdout)).toEqual({ verdict: 'clean', differences: [] });

      change(lab, 'managed_rules.tf', (text) =>
        text.replace(/enabled +=  *true/, 'enabled = false'),
      );
      const changed = await gate();
      expect(changed.code).toBe(2);
      expect(problems(changed)).toEqual([
        `${plan.zones[0]!.ruleset.address} Terraform plans: import, update`,
      ]);
    }));

  it('compares a state file alone, and refuses another state and what is no plan of Terraform', () =>
    inWorld({ rules: { '100000': 'disable' } }, async ({ lab, zoneIds, state }) => {
      const { plan } = await planIn(lab, zoneIds, '--from', '3');
      lab.write('plan.json', plan);
      lab.write('other.tfstate', state.replace(/5c9b2d9e/, '5c9b2d9f'));
      const other = await verify(lab, '--state', join(lab.dir, 'other.tfstate'));
      expect(other.code).toBe(2);
      expect(problems(other)).toEqual([expect.stringContaining('lineage')]);
      const same = await verify(lab, '--state', join(lab.dir, 'terraform.tfstate'));
      expect(problems(same)).toHaveLength(2);
      expect(await verify(lab, '--tfplan', join(lab.dir, 'plan.json'))).toMatchObject({ code: 1 });
    }));
});
