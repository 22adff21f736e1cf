import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorOf } from '../support/cli-lab';
import { acceptAll } from '../support/plans';
import { applySettings } from '../support/apply-world';
import { instanceIn, measuredState } from '../support/canonical';
import { hostedMirror } from '../support/hosted-mirror';
import { type InstalledWorld, inInstalledWorld } from '../support/installed-world';
import { declareOther } from '../support/provider3-ruleset';

const states = join(__dirname, '../fixtures/terraform/states');
const firewall = ['cloudflare_filter.a', 'cloudflare_firewall_rule.a'];

/** The ruleset of the first zone as a provider imported it, and the given resources. */
function writeState(
  { lab, zoneIds, rulesetIds }: InstalledWorld,
  others: object[],
  major: 4 | 5 = 5,
): void {
  const measured = JSON.parse(measuredState(major));
  const instance: any = structuredClone(instanceIn(measuredState(major)));
  Object.assign(instance.attributes, { id: rulesetIds[0], zone_id: zoneIds[0] });
  const [ruleset] = measured.resources;
  const resources = [{ ...ruleset, name: 'other', instances: [instance] }, ...others];
  lab.write('terraform.tfstate', { ...measured, resources });
  lab.write('main.tf', '');
  declareOther(lab, zoneIds[0]!, 5);
}

const firewallOf4 = (): object[] =>
  JSON.parse(readFileSync(join(states, 'filter-fwrule-4.52.8.tfstate'), 'utf8')).resources;

describe('where nothing of a zone is left to migrate', () => {
  const mirror = hostedMirror(['4.52.8', '5.22.0']);
  const inFive = (use: (world: InstalledWorld) => Promise<void>) =>
    inInstalledWorld(mirror, { ...applySettings, version: '5.22.0' }, use);

  it.each([['--zone'], []])(
    'firewall rules that provider 5 cannot read leave with their filters: plan %s',
    (...zone) =>
      inFive(async (world) => {
        const { lab, zoneIds, run, cli } = world;
        writeState(world, firewallOf4(), 4);
        expect((await run('plan')).stderr).toContain('invalid JSON, expected "{"');

        const named = zone.length === 0 ? '' : ` --zone ${zoneIds[0]!}`;
        const planned = await cli(`plan${named} --out plan.json`);
        expect(planned.code).toBe(2);
        const { steps } = JSON.parse(lab.read('plan.json'));
        expect(steps.map(({ kind }: any) => kind)).toEqual([
          ...['backup', 'remove-dry-run', 'remove', 'import', 'check'],
        ]);
        expect(steps[2].addresses.toSorted()).toEqual([...firewall, 'cloudflare_ruleset.other']);

        const before = await cli('verify plan.json');
        expect([before.code, before.stdout]).toEqual([2, expect.stringContaining(firewall[0]!)]);
        expect((await cli('rehearse plan.json')).code).toBe(0);
        const accepted = acceptAll(JSON.parse(lab.read('plan.json')));
        const applied = await cli(['apply', 'plan.json', '--yes', ...accepted]);
        expect([applied.code, applied.stderr.includes('Error')]).toEqual([0, false]);
        expect((await cli('verify plan.json')).code).toBe(0);
        expect((await run('plan', '-detailed-exitcode')).code).toBe(0);
      }),
    300_000,
  );

  it('the plan checks, and neither rehearse nor verify vouches for a Terraform plan that fails', () =>
    inFive(async (world) => {
      const { lab, zoneIds, run, cli } = world;
      writeState(world, []);
      expect((await cli(`plan --zone ${zoneIds[0]!} --out plan.json`)).code).toBe(0);
      const plan = JSON.parse(lab.read('plan.json'));
      expect(plan.steps.map(({ kind }: any) => kind)).toEqual(['check']);
      for (const command of ['rehearse', 'verify']) {
        expect((await cli(`${command} plan.json`)).code).toBe(0);
      }

      lab.write('broken.tf', 'resource "cloudflare_ruleset" "wrong" { nonsense = true }\n');
      expect((await run('plan')).code).toBe(1);
      for (const command of ['rehearse', 'verify']) {
        const { code, stdout, stderr } = await cli(`${command} plan.json`);
        expect([command, code, stdout]).toEqual([command, 1, '']);
        expect(stderr).toContain('nonsense');
      }
      expect((await cli('apply plan.json --yes')).code).toBe(1);

      lab.write('broken.tf', 'resource "terraform_data" "new" {}\n');
      const { code, hint } = errorOf(await cli('apply plan.json --yes --json'));
      expect([code, hint]).toEqual(['PLAN_NOT_EMPTY', expect.not.stringContaining('rollback')]);
    }));

  it('legacy resources of another zone, which provider 4 cannot plan with, are named', () =>
    inInstalledWorld(mirror, { ...applySettings, zones: 2, version: '4.52.8' }, async (world) => {
      const { lab, zoneIds, state, resources, cli } = world;
      const ofSecond = resources
        .filter(({ attributes }) => attributes['zone_id'] === zoneIds[1])
        .map(({ name }) => name);
      const others = JSON.parse(state).resources.filter(({ name }: any) => ofSecond.includes(name));
      writeState(world, others, 4);
      declareOther(lab, zoneIds[0]!, 4);
      expect((await cli(`plan --zone ${zoneIds[0]!} --out plan.json`)).code).toBe(2);
      const { findings } = JSON.parse(lab.read('plan.json'));
      expect(findings.map(({ code }: any) => code)).toContain('OTHER_ZONES');
    }));
});
