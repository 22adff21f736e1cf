import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Plan } from '../../src/plan/plan-schema';
import { acceptAll } from '../support/plans';
import { applySettings } from '../support/apply-world';
import { inWorld, LOCK_FILE, ofZone, stateOf, type World } from '../support/world';

const ADDRESS = 'cloudflare_ruleset.waf';
const WORKSPACES = ['default', 'staging'];
const OWN_ZONE = 'var.zones[terraform.workspace]';

/** One folder with two workspaces, each with its own zone and state. */
async function shareFolder(world: World): Promise<void> {
  const { lab, zoneIds } = world;
  const [first, second] = zoneIds as [string, string];
  const own = ofZone(world, first);
  const zones = `variable "zones" {\n  default = { default = "${first}", staging = "${second}" }\n}\n`;
  const blocks = own.map(({ block }) => block.replace(`"${first}"`, OWN_ZONE));
  lab.write('main.tf', zones + blocks.join('\n'));
  mkdirSync(join(lab.dir, 'terraform.tfstate.d/staging'), { recursive: true });
  lab.write('terraform.tfstate', stateOf(own));
  const staging = stateOf(own, 1).replaceAll(first, second);
  lab.write('terraform.tfstate.d/staging/terraform.tfstate', staging);
  expect((await lab.terraform('init')).code).toBe(0);
}

it('two workspaces of one folder migrate one after another, with one declaration, and not by blocks', () =>
  inWorld({ ...applySettings, zones: 2 }, async (world) => {
    const { lab, zoneIds } = world;
    await shareFolder(world);
    const cli = (at: number, line: string) =>
      lab.cli(line, { environment: { TF_WORKSPACE: WORKSPACES[at]! } });
    const planned = async (at: number, flags = ''): Promise<Plan> => {
      const plan = `plan --zone ${zoneIds[at]!} --from 3 --address ${ADDRESS} --json`;
      const { stdout } = await cli(at, plan + flags);
      lab.write('plan.json', stdout);
      return JSON.parse(stdout) as Plan;
    };
    const asks = ({ findings }: Plan): string[] => [
      ...new Set(findings.filter(({ severity }) => severity !== 'info').map(({ code }) => code)),
    ];
    const applied = async (at: number) => {
      const accepted = acceptAll(JSON.parse(lab.read('plan.json')));
      return (await cli(at, ['apply plan.json --yes', ...accepted].join(' '))).code;
    };

    const literal = await planned(0);
    expect(asks(literal)).toEqual(['OTHER_WORKSPACES']);

    const edits = literal.steps.flatMap((step) => step.edits ?? []);
    const declaration = edits.find(({ file }) => file === 'waf.tf')!.insert!;
    const shared = declaration.replace(/^ {2}count = .*\n\n/m, '');
    lab.write('waf.tf', shared.replace(`"${zoneIds[0]}"`, OWN_ZONE));
    const moments = [
      [0, ['OTHER_WORKSPACES']],
      [1, ['BLOCK_ALREADY_GONE']],
    ] as const;
    for (const [at, before] of moments) {
      const refused = await cli(at, `plan --zone ${zoneIds[at]!} --from 3 --method blocks`);
      expect(refused.stderr).toContain('another environment with the same files');
      expect(asks(await planned(at))).toEqual(before);
      expect((await cli(at, 'rehearse plan.json')).code).toBe(0);
      expect(await applied(at)).toBe(0);
    }
    for (const workspace of WORKSPACES) {
      const { code } = await lab.terraform('workspace', 'select', workspace);
      expect([code, (await lab.terraform('plan', '-detailed-exitcode')).code]).toEqual([0, 0]);
    }
    expect(lab.read('main.tf')).not.toContain('cloudflare_waf');
  }));

it('two workspaces with a ruleset each migrate one after another, and then nothing is left', () =>
  inWorld({ ...applySettings, zones: 2 }, async (world) => {
    const { lab, zoneIds } = world;
    await shareFolder(world);
    lab.write('.terraform.lock.hcl', LOCK_FILE);
    const cli = (workspace: string, line: string) =>
      lab.cli(line, { environment: { TF_WORKSPACE: workspace } });
    for (const workspace of WORKSPACES) {
      const planned = await cli(workspace, 'plan --out plan.json');
      expect(planned.stdout).not.toContain('`count =');
      const accepted = acceptAll(JSON.parse(lab.read('plan.json')));
      expect((await cli(workspace, ['apply plan.json --yes', ...accepted].join(' '))).code).toBe(0);
      expect((await cli(workspace, 'verify plan.json')).code).toBe(0);
      const status = await cli(workspace, 'status');
      expect(status.stdout).toContain('1 zone: nothing is left to do');
    }
    for (const workspace of WORKSPACES) {
      await lab.terraform('workspace', 'select', workspace);
      expect((await lab.terraform('plan', '-detailed-exitcode')).code).toBe(0);
    }
    // an upgrade is for the files of both
    const { findings } = JSON.parse((await cli('default', 'plan --to 5 --json')).stdout) as Plan;
    const told = findings.filter(({ code }) => code === 'RULESET_OF_OTHER_PROVIDER');
    expect(told.map(({ command = [] }) => command.slice(0, 4))).toEqual(
      zoneIds.map((zone) => ['cf-waf-migrate', 'generate', '--zone', zone]),
    );
  }));

it('two environments of -backend-config migrate one after another, and not by blocks', () =>
  inWorld({ ...applySettings, zones: 2 }, async (world) => {
    const { lab, zoneIds } = world;
    const own = ofZone(world, zoneIds[0]!);
    const blocks = own.map(({ block }) => block.replace(`"${zoneIds[0]}"`, 'var.zone_id'));
    const backend = 'terraform {\n  backend "local" {}\n}\nvariable "zone_id" {}\n';
    lab.write('main.tf', backend + blocks.join('\n'));
    lab.write('.terraform.lock.hcl', LOCK_FILE);
    rmSync(join(lab.dir, 'terraform.tfstate'));
    const select = async (at: number): Promise<void> => {
      const flags = ['-reconfigure', `-backend-config=path=${at}.tfstate`];
      expect((await lab.terraform('init', ...flags)).code).toBe(0);
    };
    const values = (at: number): string => `-- -var=zone_id=${zoneIds[at]}`;
    for (const at of [0, 1]) {
      lab.write(`${at}.tfstate`, stateOf(own, at).replaceAll(zoneIds[0]!, zoneIds[at]!));
      await select(at);
      const refused = await lab.cli(`plan --method blocks ${values(at)}`);
      expect(refused.stderr).toContain('another environment with the same files');
      const { stdout } = await lab.cli(`plan --out plan.json ${values(at)}`);
      expect(stdout).toContain(at === 0 ? '(OTHER_WORKSPACES)' : '(BLOCK_ALREADY_GONE)');
      expect(stdout).not.toContain(zoneIds[1 - at]);
      const accepted = acceptAll(JSON.parse(lab.read('plan.json')));
      expect((await lab.cli(['apply plan.json --yes', ...accepted].join(' '))).code).toBe(0);
      expect((await lab.cli('status')).stdout).toContain('1 zone: nothing is left to do');
    }
    for (const at of [0, 1]) {
      await select(at);
      const flags = ['-detailed-exitcode', `-var=zone_id=${zoneIds[at]}`];
      expect((await lab.terraform('plan', ...flags)).code).toBe(0);
    }
  }));

it('a state in a workspace_dir migrates, and no copy of it stays in the default folder', () =>
  inWorld(applySettings, async ({ lab, state }) => {
    const backend = { local: { workspace_dir: 'states' } };
    lab.write('backend.tf.json', { terraform: { backend } });
    mkdirSync(join(lab.dir, 'states/prod'), { recursive: true });
    lab.write('states/prod/terraform.tfstate', state);
    rmSync(join(lab.dir, 'terraform.tfstate'));
    const environment = { TF_WORKSPACE: 'prod' };
    expect((await lab.terraform('init', '-reconfigure')).code).toBe(0);
    await lab.cli('plan --from 3 --out plan.json', { environment });
    expect((await lab.cli('apply plan.json --yes', { environment })).code).toBe(0);
    expect(lab.read('states/prod/terraform.tfstate')).not.toContain('cloudflare_waf');
    expect(existsSync(join(lab.dir, 'terraform.tfstate.d/prod'))).toBe(false);
  }));
