import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorOf, jsonOf } from '../support/cli-lab';
import { apply, applySettings, expectMigrated, makePlan } from '../support/apply-world';
import { nextCommands } from '../support/next-commands';
import { inWorld, ofZone, type World } from '../support/world';

/** The declaration that the plan would write. */
async function declarationOf(world: World): Promise<string> {
  const { steps } = await makePlan(world, 'commands');
  rmSync(join(world.lab.dir, 'plan.json'));
  const edits = steps.flatMap((step) => step.edits ?? []);
  return edits.find(({ file }) => file === 'managed_rules.tf')!.insert!;
}

it('a block that a zone shares with one that has not migrated stays: the user takes the zone out, and apply ends', () =>
  inWorld({ ...applySettings, zones: 2, migrated: (at) => at === 0 }, async (world) => {
    const { lab, zoneIds, resources } = world;
    const shared = (keys: readonly string[]): void => {
      const zones = keys.map((key) => `${key} = "${zoneIds[key === 'one' ? 0 : 1]!}"`).join(', ');
      const each = `  for_each = { ${zones} }\n  zone_id = each.value\n`;
      const text = `resource "cloudflare_waf_rule" "shared" {\n${each}  rule_id = "100000"\n  mode = "simulate"\n}\n`;
      lab.write('shared.tf', text);
    };
    shared(['one', 'two']);
    const own = ofZone(world, zoneIds[0]!);
    lab.write('main.tf', own.map(({ block }) => block).join('\n'));
    const state = JSON.parse(lab.read('terraform.tfstate'));
    const isOwn = ({ name }: { name: string }) => own.some((one) => one.name === name);
    const instances = ['one', 'two'].map((index_key, at) => {
      const rules = ofZone(world, zoneIds[at]!).filter(
        ({ type }) => type === 'cloudflare_waf_rule',
      );
      const { attributes } = rules.find((one) => one.attributes['rule_id'] === '100000')!;
      return { schema_version: 0, index_key, attributes };
    });
    const [like] = state.resources.filter(({ type }: any) => type === 'cloudflare_waf_rule');
    state.resources = [...state.resources.filter(isOwn), { ...like, name: 'shared', instances }];
    expect(resources.length).toBeGreaterThan(own.length);
    lab.write('terraform.tfstate', state);
    const line = ['plan', '--zone', zoneIds[0]!, '--from', '3', '--out', 'plan.json'];
    expect((await lab.cli(line)).stdout).toContain('(BLOCK_SHARED)');
    // the rehearsal cannot make the user's edit
    const rehearsed = await lab.cli('rehearse plan.json');
    const told = `remove the migrated zones from the count or for_each of cloudflare_waf_rule.shared["one"]`;
    expect([rehearsed.code, rehearsed.stdout]).toEqual([2, expect.stringContaining(told)]);
    expect(nextCommands(rehearsed.stdout)[0]).toContain('cf-waf-migrate apply plan.json');
    lab.write('list.csv', `zone,dir\n${zoneIds[0]!},.\n`);
    expect((await lab.cli('plan --zones list.csv --from 3 --out plans')).code).toBe(2);
    for (const ofList of ['rehearse plans --zones list.csv', 'status --zones list.csv']) {
      const [next] = nextCommands((await lab.cli(ofList)).stdout);
      expect(next).toContain('cf-waf-migrate apply plans --zones list.csv');
    }

    const stopped = errorOf(await apply(world));
    expect(stopped).toMatchObject({
      code: 'PLAN_NOT_EMPTY',
      message: expect.stringContaining('cloudflare_waf_rule.shared["one"] (create)'),
      hint: expect.stringContaining(told),
    });
    expect(lab.read('main.tf')).not.toContain('cloudflare_waf_');
    shared(['two']);
    const done = await apply(world);
    expect([done.code, done.stderr.includes('"error"')]).toEqual([0, false]);
    expect(await lab.stateList()).toEqual([
      'cloudflare_ruleset.managed_rules',
      'cloudflare_waf_rule.shared["two"]',
    ]);
  }));

it('a ruleset in a module whose zone is a variable: apply stops before the removal, and names the import', () =>
  inWorld(applySettings, async (world) => {
    const { lab, zoneIds, addresses } = world;
    const [zone] = zoneIds;
    const text = await declarationOf(world);
    mkdirSync(join(lab.dir, 'waf'));
    const requirement =
      'terraform {\n  required_providers {\n    cloudflare = { source = "cloudflare/cloudflare" }\n  }\n}\n';
    const inModule = text.replace(`"${zone!}"`, 'var.zone_id').replace('managed_rules"', 'waf"');
    lab.write('waf/main.tf', `${requirement}variable "zone_id" {}\n${inModule}`);
    lab.write(
      'call.tf',
      `module "waf" {\n  source = "./waf"\n  for_each = { shop = "${zone!}" }\n  zone_id = each.value\n}\n`,
    );
    await lab.terraform('init');
    const line = ['plan', '--zone', zone!, '--from', '3', '--out', 'plan.json'];
    expect((await lab.cli(line)).stdout).toContain('(ENTRY_POINT_MAY_BE_DECLARED)');
    const address = 'module.waf["shop"].cloudflare_ruleset.waf';
    const importId = `zone/${zone!}/${world.rulesetIds[0]!}`;

    const rehearsed = await lab.cli('rehearse plan.json');
    expect([rehearsed.code, rehearsed.stdout]).toEqual([
      2,
      expect.stringMatching(/ of the plan, import it there, .*Next, when the correction is done:/s),
    ]);

    // the import changes the state, so that the plan is refused
    expect(nextCommands(rehearsed.stdout)).toEqual(['cf-waf-migrate plan --out plan.json']);

    const { code, message, hint } = errorOf(await apply(world));
    expect([code, message]).toEqual([
      'PLAN_NOT_EMPTY',
      expect.stringContaining(`${address} (create)`),
    ]);
    expect(hint).toContain(
      `roll back, import it there, then plan again:\nterraform import '${address}' ${importId}`,
    );
    expect(await lab.stateList()).toEqual(expect.arrayContaining(addresses));
    expect(lab.read('main.tf')).toContain('cloudflare_waf_');

    // the remedy
    expect((await lab.cli('rollback --yes')).code).toBe(0);
    expect((await lab.terraform('import', address, importId)).code).toBe(0);
    const again = await lab.cli([...line, '--json']);
    expect([again.code, jsonOf(again).findings]).toEqual([0, []]);
    expect((await apply(world)).code).toBe(0);
    expect(await lab.stateList()).toEqual([address]);
  }));

it('a pending ruleset of another phase: apply names no import into its block', () =>
  inWorld(applySettings, async (world) => {
    const { lab, zoneIds } = world;
    const rule = '  rules {\n    action = "block"\n    expression = "true"\n  }\n';
    const custom = `resource "cloudflare_ruleset" "custom" {\n  zone_id = "${zoneIds[0]!}"\n  name = "x"\n  kind = "zone"\n  phase = "http_request_firewall_custom"\n${rule}}\n`;
    lab.write('custom.tf', custom);
    await makePlan(world, 'commands');
    const { code, message, hint } = errorOf(await apply(world));
    expect([code, message]).toEqual([
      'PLAN_NOT_EMPTY',
      expect.stringContaining('cloudflare_ruleset.custom (create)'),
    ]);
    expect(hint).not.toContain('terraform import');
    rmSync(join(lab.dir, 'custom.tf'));
    expect((await apply(world)).code).toBe(0);
  }));

it.each([
  ['waf.tf', 'rehearse plan.json'],
  ['main.tf', 'plan --out plan.json'],
])('a ruleset with other rules in %s, which the user corrects: then %s', (file, next) =>
  inWorld(applySettings, async (world) => {
    const { lab, zoneIds, rulesetIds } = world;
    const [, name = ''] = /^ +name += "(.*)"$/m.exec(await declarationOf(world)) ?? [];
    const block = `resource "cloudflare_ruleset" "waf" {\n  zone_id = "${zoneIds[0]!}"\n  name = "${name}"\n  kind = "zone"\n  phase = "http_request_firewall_managed"\n  rules {\n    action = "execute"\n    expression = "true"\n    action_parameters {\n      id = "efb7b8c949ac4650a09736fc376e9aee"\n    }\n  }\n}\n`;
    appendFileSync(join(lab.dir, file), block);
    const id = `zone/${zoneIds[0]!}/${rulesetIds[0]!}`;
    expect((await lab.terraform('import', 'cloudflare_ruleset.waf', id)).code).toBe(0);
    await lab.cli('plan --from 3 --out plan.json');
    const { code, stdout } = await lab.cli('rehearse plan.json');
    expect([code, stdout]).toEqual([2, expect.stringContaining('cloudflare_ruleset.waf (update')]);
    expect(nextCommands(stdout)).toEqual([`cf-waf-migrate ${next}`]);
  }),
);

it('an import block without its resource: the plan uses its address, and declares the ruleset there', () =>
  inWorld(applySettings, async (world) => {
    const { lab, zoneIds, rulesetIds } = world;
    const id = `zone/${zoneIds[0]!}/${rulesetIds[0]!}`;
    lab.write('import.tf', `import {\n  to = cloudflare_ruleset.waf\n  id = "${id}"\n}\n`);
    const plan = await makePlan(world, 'commands');
    expect(plan.zones[0]!.ruleset.address).toBe('cloudflare_ruleset.waf');
    expect((await apply(world)).code).toBe(0);
    expect(await lab.stateList()).toEqual(['cloudflare_ruleset.waf']);
    expect((await lab.plan()).outcome).toBe('empty');
  }));

it('a ruleset in the state whose block is lost: a blocker, so that apply does nothing', () =>
  inWorld(applySettings, async (world) => {
    const { lab } = world;
    await makePlan(world, 'commands');
    expect((await apply(world)).code).toBe(0);
    await expectMigrated(world);
    const text = lab.read('managed_rules.tf');
    rmSync(join(lab.dir, 'managed_rules.tf'));
    const planned = await lab.cli('plan --from 3 --json --out again.json');
    const found = { code: 'ENTRY_POINT_NOT_DECLARED', severity: 'blocker' };
    expect([planned.code, jsonOf(planned).findings]).toEqual([
      2,
      expect.arrayContaining([expect.objectContaining(found)]),
    ]);
    const accepted = 'apply again.json --yes --json';
    expect(errorOf(await lab.cli(accepted))).toMatchObject({
      code: 'PLAN_INVALID',
      hint: expect.stringContaining('restore the declaration from version control, or write it'),
    });
    lab.write('managed_rules.tf', text);
    expect((await lab.plan()).outcome).toBe('empty');
  }));
