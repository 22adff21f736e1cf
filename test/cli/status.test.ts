import { rmSync } from 'node:fs';
import { MANAGED_PHASE } from '../../src/core/ruleset';
import { RULESET, ZONE } from '../plan/support/plans';
import { appliedFolder, OLD, oldText, resource, stateText } from '../support/applied-folder';
import { fakeTerraform } from '../support/fake-terraform';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator, errorOf, jsonOf } from '../support/cli-lab';
import {
  deploy,
  ENTERPRISE,
  entryPoint,
  idOf,
  MANAGED,
  MIGRATED,
  NOT_ELIGIBLE,
  OWASP,
  stateFile,
  UNKNOWN,
} from '../support/zones';
import { nextCommands } from '../support/next-commands';
import { works } from './support/plan-dir';
import { resourceOf, stateOf, terraformOf } from './support/states';

const cli = cliWithEmulator();
const OWN = `resource "cloudflare_ruleset" "waf" {\n  zone_id = var.zone\n  phase   = "${MANAGED_PHASE}"\n}\n`;

describe('status', () => {
  it('shows a zone of the legacy WAF with its plan, and the command to run first', async () => {
    const { code, stdout, stderr } = await cli.run(`status --zone ${ENTERPRISE}`);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      [
        '1 zone: 1 eligible',
        '',
        'ZONE              WAF     ELIGIBLE  LEGACY RESOURCES  RULESET',
        'shop.example.com  legacy  yes       -                 -',
        '',
        'Next:',
        '  cf-waf-migrate check --zone shop.example.com',
        '',
      ].join('\n'),
    );
  });

  it('names what blocks a zone', async () => {
    const { document } = await cli.json(`status --zone ${NOT_ELIGIBLE}`);
    expect(document.zones[0]).toMatchObject({
      blockedBy: expect.arrayContaining([expect.any(String)]),
      next: 'cf-waf-migrate check --zone legacy.example.com',
    });
    expect(document.findings[0]).toMatchObject({ severity: 'blocker' });
  });

  it.each([
    ['none has migrated', 'cloudflare_waf_rule', [ENTERPRISE, NOT_ELIGIBLE]],
    [
      'none has migrated, and only their rulesets are in it',
      'cloudflare_ruleset',
      [ENTERPRISE, NOT_ELIGIBLE, 'not-an-id'],
    ],
  ])('leads to one check of all zones of a folder, as %s', async (_, type, zones) => {
    const resources = zones.map((zone_id, at) =>
      resourceOf(type, `r${at}`, { id: String(at), zone_id, phase: MANAGED_PHASE }),
    );
    const folder = temporaryFolder({ 'terraform.tfstate': JSON.stringify(stateOf(...resources)) });
    const environment = { PATH: terraformOf(folder, 'terraform.tfstate').searchPath };
    const { stdout } = await cli.run('status', { cwd: folder, environment });
    expect(nextCommands(stdout)).toEqual(['cf-waf-migrate check']);
    const checked = await cli.json('check', { cwd: folder, environment });
    expect(checked.document.zones.map(({ zone }: any) => zone)).toEqual([ENTERPRISE, NOT_ELIGIBLE]);
  });

  it('claims nothing about the zones of a folder whose state cannot be read', async () => {
    cli.write({ 'main.tf': 'resource "terraform_data" "a" {}\n' });
    const { code, stdout } = await cli.offline('status --terraform ./none');
    expect(code).toBe(2);
    expect(stdout).toContain('the zones of this folder are unknown: its state cannot be read\n');
    expect(stdout).toContain('decision: The state could not be read (STATE_UNREAD)\n    .\n');
  });

  it('leads to a zone by its name, where removed blocks were applied and nothing here names it', async () => {
    const folder = temporaryFolder({
      'main.tf':
        'removed {\n  from = cloudflare_waf_rule.r\n  lifecycle {\n    destroy = false\n  }\n}\n',
      'terraform.tfstate': JSON.stringify(stateOf()),
    });
    const environment = { PATH: terraformOf(folder, 'terraform.tfstate').searchPath };
    const { code, stdout } = await cli.offline('status', { cwd: folder, environment });
    expect([code, nextCommands(stdout)]).toEqual([
      0,
      ['cf-waf-migrate status --zone <id or name>'],
    ]);
    const named = await cli.run(`status --zone ${MIGRATED}`, { cwd: folder, environment });
    expect(nextCommands(named.stdout)).toEqual([
      expect.stringContaining('cf-waf-migrate generate'),
    ]);
  });

  it('claims nothing about a zone of which neither the API nor a folder tells anything', async () => {
    const { code, stdout } = await cli.offline(`status --zone ${ZONE}`);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^1 zone: 1 that cannot be read$/m);
    expect(stdout).toContain('set CLOUDFLARE_API_TOKEN');
    expect(stdout.endsWith(`\nNext:\n  cf-waf-migrate status --zone ${ZONE}\n`)).toBe(true);
    const document = jsonOf(await cli.offline(`status --zone ${ZONE} --json`));
    expect(document.zones[0].work).toBe('status');
  });

  it('names all folders to initialise at once, as plan does, and no folder that is', async () => {
    const dirs = ['dns', 'edge', 'users'].map((name) => `cdktf.out/stacks/${name}`);
    for (const dir of dirs) cli.write({ [`${dir}/cdk.tf.json`]: '{}' });
    cli.write({ 'cdktf.json': '{"language":"typescript"}', [`${dirs[1]}/.terraform/x`]: '' });
    const text = 'Error: Backend initialization required, please run "terraform init"';
    const terraform = `[ -d .terraform ] || { echo '${text}' >&2; exit 1; }`;
    const environment = { PATH: fakeTerraform(cli.cwd(), terraform).searchPath };
    const inits = [dirs[0], dirs[2]].map((dir) => `terraform -chdir=${dir} init`);
    const next = `\nNext:\n${inits.map((line) => `  ${line}\n`).join('')}`;
    for (const line of ['status', `status --zone ${MIGRATED}`]) {
      const { stdout } = await cli.run(line, { environment });
      expect(stdout.endsWith(next)).toBe(true);
      expect(stdout).toMatch(
        /if\s+you\s+cannot,\s+pass\s+--dir\s+for\s+each\s+of\s+the\s+other\s+folders/,
      );
    }
    const planned = await cli.run(`plan --zone ${MIGRATED} --json`, { environment });
    expect(errorOf(planned).hint).toBe(
      `initialise each folder below, then run the same command again:\n${inits.join('\n')}`,
    );
  });

  it('takes no stack for one of an earlier synthesis if the manifest is truncated', async () => {
    cli.write({
      'cdktf.json': '{"language":"typescript"}',
      'cdktf.out/manifest.json': '{"stacks":{"prod":{"working',
      'cdktf.out/stacks/prod/cdk.tf.json': '{"resource":{"cloudflare_waf_rule":{"a":{}}}}',
      'cdktf.out/stacks/prod/.terraform/x': '',
    });
    const environment = { PATH: fakeTerraform(temporaryFolder(), 'exit 0').searchPath };
    const { stdout } = await cli.offline('status', { environment });
    expect(stdout).toContain('cdktf.out/stacks/prod');
    expect(stdout).not.toContain('The last synthesis did not write');
  });

  it('generates nothing for a zone that the unread state of the folder can have', async () => {
    cli.write({ 'waf/main.tf': 'resource "terraform_data" "a" {}\n', 'waf/.terraform/x': '' });
    const terraform = "echo 'Error: Required plugins are not installed' >&2; exit 1";
    const environment = { PATH: fakeTerraform(temporaryFolder(), terraform).searchPath };
    const { stdout } = await cli.run(`status --dir waf --zone ${MIGRATED}`, { environment });
    expect(stdout).toMatch(/^1 zone: 1 to plan$/m);
    expect(stdout.endsWith('\nNext:\n  terraform -chdir=waf init\n')).toBe(true);
  });

  it.each([
    ['Required plugins are not installed', 'terraform -chdir=waf init'],
    ['locked version selection 5.14.0 does not match', 'terraform -chdir=waf init -upgrade'],
    ['state file could not be parsed as JSON', `cf-waf-migrate plan --zone ${ZONE} --dir waf`],
  ])('where Terraform says %s, leads to %s, and reports no block', async (text, next) => {
    const ruleset = `resource "cloudflare_ruleset" "waf" {\n  zone_id = "${ZONE}"\n  phase   = "${MANAGED_PHASE}"\n}\n`;
    const unknown = 'resource "cloudflare_waf_rule" "a" {\n  zone_id = var.zone\n}\n';
    cli.write({ 'waf/main.tf': ruleset + unknown, 'waf/.terraform/x': '' });
    const terraform = `echo 'Error: ${text}' >&2; exit 1`;
    const environment = { PATH: fakeTerraform(temporaryFolder(), terraform).searchPath };
    const { stdout } = await cli.offline('status --dir waf', { environment });
    expect(stdout).toMatch(/^1 zone: 1 to plan$/m);
    // the state that could not be read can have its resource
    expect(stdout).toContain('(STATE_UNREAD)');
    expect(stdout).not.toContain('LEGACY_BLOCKS_DECLARED');
    expect(stdout.endsWith(`\nNext:\n  ${next}\n`)).toBe(true);
  });

  it('leads to no apply of blocks while the state cannot be read', async () => {
    const body = `  zone_id = "${ZONE}"\n  phase   = "${MANAGED_PHASE}"\n`;
    const imported = `import {\n  to = cloudflare_ruleset.waf\n  id = "zone/${ZONE}/${'a'.repeat(32)}"\n}\n`;
    const removed =
      'removed {\n  from = cloudflare_waf_rule.a\n  lifecycle {\n    destroy = false\n  }\n}\n';
    const ruleset = `resource "cloudflare_ruleset" "waf" {\n${body}}\n`;
    cli.write({ 'main.tf': `${ruleset}${imported}${removed}`, '.terraform/x': '' });
    const status = async (terraform: string) => {
      const environment = { PATH: fakeTerraform(temporaryFolder(), terraform).searchPath };
      return (await cli.offline('status', { environment })).stdout;
    };
    const unread = await status(`echo 'Error: state file could not be parsed as JSON' >&2; exit 1`);
    expect(unread).toContain('(STATE_UNREAD)');
    expect(unread).not.toContain('terraform apply');
    expect(await status('')).toContain('terraform apply');
  });

  it('leaves blocks to an interrupted run, which removes them', async () => {
    const interrupted = appliedFolder();
    interrupted.write('old.tf', oldText);
    const blocks = async () => (await interrupted.cli('status')).stdout.match(/LEGACY_BLOCKS_\w+/);
    expect(await blocks()).toBeNull();
    expect((await interrupted.cli('rollback', '--yes')).code).toBe(0);
    expect(await blocks()).not.toBeNull();
  });

  it('shows the zones of an interrupted run, also where neither state nor files have them', async () => {
    const interrupted = appliedFolder();
    interrupted.write('state.json', stateText(5, []));
    interrupted.write('ruleset.tf', '');
    const { stdout } = await interrupted.cli('status');
    expect(stdout).toContain('\n1 zone: 1 to continue\n');
    expect(stdout).toMatch(/\nNext:\n {2}cf-waf-migrate apply\n$/);
  });

  it('names the manual step that a run waits for, and none that the run has passed or the user has done', async () => {
    const title = 'Take the old blocks out';
    const made = {
      steps: [{ kind: 'manual', title, addresses: [`${OLD}.b`] }],
      begun: [],
    } as const;
    const { steps } = appliedFolder(made).plan;
    const at = steps.findIndex(({ kind }) => kind === 'manual');
    const statusAfter = async (count: number, block = oldText.replace('"a"', '"b"')) => {
      const events = steps.slice(0, count).map(({ id }) => ({ event: 'done', step: id }) as const);
      const { cli: run, write } = appliedFolder({ ...made, events });
      write('b.tf', block);
      const { stdout } = await run('status');
      expect(nextCommands(stdout)).toEqual(['cf-waf-migrate apply']);
      return stdout;
    };
    const waiting = `\n1 zone: 1 waiting at step ${at + 1} (${title})\n`;
    const interrupted = '\n1 zone: 1 to continue\n';
    const reached = await statusAfter(at);
    expect(reached).toContain(waiting);
    expect(reached).toContain(`\nNext, when step ${at + 1} is done:\n  cf-waf-migrate apply\n`);
    for (const count of [at - 1, at + 2]) expect(await statusAfter(count)).toContain(interrupted);
    expect(await statusAfter(at, '')).toContain(interrupted);
  });

  it('names the second of two manual steps when the first is done', async () => {
    const zones = [idOf('1', 1), idOf('2', 2)];
    const stack = 'cdktf.out/stacks/edge';
    const legacy = zones.map((zone_id, at) => resourceOf(OLD, `r${at}`, { id: '1', zone_id }));
    const blocks = zones.map((zone_id, at) => [`r${at}`, { zone_id, rule_id: '1', mode: 'on' }]);
    const declare = (rulesets: object) => {
      const resource = { [OLD]: Object.fromEntries(blocks), cloudflare_ruleset: rulesets };
      cli.write({ [`${stack}/cdk.tf.json`]: JSON.stringify({ resource }) });
    };
    declare({});
    cli.write({ 'cdktf.json': '{}', 's.json': JSON.stringify(stateOf(...legacy)) });
    const terraform = `case "$*" in 'state pull') cat '${cli.cwd()}/s.json' ;; 'workspace show') echo default ;; esac`;
    const environment = { PATH: fakeTerraform(cli.cwd(), terraform).searchPath };
    const ids = zones.map((zone, at) => `--ruleset-id ${zone}=${idOf('a', at)}`).join(' ');
    const flags = '--from 3.35.0 --out plan.json';
    await cli.offline(`plan --zone ${zones.join(' ')} ${ids} ${flags}`, { environment });
    expect((await cli.offline('apply plan.json --yes', { environment })).code).toBe(2);
    const [{ ruleset }] = JSON.parse(cli.read('plan.json')).zones;
    const waiting = async () => (await cli.offline('status', { environment })).stdout;
    expect(await waiting()).toContain('2 zones: 2 waiting at step 2\n');
    const [, name] = ruleset.address.split('.');
    declare({ [name]: { zone_id: zones[0], phase: MANAGED_PHASE } });
    expect(await waiting()).toContain('2 zones: 2 waiting at step 3\n');
  });

  it('resumes an interrupted run instead of leaving its blocks to terraform apply', async () => {
    const begun = { method: 'blocks', begun: ['backup', 'edit'] } as const;
    const { cli: run, write, at, journal } = appliedFolder(begun);
    const zone = 'f'.repeat(32);
    const body = `  zone_id = "${zone}"\n  phase   = "${MANAGED_PHASE}"\n`;
    const imported = `import {\n  to = cloudflare_ruleset.a\n  id = "zone/${zone}/${RULESET}"\n}\n`;
    const removed = `removed {\n  from = ${OLD}.a\n  lifecycle {\n    destroy = false\n  }\n}\n`;
    write('ruleset.tf', `resource "cloudflare_ruleset" "a" {\n${body}}\n${imported}${removed}`);
    write('state.json', stateText(1, [resource(OLD, { zone_id: zone })]));
    const { stdout } = await run('status');
    expect(stdout).not.toContain('terraform apply');
    expect(nextCommands(stdout)).toEqual(['cf-waf-migrate apply']);
    rmSync(at(journal));
    expect((await run('status')).stdout).toContain('(BLOCKS_NOT_APPLIED)');
  });

  it('refuses to guess where there is no Terraform configuration', async () => {
    const ran = await cli.run(['status', '--json'], { cwd: temporaryFolder() });
    expect([ran.code, errorOf(ran)]).toEqual([
      64,
      expect.objectContaining({
        message: 'there is no Terraform configuration in this folder',
        hint: 'run the command in a Terraform folder, or pass --dir <folder> or --zone <id or name>',
      }),
    ]);
  });

  it.each(['empty', 'apps', 'apps/edge/cdktf.out'])(
    'refuses %s of --dir, where there is no Terraform configuration',
    async (dir) => {
      cli.write({
        'empty/README.md': '',
        'apps/edge/cdktf.json': '{}',
        'apps/edge/cdktf.out/stacks/waf/cdk.tf.json': '{}',
      });
      const ran = await cli.offline(`status --dir ${dir} --json`);
      const message = `there is no Terraform configuration in ${dir}`;
      expect([ran.code, errorOf(ran)]).toEqual([64, expect.objectContaining({ message })]);
    },
  );

  it('says of a file of --dir that it is not a folder', async () => {
    cli.write({ 'main.tf': OWN });
    const { code, stdout } = await cli.offline('status --dir main.tf');
    expect([code, stdout]).toEqual([2, expect.stringMatching(/main\.tf is not a folder\n/)]);
  });

  it('never cuts a zone id, also where the table is wider than a terminal', async () => {
    const block = `resource "cloudflare_waf_rule" "a" {\n  zone_id = "${ZONE}"\n}\n`;
    cli.write({ 'main.tf': block });
    const environment = { PATH: fakeTerraform(temporaryFolder(), works).searchPath };
    const { stdout } = await cli.offline('status', { environment });
    expect(stdout).toMatch(
      new RegExp(`^${ZONE}  unknown  -         \\d in state, 1 in files  -$`, 'm'),
    );
    expect(stdout).toContain(
      '→ set CLOUDFLARE_API_TOKEN first: without it, `plan` needs --ruleset-id',
    );
  });

  it.each([
    [
      'legacy blocks whose zone is an expression, and the state has no resource of them',
      `${OWN}resource "cloudflare_waf_rule" "a" {\n  zone_id = var.zone\n}\n`,
      'cf-waf-migrate plan',
    ],
    [
      'the ruleset, and legacy blocks of which the user may have removed the last zone',
      `${OWN}resource "cloudflare_waf_rule" "a" {\n  for_each = var.zones\n  zone_id = each.value\n}\n`,
      null,
    ],
    ['no block of the ruleset', '', `cf-waf-migrate plan --zone ${ZONE}`],
    ['the block of the ruleset, with its zone as an expression', OWN, null],
  ])('plans next in a folder that has %s', async (_, blocks, next) => {
    const attributes = { id: RULESET, zone_id: ZONE, kind: 'zone', phase: MANAGED_PHASE };
    const state = { ...resource('cloudflare_ruleset'), name: 'waf', instances: [{ attributes }] };
    cli.write({
      'main.tf': `terraform {}\n${blocks}`,
      'state.json': stateText(1, [state]),
    });
    const environment = {
      PATH: fakeTerraform(temporaryFolder(), `case "$*" in 'state pull') cat state.json ;; esac`)
        .searchPath,
    };
    const ran = await cli.offline('status --json', { environment });
    const { zones, findings } = jsonOf(ran);
    expect(zones).toMatchObject([{ zone: ZONE, work: next === null ? 'done' : 'plan', next }]);
    const left = findings.filter(({ code }: any) => code === 'LEGACY_BLOCKS_DECLARED');
    expect(left).toHaveLength(blocks.includes('cloudflare_waf_rule') ? 1 : 0);
  });

  it.each([
    ['the default of a variable', '', 'main.tf', true],
    ['a file of variables', `zone = "${MIGRATED}"\n`, 'waf/main.tf', true],
    ['a file of variables that is not the id', 'zone = null\n', 'waf/main.tf', false],
  ])(
    'leads to the plan of legacy blocks without resources: zone in %s',
    async (_, values, file, isNamed) => {
      const block = 'resource "cloudflare_waf_rule" "a" {\n  zone_id = var.zone\n}\n';
      const variable = `variable "zone" {\n  default = "${MIGRATED}"\n}\n`;
      const call = 'module "waf" {\n  source = "./waf"\n  zone   = var.zone\n}\n';
      cli.write({
        [file]: `variable "zone" {}\n${block}`,
        'main.tf': variable + (file === 'main.tf' ? block : call),
        'terraform.tfvars': values,
        'state.json': stateText(1, []),
      });
      const terraform = `case "$*" in 'state pull') cat state.json ;; esac`;
      const environment = { PATH: fakeTerraform(temporaryFolder(), terraform).searchPath };
      const { stdout } = await cli.run('status', { environment });
      const next = 'cf-waf-migrate plan --zone docs.example.com';
      expect(nextCommands(stdout)).toEqual(isNamed ? [next] : []);
      // deleted by hand, the blocks would leave nothing that names the zone
      expect(/before you delete .*\n +cf-waf-migrate plan --zone/s.test(stdout)).toBe(!isNamed);
    },
  );

  describe('of a ruleset that is imported and declared', () => {
    function folder(version: string): { PATH: string } {
      const attributes = { id: RULESET, zone_id: ZONE, kind: 'zone', phase: MANAGED_PHASE };
      const state = { ...resource('cloudflare_ruleset'), name: 'waf', instances: [{ attributes }] };
      cli.write({
        'main.tf': `terraform {\n  required_providers {\n    cloudflare = "${version}"\n  }\n}\n${OWN}`,
        'state.json': stateText(1, [state]),
        '.terraform.lock.hcl':
          'provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "3.35.0"\n}\n',
      });
      const script = `case "$*" in 'state pull') cat state.json ;; 'workspace show') echo default ;; plan*) mkdir .terraform; echo 'Error: locked version selection 3.35.0 does not match' >&2; exit 1 ;; esac`;
      return { PATH: fakeTerraform(temporaryFolder(), script).searchPath };
    }

    it('leaves it to Terraform to compare them, and plan leads to a command that does', async () => {
      const environment = folder('~> 3.35');
      const { stdout } = await cli.offline('status', { environment });
      expect(stdout).toContain(
        '1 zone: nothing is left to do in Terraform, if terraform plan changes no resource\n',
      );
      const next = async (line: string) =>
        nextCommands((await cli.offline(line, { environment })).stdout);
      expect(await next('plan')).toEqual(['cf-waf-migrate rehearse']);
      const planned = await cli.offline('plan', { environment });
      expect(planned.stdout.replace(/\s+/g, ' ')).toContain('all declared rulesets are imported');
      expect(await next('plan --out plan.json')).toEqual(['cf-waf-migrate rehearse plan.json']);
      const verified = await cli.offline('verify --json', { environment });
      expect(errorOf(verified).hint).toContain('run `cf-waf-migrate rehearse`');
    });

    it('plans the upgrade to the provider that a version constraint requires, and verify leads here', async () => {
      const environment = folder('~> 3.35');
      await cli.offline('plan --out plan.json', { environment });
      folder('~> 4.52');
      const { code, stdout } = await cli.offline('status', { environment });
      expect([code, nextCommands(stdout)]).toEqual([0, ['cf-waf-migrate plan']]);
      const verified = await cli.offline('verify plan.json --json', { environment });
      expect(errorOf(verified).hint).toContain('the next command of `cf-waf-migrate status` first');
    });
  });

  it('first removes a ruleset of two states from one of them, also where its block is gone', async () => {
    const block = OWN.replace('var.zone', `"${ZONE}"`).replace(
      '}',
      `  phase = "${MANAGED_PHASE}"\n}`,
    );
    const attributes = { id: RULESET, zone_id: ZONE, kind: 'zone', phase: MANAGED_PHASE };
    const state = { ...resource('cloudflare_ruleset'), name: 'waf', instances: [{ attributes }] };
    cli.write({
      'a/main.tf': block,
      'a/state.json': stateText(1, [state]),
      'b/main.tf': block,
      'b/state.json': stateText(1, [state]),
    });
    const script = `case "$*" in *'state pull') cat state.json ;; esac`;
    const environment = { PATH: fakeTerraform(temporaryFolder(), script).searchPath };
    for (const text of [block, 'terraform {}\n']) {
      cli.write({ 'b/main.tf': text });
      const { stdout } = await cli.offline('status --dir a b', { environment });
      expect(stdout).toContain('\n1 zone: 1 to correct by hand\n');
      expect(stdout.replace(/\s+/g, ' ')).toContain(
        '(ENTRY_POINT_DECLARED_TWICE) ' +
          `${ZONE} two resources undo each other's changes: cloudflare_ruleset.waf in a, cloudflare_ruleset.waf in b ` +
          '→ first remove one of them from its state with `terraform state rm <address>`, ',
      );
      expect(nextCommands(stdout)).toEqual([]);
    }
  });

  it('counts a ruleset once that a moved block renames', async () => {
    const attributes = { id: RULESET, zone_id: ZONE, kind: 'zone', phase: MANAGED_PHASE };
    const state = { ...resource('cloudflare_ruleset'), name: 'old', instances: [{ attributes }] };
    const moved = 'moved {\n  from = cloudflare_ruleset.old\n  to   = cloudflare_ruleset.waf\n}\n';
    cli.write({
      'main.tf': `${OWN.replace('var.zone', `"${ZONE}"`)}${moved}`,
      'state.json': stateText(1, [state]),
    });
    const script = `case "$*" in *'state pull') cat state.json ;; esac`;
    const environment = { PATH: fakeTerraform(temporaryFolder(), script).searchPath };
    const { findings, zones } = JSON.parse(
      (await cli.offline('status --json', { environment })).stdout,
    );
    expect(findings).toEqual([expect.objectContaining({ code: 'API_NOT_ASKED' })]);
    expect(zones[0]).toMatchObject({ work: 'done' });
  });

  /** The entry point of the zone. */
  const LIVE = { id: idOf('d', 0x401) };

  /** The status of a folder that declares the entry point of a zone, and whose state has an instance of it. */
  async function statusOf(
    zone: string,
    { id = RULESET, ...more }: { id?: string; status?: string },
  ) {
    const attributes = { id, zone_id: zone, kind: 'zone', phase: MANAGED_PHASE };
    const instances = [{ attributes, ...more }];
    cli.write({
      'main.tf': OWN.replace('var.zone', `"${zone}"`),
      'state.json': stateText(1, [{ ...resource('cloudflare_ruleset'), name: 'waf', instances }]),
    });
    const script = `case "$*" in *'state pull') cat state.json ;; esac`;
    const environment = { PATH: fakeTerraform(temporaryFolder(), script).searchPath };
    const { code, stdout, stderr } = await cli.run('status', { environment });
    return { code, next: nextCommands(stdout), text: `${stdout}${stderr}`.replace(/\s+/g, ' ') };
  }

  it('removes a ruleset that is not the live one from the state', async () => {
    expect(await statusOf(MIGRATED, LIVE)).toMatchObject({ code: 0, next: [] });
    const { code, next, text } = await statusOf(MIGRATED, {});
    expect([code, next]).toEqual([2, []]);
    expect(text).toContain('1 zone: 1 to correct by hand');
    expect(text).toMatch(
      new RegExp(
        `\\(ENTRY_POINT_DIFFERS\\) cloudflare_ruleset.waf the state has ruleset ${RULESET}, and .*` +
          '`terraform state rm cloudflare_ruleset.waf`, which destroys nothing, ' +
          `then plan to import the live one: cf-waf-migrate plan --zone ${MIGRATED}`,
      ),
    );
  });

  it('says what to do with a zone that has left the account', async () => {
    const { code, text } = await statusOf(UNKNOWN, {});
    expect(code).toBe(1);
    expect(text).toContain(
      'if the zone has left the account, remove its resources with `terraform state rm`, and their blocks',
    );
  });

  it('names a tainted ruleset, which Terraform would replace', async () => {
    const { code, text } = await statusOf(MIGRATED, { ...LIVE, status: 'tainted' });
    expect(code).toBe(2);
    expect(text).toContain('1 zone: 1 to correct by hand');
    expect(text).toMatch(/\(RULESET_TAINTED\).*run `terraform untaint cloudflare_ruleset.waf`/);
  });

  it('of a zone that has moved: each managed ruleset that is deployed, with its name', async () => {
    const { code, document } = await cli.json(`status --zone ${MIGRATED}`);
    expect(code).toBe(0);
    const [zone] = document.zones;
    expect(zone).toMatchObject({ oldWaf: 'off', newWaf: 'on', migrationState: 'complete' });
    expect(zone.next).toEqual(expect.stringMatching(/^cf-waf-migrate generate --zone [a-z.]+$/));
    const skippedWhere = ['(ip.src in {192.0.2.0/24} and http.host eq "docs.example.com")'];
    expect(zone.deployed).toEqual([
      {
        id: 'efb7b8c949ac4650a09736fc376e9aee',
        name: 'Cloudflare Managed Ruleset',
        enabled: true,
        effect: 'acts',
        expression: 'true',
        skippedWhere,
      },
      {
        id: '4814384a9e5d4991b9815dcfc25d2f1f',
        name: 'Cloudflare OWASP Core Ruleset',
        enabled: true,
        effect: 'acts',
        expression: 'true',
        skippedWhere,
      },
    ]);
    expect(document.findings).toEqual([]);
  });

  it('never calls the legacy API', async () => {
    await cli.run(`status --zone ${MIGRATED}`);
    const paths = cli.requests();
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => path.includes('/firewall/') || !path.startsWith('GET '))).toEqual(
      [],
    );
  });
});

describe('status, where the migration interface refuses to answer', () => {
  const refuse = (status: number, path: string): void => {
    cli.emulator().setFaults([{ kind: 'status', path, status, code: 10000 }]);
  };

  it.each([403, 404, 410])('with %i: what is deployed is listed all the same', async (code) => {
    refuse(code, '*/waf_migration/status');
    const ran = await cli.json(`status --zone ${MIGRATED}`);
    expect(ran.code).toBe(2);
    expect(ran.document).toMatchObject({
      zones: [
        {
          oldWaf: 'unknown',
          newWaf: 'unknown',
          migrationState: 'unknown',
          deployed: [{ effect: 'acts' }, { effect: 'acts' }],
        },
      ],
      findings: [{ code: 'NOT_CHECKED', severity: 'decision' }],
    });
  });

  it('for lack of a permission: neither one zone nor many are to generate', async () => {
    refuse(403, '*/waf_migration/*');
    const work = 'unclear';
    const one = await cli.json(`status --zone ${MIGRATED}`);
    expect(one.document.zones).toMatchObject([
      { work, next: `cf-waf-migrate status --zone ${MIGRATED}` },
    ]);
    const { findings } = one.document;
    expect(findings).toMatchObject([
      { remedy: expect.stringMatching(/^check the credentials, and/) },
    ]);
    cli.write({ 'zones.txt': `${MIGRATED}\n${ENTERPRISE}\n` });
    const { code, stdout } = await cli.run('status --zones zones.txt');
    expect(code).toBe(1);
    expect(stdout).toContain('2 zones: 1 with an unknown WAF, 1 that cannot be read\n');
    expect(nextCommands(stdout)).toEqual([]);
  });

  it('and the entry point, too: it fails', async () => {
    refuse(403, '*');
    const ran = await cli.run(`status --zone ${MIGRATED} --json`);
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'API_UNAUTHORIZED']);
  });
});

it('status of several zones plans nothing for one that cannot be read, and exits with 1', async () => {
  const path = `/zones/${ENTERPRISE}/*`;
  cli.emulator().setFaults([{ kind: 'status', path, status: 403, code: 10000 }]);
  const { code, document } = await cli.json(`status --zone ${ENTERPRISE} ${MIGRATED}`);
  expect([code, document.zones.map(({ next }: any) => next)]).toEqual([
    1,
    [
      'cf-waf-migrate generate --zone docs.example.com',
      `cf-waf-migrate status --zone ${ENTERPRISE}`,
    ],
  ]);
});

describe('status, of a zone that needs a look', () => {
  const zone = (id: string, more: object): object => ({
    id: id.padStart(32, 'a'),
    name: `zone-${id}.example.com`,
    plan: 'enterprise',
    ...more,
  });
  const odd = cliWithEmulator({
    name: 'odd',
    settings: { switchDelay: { statusReads: 9 } },
    zones: [
      zone('1', { migration: { state: 'complete' } }),
      zone('2', {}),
      zone('3', {
        oldWaf: { enabled: false },
        rulesets: [entryPoint(deploy(MANAGED, { enabled: true }))],
      }),
    ],
  });
  const findingsOf = async (id: string): Promise<object[]> =>
    (await odd.json(['status', '--zone', id.padStart(32, 'a')])).document.findings;

  it('reports that neither WAF is on, which needs a decision', async () => {
    expect(await findingsOf('1')).toEqual([
      expect.objectContaining({ code: 'ZONE_UNPROTECTED', severity: 'decision' }),
    ]);
    const id = '1'.padStart(32, 'a');
    const alone = await odd.json(['status', '--zone', id]);
    const [zone] = alone.document.zones;
    expect([alone.code, zone.work, zone.next]).toEqual([2, 'unprotected', null]);
    odd.write({ 'zones.txt': id });
    const many = await odd.run('status --zones zones.txt');
    expect([many.code, many.stdout]).toEqual([2, expect.stringContaining('1 without a WAF')]);
  });

  it('says of a zone that never had the legacy WAF to generate its stack, and finish sends nothing', async () => {
    const id = '3'.padStart(32, 'a');
    const [zone] = (await odd.json(['status', '--zone', id])).document.zones;
    expect(zone).toMatchObject({ oldWaf: 'off', newWaf: 'on', migrationState: 'start' });
    expect([zone.work, zone.next]).toEqual([
      'generate',
      'cf-waf-migrate generate --zone zone-3.example.com',
    ]);
    const finished = await odd.run(`finish --zone ${id} --confirm zone-3.example.com`);
    expect([finished.code, odd.requests().filter((one) => one.startsWith('PUT'))]).toEqual([0, []]);
  });

  it('as plan and apply do, where nothing is left to migrate, but the live ruleset is gone', async () => {
    const id = '1'.padStart(32, 'a');
    const attributes = { id: RULESET, zone_id: id, kind: 'zone', phase: MANAGED_PHASE };
    const state = { ...resource('cloudflare_ruleset'), name: 'waf', instances: [{ attributes }] };
    odd.write({ 'main.tf': OWN, 'state.json': stateText(1, [state]) });
    const script = `case "$*" in 'state pull') cat state.json ;; 'workspace show') echo default ;; esac`;
    const { path: binary } = fakeTerraform(temporaryFolder(), script);
    for (const command of ['status', 'plan', 'apply --yes']) {
      const { code, stdout } = await odd.run(`${command} --terraform ${binary}`);
      expect([command, code]).toEqual([command, 2]);
      expect(stdout).toContain('decision: No WAF is on (ZONE_UNPROTECTED)\n');
    }
  });

  it('says that the service is switching it over, and how to wait for it', async () => {
    await odd.run(
      `finish --zone ${'2'.padStart(32, 'a')} --confirm zone-2.example.com --wait 0`.split(' '),
      { cwd: temporaryFolder() },
    );
    expect(await findingsOf('2')).toEqual([
      expect.objectContaining({
        code: 'MIGRATION_UNDER_WAY',
        severity: 'info',
        remedy: expect.stringContaining('cf-waf-migrate finish --zone'),
      }),
    ]);
    const [{ remedy }] = (await findingsOf('2')) as any;
    const [, command = ''] = remedy.split('cf-waf-migrate ');
    expect((await odd.run(`${command} --wait 0`)).code).toBe(2);
  });
});

describe('an entry point of a migrated zone that protects nothing', () => {
  const [off, empty, skipped] = ['1', '2', '3'].map((id) => id.padStart(32, 'a'));
  const skip = {
    ...{ id: idOf('7', 1), ref: 'skip', version: '1', action: 'skip' },
    action_parameters: { ruleset: 'current' },
    expression: '(ip.src ne 203.0.113.77)',
    enabled: true,
  };
  const rulesOf: [string, object[]][] = [
    [off!, [deploy(MANAGED), deploy(OWASP, { id: idOf('8', 2), ref: 'owasp' })]],
    [empty!, []],
    [skipped!, [skip, { ...skip, id: idOf('7', 2), ref: 'b' }, deploy(MANAGED, { enabled: true })]],
  ];
  const weak = cliWithEmulator({
    name: 'weak',
    zones: rulesOf.map(([id, rules], at) => ({
      ...{ id, name: `weak-${at}.example.com`, plan: 'pro', migration: { state: 'complete' } },
      rulesets: [{ ...entryPoint(...rules), id: idOf('b', at), name: 'default' }],
    })),
  });
  const unprotected = expect.objectContaining({ code: 'ZONE_UNPROTECTED', severity: 'decision' });
  const planOf = (id: string): string[] => {
    const zone = { zone_id: id, package_id: 'c'.repeat(32), id: 'd'.repeat(32), mode: 'on' };
    const provider = 'provider["registry.terraform.io/cloudflare/cloudflare"]';
    const instances = [{ schema_version: 0, attributes: { ...zone, group_id: zone.id } }];
    const type = 'cloudflare_waf_group';
    const one = { mode: 'managed', type, name: 'g', provider, instances };
    weak.write({ 'state.json': stateFile([one], 'lineage') });
    return ['plan', '--state', 'state.json', '--from', '3.35.0', '--json'];
  };

  it('because all its rulesets are off: status, plan and generate need a decision', async () => {
    const { document } = await weak.json(['status', '--zone', off!]);
    expect(document.findings).toContainEqual(unprotected);
    const planned = await weak.run(planOf(off!));
    expect([planned.code, JSON.parse(planned.stdout).findings]).toEqual([
      ...[2, expect.arrayContaining([unprotected])],
    ]);
    const generated = await weak.json([
      'generate',
      '--zone',
      off!,
      '--format',
      'hcl',
      '--out',
      'o',
    ]);
    expect(generated.document.findings).toContainEqual(unprotected);
  });

  it('and is imported: status is done, because its plan required the decision', async () => {
    const attributes = { id: idOf('b', 0), zone_id: off, kind: 'zone', phase: MANAGED_PHASE };
    const state = { ...resource('cloudflare_ruleset'), name: 'waf', instances: [{ attributes }] };
    weak.write({ 'main.tf': OWN, 'state.json': stateText(1, [state]) });
    const script = `case "$*" in 'state pull') cat state.json ;; 'workspace show') echo default ;; esac`;
    const { path: binary } = fakeTerraform(temporaryFolder(), script);
    const { code, stdout } = await weak.run(`status --zone ${off} --terraform ${binary}`);
    expect([code, stdout]).toEqual([
      ...[0, expect.stringContaining('info: No WAF is on (ZONE_UNPROTECTED)\n')],
    ]);
  });

  it('is a decision in a list, also after one that was imported', async () => {
    const attributes = { id: idOf('b', 0), zone_id: off, kind: 'zone', phase: MANAGED_PHASE };
    const state = { ...resource('cloudflare_ruleset'), name: 'waf', instances: [{ attributes }] };
    weak.write({ 'main.tf': OWN, 'state.json': stateText(1, [state]) });
    weak.write({ 'zones.csv': `zone,dir\n${off},.\n${empty},.\n` });
    const script = `case "$*" in 'state pull') cat state.json ;; 'workspace show') echo default ;; esac`;
    const { path: binary } = fakeTerraform(temporaryFolder(), script);
    const { code, stdout } = await weak.run(`status --zones zones.csv --terraform ${binary}`);
    const title = 'decision: No WAF is on (ZONE_UNPROTECTED)\n    weak-1.example.com and 1 more\n';
    expect([code, stdout]).toEqual([2, expect.stringContaining(title)]);
  });

  it('because it has no rules: status says so, and plan and generate name the zone and what to do', async () => {
    const { code, document } = await weak.json(['status', '--zone', empty!]);
    expect([code, document.zones[0].work, document.findings]).toEqual([
      ...[2, 'unprotected', [unprotected]],
    ]);
    for (const args of [planOf(empty!), ['generate', '--zone', empty!, '--json']]) {
      expect(errorOf(await weak.run(args))).toMatchObject({
        code: 'RULESET_EMPTY',
        message: `the entry point ruleset of zone ${empty} has no rules`,
        hint: expect.stringContaining('deploy a managed ruleset'),
      });
    }
  });

  it('to what skip rules match: status names them after the ruleset', async () => {
    const { stdout } = await weak.run(['status', '--zone', skipped!]);
    expect(stdout).toContain(
      '        after 2 skip rules:\n' + `          where ${skip.expression}\n`.repeat(2),
    );
    const { document } = await weak.json(['status', '--zone', skipped!]);
    expect(document.zones[0].deployed[0].skippedWhere).toEqual([skip.expression, skip.expression]);
  });
});
