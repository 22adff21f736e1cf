import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Plan } from '../../src/plan/plan-schema';
import { errorOf } from '../support/cli-lab';
import { type LegacySettings } from '../support/zones';
import { apply, applySettings, makePlan, rollback, stateNow } from '../support/apply-world';
import { nextCommands } from '../support/next-commands';
import { addRulesetOfThree, OTHER } from '../support/provider3-ruleset';
import { acceptAll } from '../support/plans';
import { folderContents } from '../support/temporary-folder';
import { inWorld, ofZone, type World, type WorldOptions } from '../support/world';

const settings: LegacySettings = {
  packages: { c504870194831cd12c3fc0284f294abb: { sensitivity: 'low', action_mode: 'simulate' } },
  groups: { '8df6c9aaddcbdf0eceb047bc50873697': 'off' },
  rules: { '100000': 'disable', '100001': 'simulate' },
  overrides: [{ urls: ['example.com/${x}/*'], rules: { '100002': 'block' } }],
};

interface Order {
  readonly name: string;
  readonly world: WorldOptions;
  readonly flags: readonly string[];
  readonly prepare?: (world: World) => void;
  /** The kinds of the steps that change the state. */
  readonly kinds: readonly string[];
}

const two = { ...settings, zones: 2 };
const blocks = ['--from', '3', '--method', 'blocks'];
const orders: Order[] = [
  {
    name: 'trap 8.1: [S119, S120, S121, S122, S123] commands, import first, under provider 3',
    world: { ...two, backend: 'http' },
    flags: ['--from', '3'],
    kinds: ['import', 'import', 'remove'],
  },
  {
    name: 'commands, removing first',
    world: applySettings,
    flags: [],
    kinds: ['remove', 'import'],
  },
  {
    name: 'trap 0.1: removed blocks call no API: blocks, with the legacy API gone and a data source',
    world: { ...two, gone: 'html', backend: 'http' },
    flags: blocks,
    prepare: ({ lab, zoneIds }) => {
      const data = `data "cloudflare_waf_packages" "all" {\n  zone_id = "${zoneIds[0]!}"\n}\n`;
      lab.write('main.tf', data + lab.read('main.tf'));
    },
    kinds: ['apply-blocks'],
  },
  {
    name: 'provider 4, which cannot plan before the removal',
    world: { ...two, major: 4 },
    flags: ['--from', '4'],
    kinds: ['remove', 'import', 'import'],
  },
  {
    name: 'trap 0.3: provider 5 removes and imports what provider 3 wrote, which would block each import',
    world: { ...two, major: 5, backend: 'http' },
    flags: ['--from', '5'],
    prepare: (world) => {
      addRulesetOfThree(world, 5);
    },
    kinds: ['remove', 'import', 'import'],
  },
];

it.each(orders)(
  'plan, rehearse, apply, verify and rollback of all zones of a state $name',
  ({ world: options, flags, prepare, kinds }) =>
    inWorld(options, async (world) => {
      const { lab, http, addresses } = world;
      prepare?.(world);
      const before = { text: lab.read('main.tf'), state: stateNow(world) };
      expect((await lab.plan()).outcome).toBe('error');
      const planned = await lab.cli(['plan', ...flags, '--out', 'plan.json', '--force']);
      const plan = JSON.parse(lab.read('plan.json')) as Plan;
      const accepted = acceptAll(plan);
      expect(planned.code).toBe(accepted.length === 0 ? 0 : 2);
      const changing = plan.steps.map(({ kind }) => kind);
      expect(changing.filter((kind) => /^(import|remove|apply-blocks)$/.test(kind))).toEqual(kinds);
      const unkept = JSON.parse((await lab.cli('verify plan.json --json')).stdout);
      const problems = (unkept.differences as Record<string, string>[]).map(
        ({ address, problem }) => `${address!} ${problem!}`,
      );
      const held = (await lab.stateList()).filter((one) => addresses.includes(one));
      expect(problems).toEqual(
        expect.arrayContaining(held.map((address) => `${address} is still in the state`)),
      );

      lab.asked();
      http?.clearLog();
      const files = folderContents(lab.dir);
      const rehearsed = await lab.cli('rehearse plan.json --json');
      expect([rehearsed.code, JSON.parse(rehearsed.stdout)]).toMatchObject([
        0,
        { verdict: 'clean', notRehearsed: [] },
      ]);
      expect(folderContents(lab.dir)).toEqual(files);
      expect([http?.writes() ?? 0, http?.locks() ?? 0]).toEqual([0, 0]);

      const applied = await apply(world);
      expect([applied.code, applied.stderr.includes('error')]).toEqual([0, false]);
      const { journal, backup } = JSON.parse(applied.stdout);
      expect(statSync(join(lab.dir, backup[0])).mode & 0o777).toBe(0o600);
      const rulesets = plan.zones.map(({ ruleset }) => ruleset.address);
      expect(await lab.stateList()).toEqual([...new Set([...rulesets, ...others(before)])].sort());
      expect((await lab.plan()).outcome).toBe('empty');
      const verified = await lab.cli('verify plan.json');
      expect(verified.stdout).toContain('State and configuration match the plan.\n');
      expect(verified.stdout.includes('\nDelete cf-waf-migrate.tf when ')).toBe(flags === blocks);
      expect(verified.stdout.endsWith('\n\nNext:\n  cf-waf-migrate status\n')).toBe(true);
      const again = JSON.parse((await apply(world)).stdout);
      expect(again.steps.every(({ status }: any) => status !== 'waiting')).toBe(true);
      expect(
        lab.asked().filter((line) => !line.startsWith('GET ') || /\/firewall\//.test(line)),
      ).toEqual([]);
      const named = plan.zones.map(({ zoneId }) => `--zone ${zoneId}`).join(' ');
      const second = await lab.cli(`plan ${named} --from ${flags[1] ?? '3'} --json`);
      expect(JSON.parse(second.stdout).steps.map(({ kind }: any) => kind)).toEqual(['check']);

      const back = await rollback(world, journal);
      expect([back.code, back.stderr.includes('error')]).toEqual([0, false]);
      expect([lab.read('main.tf'), lab.read('managed_rules.tf')]).toEqual([before.text, '']);
      const after = stateNow(world);
      expect([after.resources, after.lineage]).toEqual([
        before.state.resources,
        before.state.lineage,
      ]);
      expect(after.serial).toBeGreaterThan(before.state.serial);
    }),
);

/** The rulesets in the initial state. */
const others = ({ state }: { state: ReturnType<typeof stateNow> }): string[] =>
  state.resources.flatMap(({ type, name }) => (`${type}.${name}` === OTHER ? OTHER : []));

it('keeps the legacy resources of a zone that is not selected while provider 3 stays', () =>
  inWorld(two, async (world) => {
    const { lab, zoneIds, resources } = world;
    const planned = await lab.cli(`plan --zone ${zoneIds[0]!} --from 3 --out plan.json`);
    expect(planned.code).toBe(2);
    const plan = JSON.parse(lab.read('plan.json')) as Plan;
    // with refresh, a full plan would read the legacy resources of the other zone
    expect(plan.steps.at(-2)!.expects).toEqual({ plan: 'target-empty' });
    expect(plan.steps.at(-1)!.runs![0]!.argv).toContain('-refresh=false');
    expect((await apply(world)).code).toBe(0);
    const kept = resources.filter(({ attributes }) => attributes['zone_id'] === zoneIds[1]);
    const left = await lab.stateList();
    expect(left).toEqual(expect.arrayContaining(kept.map(({ address }) => address)));
    expect(left).toHaveLength(kept.length + 1);
    expect((await lab.cli('verify plan.json')).code).toBe(0);
    const blocks = ofZone(world, zoneIds[1]!).map(({ block }) => block);
    const without = blocks.reduce((text, block) => text.replace(block, ''), lab.read('main.tf'));
    lab.write('main.tf', without);
    const verified = await lab.cli('verify plan.json');
    expect([verified.code, verified.stdout]).toEqual([2, expect.stringContaining('delete')]);
  }));

it('reads check blocks whose data sources Terraform counts as a change', () =>
  inWorld(applySettings, async (world) => {
    const { lab } = world;
    lab.write('neighbour.tfstate', {
      ...{ version: 4, terraform_version: '1.11.4', serial: 1, lineage: 'n', outputs: {} },
      ...{ resources: [], check_results: null },
    });
    lab.write(
      'check.tf',
      `check "neighbour" {
  data "terraform_remote_state" "neighbour" {
    backend = "local"
    config  = { path = "neighbour.tfstate" }
  }
  assert {
    condition     = data.terraform_remote_state.neighbour.outputs != null
    error_message = "no outputs"
  }
}
`,
    );
    await makePlan(world, 'removing');
    for (const line of ['rehearse plan.json', 'apply plan.json --yes', 'verify plan.json']) {
      const { code, stderr } = await lab.cli(line);
      expect([line, code, stderr.includes('error')]).toEqual([line, 0, false]);
    }
  }));

describe('verify', () => {
  it('with --tfplan accepts only what imports and forgets', () =>
    inWorld({ ...applySettings, backend: 'http' }, async (world) => {
      const { lab } = world;
      const plan = await makePlan(world, 'blocks');
      expect((await lab.cli('apply plan.json --yes --only edits')).code).toBe(2);
      const verify = 'verify plan.json --tfplan tfplan.json';
      const gate = async () => {
        expect((await lab.terraform('plan', '-out=p.bin')).code).toBe(0);
        lab.write('tfplan.json', (await lab.terraform('show', '-json', 'p.bin')).stdout);
        return JSON.parse((await lab.cli(`${verify} --json`)).stdout);
      };
      expect(await gate()).toEqual({ verdict: 'clean', differences: [] });
      const declared = lab.read('managed_rules.tf');
      lab.write('managed_rules.tf', declared.replace(/enabled +=  *true/, 'enabled = false'));
      const { address } = plan.zones[0]!.ruleset;
      expect(await gate()).toMatchObject({
        verdict: 'dirty',
        differences: [{ address, problem: 'Terraform plans: import, update' }],
      });
      lab.write('managed_rules.tf', declared);
      await gate();
      const clean = await lab.cli(verify);
      expect(nextCommands(clean.stdout)).toEqual(['cf-waf-migrate verify plan.json']);
      const binary = await lab.cli('verify plan.json --tfplan p.bin');
      expect(binary.stderr).toMatch(
        /\n {2}hint: .*\n {4}terraform show -json tfplan > tfplan\.json\n$/,
      );
    }));

  it('refuses a file that is no plan of Terraform', () =>
    inWorld({ rules: { '100000': 'disable' } }, async (world) => {
      await makePlan(world, 'commands');
      const none = await world.lab.cli('verify plan.json --tfplan plan.json --json');
      expect([none.code, errorOf(none).code]).toEqual([1, 'TERRAFORM_PLAN_INVALID']);
    }));
});
