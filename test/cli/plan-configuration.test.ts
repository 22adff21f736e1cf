import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { MANAGED_PHASE } from '../../src/core/ruleset';
import { parsePlan } from '../../src/plan/parse-saved-plan';
import { type Plan } from '../../src/plan/plan-schema';
import { RULESET, ZONE } from '../plan/support/plans';
import { type CliOptions, type CliRun, runCli } from '../support/run-cli';
import { nextCommands } from '../support/next-commands';
import { temporaryFolder } from '../support/temporary-folder';
import { resourceOf, stateOf, terraformOf } from './support/states';

interface Planned extends CliRun {
  readonly plan: Plan;
  readonly codes: readonly string[];
  readonly finding: (code: string) => object | undefined;
  /** The text of a file afterwards; undefined if it does not exist. */
  readonly read: (file: string) => string | undefined;
}

/** Runs `plan` in a folder with these files and this state. The file `workspace` names the workspace. */
function runPlan(files: Record<string, string>, resources: readonly object[], ...args: string[]) {
  const cwd = temporaryFolder({ ...files, 'state.json': JSON.stringify(stateOf(...resources)) });
  const { searchPath } = terraformOf(cwd, 'state.json', '$(cat workspace 2> /dev/null)');
  const line = ['plan', '--zone', ZONE, '--ruleset-id', RULESET, '--dir', '.', ...args];
  const options = { cwd, environment: { PATH: searchPath } };
  return {
    cwd,
    run: (more: CliOptions = {}, words = line) => runCli(words, { ...options, ...more }),
  };
}

/** The plan of such a folder as JSON. What is planned can be applied. */
async function planIn(
  files: Record<string, string>,
  resources: readonly object[],
  ...args: string[]
): Promise<Planned> {
  const { cwd, run } = runPlan(files, resources, '--json', ...args);
  const ran = await run();
  const plan: Plan = JSON.parse(ran.stdout || '{"findings":[]}');
  if (ran.stdout !== '') expect(parsePlan(plan)).toEqual(plan);
  const read = (file: string): string | undefined =>
    existsSync(join(cwd, file)) ? readFileSync(join(cwd, file), 'utf8') : undefined;
  const finding = (name: string) => plan.findings.find((one) => one.code === name);
  return { ...ran, plan, read, finding, codes: plan.findings.map((one) => one.code) };
}

describe('plan configuration', () => {
  const OTHER = 'f'.repeat(32);
  const waf = (name: string, attributes: object, more: object = {}) =>
    resourceOf('cloudflare_waf_rule', name, { id: '100000', zone_id: ZONE, ...attributes }, more);

  const RULE = 'cloudflare_waf_rule.r';
  const oldRule = 'resource "cloudflare_waf_rule" "r" {\n  zone_id = var.zone_id\n}\n';

  it.each([
    ['calls it too', '../../modules/waf', ['modules/waf/main.tf']],
    ['calls another', '../other', []],
  ])('asks before it edits a module, if a folder below %s', async (_, source, subjects) => {
    const files = {
      'main.tf': 'module "waf" {\n  source = "./modules/waf"\n}\n',
      'modules/waf/main.tf': oldRule,
      'envs/b/main.tf': `module "waf" {\n  source = "${source}"\n}\n`,
      'envs/b/.terraform.lock.hcl': '',
      'envs/other/main.tf': '',
    };
    const rule = { ...waf('r', {}), module: 'module.waf' };
    const { plan } = await planIn(files, [rule], '--from', '3.35.0');
    const found = plan.findings.filter(({ code }) => code === 'BLOCK_OF_SEVERAL_STATES');
    expect(found.map(({ subject }) => subject)).toEqual(subjects);
    for (const { message } of found) expect(message).toMatch(/^the configuration in envs\/b calls/);
  });

  it.each([
    ['two folders call', {}, []],
    ['two folders call, and is initialised', { 'modules/waf/.terraform.lock.hcl': '' }, []],
    ['a third folder calls too', { 'c/.terraform.lock.hcl': '' }, ['envs/c']],
  ])('asks once, before it edits a module that %s', async (_, more, callers) => {
    const call = 'module "waf" {\n  source = "../modules/waf"\n}\n';
    const own = { ...waf('r', {}), module: 'module.waf' };
    const files = {
      ...{ 'envs/modules/waf/main.tf': oldRule, 'envs/c/main.tf': call },
      ...Object.fromEntries(['a', 'b'].map((one) => [`envs/${one}/main.tf`, call])),
      ...Object.fromEntries(
        ['a', 'b'].map((one) => [`envs/${one}/state.json`, JSON.stringify(stateOf(own))]),
      ),
      ...Object.fromEntries(Object.entries(more).map(([name, text]) => [`envs/${name}`, text])),
    };
    const { run } = runPlan(files, []);
    const dirs = ['--dir', 'envs/a', 'envs/b', '--from', '3.35.0', '--json'];
    const line = ['plan', '--zone', ZONE, '--ruleset-id', RULESET, ...dirs];
    const { findings }: Plan = JSON.parse((await run({}, line)).stdout);
    const found = findings.filter(({ code }) => code === 'BLOCK_OF_SEVERAL_STATES');
    expect(
      found.map(({ message }) => /^the configuration in (\S+) calls/.exec(message)?.[1]),
    ).toEqual(callers);
  });

  it.each([
    ['that other zones keep', `["${ZONE}", "${OTHER}"]`, 'blocker'],
    ['from which the zone was removed', `["${OTHER}"]`, undefined],
  ])('leads a migrated zone on in a block %s', async (_, zones, severity) => {
    const main = oldRule.replace(
      'zone_id = var.zone_id',
      `for_each = toset(${zones})\n  zone_id = each.key`,
    );
    const live = { id: RULESET, zone_id: ZONE, phase: MANAGED_PHASE };
    const { finding } = await planIn(
      {
        'main.tf': `${main}resource "cloudflare_ruleset" "waf" {\n  zone_id = "${ZONE}"\n  phase = "${MANAGED_PHASE}"\n}\n`,
      },
      [
        waf('r', { zone_id: OTHER }, { index_key: OTHER }),
        resourceOf('cloudflare_ruleset', 'waf', live),
      ],
      ...['--from', '3.35.0'],
    );
    const found = finding('LEGACY_BLOCKS_DECLARED');
    expect(found).toEqual(
      severity &&
        expect.objectContaining({
          severity,
          remedy: expect.stringMatching(/^remove the migrated zones from the count or for_each/),
        }),
    );
  });

  it('shows edits as a diff, coloured on a terminal', async () => {
    const files = { 'main.tf': `${oldRule}x {}\n` };
    const { run } = runPlan(files, [waf('r', {})], '--from', '3.35.0');
    const [piped, shown] = [await run(), await run({ terminal: true })];
    expect(piped.stdout).toContain('\n      -resource "cloudflare_waf_rule" "r" {\n');
    expect(shown.stdout).toContain(
      '\u001b[31m      -resource "cloudflare_waf_rule" "r" {\u001b[39m\n',
    );
  });

  it.each([
    ['the default of a variable', '', [], 'waf'],
    ['a file of variables', `zone_id = "${ZONE}"\n`, [], 'waf'],
    ['a flag for Terraform', `zone_id = "${OTHER}"\n`, ['--', `-var=zone_id=${ZONE}`], 'waf'],
    ['a flag with another zone', '', ['--', `-var=zone_id=${OTHER}`], 'managed_rules'],
    ['a file that is not here', '', ['--', '-var-file=prod.tfvars'], 'managed_rules'],
    ['a file of another environment', `zone_id = "${OTHER}"\n`, [], 'managed_rules'],
  ])('imports a declared ruleset whose zone is known: in %s', async (_, values, flags, name) => {
    const files = {
      'main.tf': `variable "zone_id" {\n  default = "${ZONE}"\n}\n${oldRule}`,
      'waf.tf': `resource "cloudflare_ruleset" "waf" {\n  zone_id = var.zone_id\n  phase   = "${MANAGED_PHASE}"\n  rules {}\n}\n`,
      'terraform.tfvars': values,
    };
    const { plan, finding } = await planIn(files, [waf('r', {})], '--from', '3.35.0', ...flags);
    expect(plan.zones[0]?.ruleset.address).toBe(`cloudflare_ruleset.${name}`);
    expect(finding('ENTRY_POINT_MAY_BE_DECLARED') === undefined).toBe(name === 'waf');
  });

  it.each([
    ['its default', '', ['OTHER_ZONES']],
    ['a file', `zones = { a = "${ZONE}", c = "${'e'.repeat(32)}" }\n`, ['OTHER_ZONES']],
    ['a file, which leaves them out', `zones = { a = "${ZONE}" }\n`, []],
    ['a file that cannot be read', 'zones = [\n', []],
    ['a file of another environment', `zones = { a = "${OTHER}" }\n`, []],
  ])('names the other zones of a for_each with a variable: from %s', async (_, values, codes) => {
    const files = {
      'main.tf': `variable "zones" {\n  default = { a = "${ZONE}", b = "${OTHER}" }\n}\nresource "cloudflare_waf_rule" "r" {\n  for_each = var.zones\n  zone_id  = each.value\n}\n`,
      'terraform.tfvars': values,
    };
    const instance = waf('r', {}, { index_key: 'a' });
    const { plan } = await planIn(files, [instance], '--from', '3.35.0');
    expect(plan.findings.map(({ code }) => code)).toEqual(codes);
  });

  it('refuses a file that is too large to parse, before it parses it', async () => {
    const { run } = runPlan({ 'main.tf': '/*'.repeat(2_000_000) }, [waf('r', {})]);
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([1, expect.stringContaining('main.tf is larger than 3 MiB')]);
  });

  it('a reference to a block that was deleted before is a blocker', async () => {
    const gone = `output "o" {\n  value = [cloudflare_waf_rule.r.id, data.cloudflare_waf_rules.d]\n}\n`;
    const moved = 'moved {\n  from = cloudflare_waf_rule.q\n  to   = cloudflare_waf_rule.r\n}\n';
    const { plan } = await planIn({ 'main.tf': gone + moved }, [waf('r', {})]);
    const named = ['cloudflare_waf_rule.r', 'data.cloudflare_waf_rules.d'];
    expect(plan.findings.filter(({ code }) => code === 'BLOCK_REFERENCED')).toEqual(
      named.map((address) =>
        expect.objectContaining({
          ...{ severity: 'blocker', subject: 'main.tf:2' },
          message: expect.stringContaining(`output.o refers to ${address} (`),
        }),
      ),
    );
  });

  const backend = (type: string, config: object = {}): string =>
    JSON.stringify({ version: 3, backend: { type, config, hash: 1 } });

  it.each([
    ['where Terraform keeps them', {}, 'terraform.tfstate.d'],
    ['where the backend is told to keep them', { workspace_dir: 'state/ws' }, 'state/ws'],
  ])('other workspaces are found %s', async (_, config, folder) => {
    const files = {
      ...{ workspace: 'default', 'main.tf': oldRule },
      '.terraform/terraform.tfstate': backend('local', config),
      [`${folder}/prod/terraform.tfstate`]: JSON.stringify(stateOf(waf('r', {}))),
    };
    const { finding } = await planIn(files, [waf('r', {})], '--from', '3.35.0');
    expect(finding('OTHER_WORKSPACES')).toMatchObject({ severity: 'decision' });
    const { run } = runPlan(files, [waf('r', {})]);
    expect((await run({}, ['status'])).stdout).toContain('(OTHER_WORKSPACES)');
  });

  it('a workspace without a state does not count', async () => {
    const { finding } = await planIn(
      { workspace: 'default', 'main.tf': oldRule, 'terraform.tfstate.d/empty/.keep': '' },
      [waf('r', {})],
      ...['--from', '3.35.0'],
    );
    expect(finding('OTHER_WORKSPACES')).toBeUndefined();
  });

  it('a ruleset that only another workspace has is not offered, and its import is a decision', async () => {
    const attributes = { id: RULESET, zone_id: OTHER, phase: MANAGED_PHASE };
    const imported = JSON.stringify(stateOf(resourceOf('cloudflare_ruleset', 'other', attributes)));
    const declared = `resource "cloudflare_ruleset" "other" {\n  zone_id = "${OTHER}"\n  phase   = "${MANAGED_PHASE}"\n  rules {}\n}\n`;
    const files = {
      ...{ workspace: 'staging', 'main.tf': oldRule + declared },
      'terraform.tfstate.d/prod/terraform.tfstate': imported,
    };
    const { finding } = await planIn(files, [waf('r', {})]);
    expect(finding('ENTRY_POINT_NOT_IMPORTED')).toMatchObject({
      severity: 'blocker',
      remedy: expect.stringMatching(/^If workspaces have different zones, add `count = /),
    });
    const { run } = runPlan(files, [waf('r', {})]);
    const zones = [
      '--zone',
      ZONE,
      OTHER,
      '--ruleset-id',
      `${ZONE}=${RULESET}`,
      `${OTHER}=${OTHER}`,
    ];
    const both: Plan = JSON.parse((await run({}, ['plan', '--json', ...zones])).stdout);
    expect(both.findings).toContainEqual(
      expect.objectContaining({ code: 'OTHER_WORKSPACES', subject: 'cloudflare_ruleset.other' }),
    );
  });

  it.each([
    ['the local backend', ''],
    [
      'a bucket whose name has the word cloud',
      'terraform {\n  backend "s3" {\n    bucket = "acme-cloud-state"\n  }\n}\n',
    ],
  ])('where variables have no value, plan says so: %s', async (_, settings) => {
    const files = { 'main.tf': `${settings}${oldRule}variable "zone_id" {}\n`, 'a.tfvars': '' };
    const { run } = runPlan(files, [waf('r', {})], '--from', '3');
    const ran = await run();
    expect([ran.code, ran.stdout]).toEqual([2, expect.stringContaining('(VARIABLES_UNSET)')]);
  });

  it('what a local backend left behind is no workspace of the one that came after', async () => {
    const files = {
      workspace: 'default',
      'main.tf': oldRule,
      '.terraform/terraform.tfstate': backend('s3', { bucket: 'b' }),
      'terraform.tfstate.d/prod/terraform.tfstate': JSON.stringify(stateOf(waf('r', {}))),
    };
    const { finding } = await planIn(files, [waf('r', {})]);
    expect(finding('OTHER_WORKSPACES')).toBeUndefined();
  });

  const lookup = (name: string) =>
    `data "cloudflare_zone" "z" {\n  name = ${name}\n}\n${oldRule.replace('var.zone_id', 'data.cloudflare_zone.z.id')}`;
  const inCall = (value: string) =>
    `module "waf" {\n  source  = "./waf"\n  zone_id = ${value}\n}\n`;

  it.each([
    ['a variable without a value', oldRule, {}, true],
    ['a variable of a file', oldRule, { 'terraform.tfvars': `zone_id = "${ZONE}"\n` }, false],
    ['an index', oldRule.replace('zone_id\n', 'zones[var.env]\n'), {}, true],
    [
      'a local value',
      `locals {\n  id = var.id\n}\n${oldRule.replace('var.zone_id', 'local.id')}`,
      {},
      true,
    ],
    ['a lookup by a variable', lookup('var.domain'), {}, true],
    [
      'one of several in a variable',
      oldRule.replace('zone_id = var.zone_id', 'for_each = var.zones\n  zone_id = each.value'),
      {},
      true,
    ],
    ['a lookup by a name', lookup('"shop.example.com"'), {}, false],
    ['an argument of a module', inCall('var.zone_id'), { 'waf/main.tf': oldRule }, true],
    ['a text in the call of a module', inCall(`"${ZONE}"`), { 'waf/main.tf': oldRule }, false],
    [
      'looked up in a module',
      inCall('var.zone_id'),
      { 'waf/main.tf': lookup('var.zone_id') },
      true,
    ],
    [
      'looked up in a module by a text',
      inCall('"a.b"'),
      { 'waf/main.tf': lookup('var.zone_id') },
      false,
    ],
    [
      'an output of one of several modules',
      oldRule.replace('var.zone_id', 'module.waf[var.env].id'),
      {},
      true,
    ],
    [
      'an output of a module',
      `${inCall('var.zone_id')}${oldRule.replace('var.zone_id', 'module.waf.id')}`,
      { 'waf/main.tf': 'variable "zone_id" {}\noutput "id" {\n  value = var.zone_id\n}\n' },
      true,
    ],
    [
      'an output of one of several modules, with an index in its key',
      `locals {\n  keys = ["a"]\n}\n${inCall('var.zone_id')}${oldRule.replace('var.zone_id', 'module.waf[local.keys[0]].id')}`,
      { 'waf/main.tf': 'variable "zone_id" {}\noutput "id" {\n  value = var.zone_id\n}\n' },
      true,
    ],
    [
      'a text, but its count a variable',
      oldRule.replace(
        'zone_id = var.zone_id',
        `count = var.env == "a" ? 1 : 0\n  zone_id = "${ZONE}"`,
      ),
      {},
      true,
    ],
    [
      'a variable of a file that git ignores',
      oldRule,
      {
        '.gitignore': '*.tfvars\n',
        '.git/HEAD': 'ref: refs/heads/main\n',
        '.git/objects/.keep': '',
        '.git/refs/.keep': '',
        'terraform.tfvars': `zone_id = "${ZONE}"\n`,
      },
      true,
    ],
  ])(
    'where -backend-config selects the state and the zone is %s, asks: %s',
    async (_, main, files, asks) => {
      const variables = ['zone_id', 'zones', 'env', 'id', 'domain'].map(
        (name) => `variable "${name}" {}\n`,
      );
      const all = {
        'main.tf': `terraform {\n  backend "s3" {\n    # bucket: -backend-config\n  }\n}\n${variables.join('')}${main}`,
        '.terraform/terraform.tfstate': backend('s3', { bucket: 'b', region: null }),
        ...files,
      };
      const module = main.includes('resource') ? {} : { module: 'module.waf' };
      const { finding } = await planIn(all, [{ ...waf('r', {}), ...module }], '--from', '3.35.0');
      expect(finding('OTHER_WORKSPACES') !== undefined).toBe(asks);
    },
  );

  it.each([
    ['staging', 'local.zones[terraform.workspace]', true],
    ['staging', `"${ZONE}"`, false],
    ['default', 'local.zones[terraform.workspace]', true],
    ['default', `"${ZONE}"`, false],
  ])(
    'in workspace %s of a remote backend, others may have the zone %s: %s',
    async (workspace, zone, asks) => {
      const files = {
        workspace,
        'main.tf': `locals {\n  zones = { staging = "${ZONE}" }\n}\nterraform {\n  backend "s3" {\n    bucket = "b"\n  }\n}\n${oldRule.replace('var.zone_id', zone)}`,
        '.terraform/terraform.tfstate': backend('s3', { bucket: 'b' }),
      };
      const { finding } = await planIn(files, [waf('r', {})], '--from', '3.35.0');
      expect(finding('OTHER_WORKSPACES') !== undefined).toBe(asks);
      const byBlocks = await planIn(
        files,
        [waf('r', {})],
        ...['--from', '3.35.0', '--method', 'blocks'],
      );
      expect(byBlocks.stderr.includes('its zone depends on the workspace')).toBe(asks);
    },
  );

  it.each([
    ['http', 'address', '', true],
    ['http', 'address', 'address = "https://states.example/dev"', false],
    ['s3', 'bucket', 'bucket = "b"', false],
  ])(
    'where the environment can give the %s backend its %s, and the files have "%s", asks: %s',
    async (type, name, inFiles, asks) => {
      const files = {
        workspace: 'default',
        'main.tf': `terraform {\n  backend "${type}" {\n    ${inFiles}\n  }\n}\nvariable "zone_id" {}\n${oldRule}`,
        '.terraform/terraform.tfstate': backend(type, { [name]: inFiles === '' ? null : 'x' }),
      };
      const { finding } = await planIn(files, [waf('r', {})], '--from', '3.35.0');
      expect(finding('OTHER_WORKSPACES') !== undefined).toBe(asks);
    },
  );

  describe('where -backend-config selects the environment', () => {
    const variable = 'variable "zone_id" {}\nterraform {\n  backend "s3" {\n  }\n}\n';
    const of = (zone: string) =>
      `resource "cloudflare_ruleset" "${zone[0]}" {\n  count   = var.zone_id == "${zone}" ? 1 : 0\n  zone_id = "${zone}"\n  phase   = "${MANAGED_PHASE}"\n  rules {}\n}\n`;
    const record = {
      workspace: 'default',
      '.terraform/terraform.tfstate': backend('s3', { bucket: 'b' }),
    };

    it('imports no ruleset that the files declare for another environment', async () => {
      const held = { id: OTHER, zone_id: OTHER, phase: MANAGED_PHASE };
      const { run } = runPlan(
        { ...record, 'main.tf': variable + of(ZONE) + of(OTHER) },
        [resourceOf('cloudflare_ruleset', 'f', held, { index_key: 0 })],
        '--json',
      );
      const { findings }: Plan = JSON.parse((await run()).stdout);
      expect(findings).toContainEqual(
        expect.objectContaining({
          ...{ code: 'OTHER_WORKSPACES', severity: 'blocker' },
          message: expect.stringContaining('a count that is 0 here'),
        }),
      );
      const status = JSON.parse((await run({}, ['status', '--zone', ZONE, '--json'])).stdout);
      expect(status.zones).toMatchObject([{ zone: ZONE, work: 'done', next: null }]);
    });
  });

  it('names the command that plans all zones of a block that zones share', async () => {
    const each =
      'resource "cloudflare_waf_rule" "r" {\n  for_each = var.zones\n  zone_id = each.value\n}\n';
    const held = [ZONE, OTHER].map((zone_id, at) => waf('r', { zone_id }, { index_key: `${at}` }));
    const files = { 'main.tf': each, 'tf/main.tf': each };
    const state = { 'tf/state.json': JSON.stringify(stateOf(...held)) };
    const shared = async (zones: readonly string[], ...flags: string[]) => {
      const { run } = runPlan({ ...files, ...state }, held);
      const ids = zones.map((zone) => `${zone}=${RULESET}`);
      const more = ['--from', '3.35.0', ...flags];
      const line = ['plan', '--zone', ...zones, '--ruleset-id', ...ids, ...more];
      return (await run({}, line)).stdout;
    };
    const command = 'have migrated:\n      cf-waf-migrate plan';
    expect(await shared([ZONE])).toContain(`${command}\n`);
    // runs here, where the plan is saved in another folder
    expect(await shared([ZONE], '--out', 'plans/plan.json')).toContain(`${command}\n`);
    for (const out of ['tf/plan.json', 'plans/plan.json', 'plan.json'])
      expect(await shared([ZONE], '--dir', 'tf', '--out', out)).toContain(`${command} --dir tf\n`);
    expect(await shared([ZONE, OTHER])).not.toContain('BLOCK_SHARED');
  });

  it('names a removed block whose resource is still declared, which Terraform refuses', async () => {
    const removed = `removed {\n  from = ${RULE}\n  lifecycle {\n    destroy = false\n  }\n}\n`;
    const found = async (text: string, ...args: string[]) =>
      (await planIn({ 'main.tf': text }, [waf('r', {})], '--from', '3.35.0', ...args)).finding(
        'BLOCK_STILL_DECLARED',
      );
    expect(await found(oldRule + removed)).toMatchObject({
      severity: 'blocker',
      message: expect.stringContaining(RULE),
      remedy: expect.stringContaining('--method blocks'),
    });
    expect(await found(removed)).toBeUndefined();
    expect(await found(oldRule + removed, '--method', 'blocks')).toBeUndefined();
  });

  describe('a moved block', () => {
    const moved = (from: string, to: string) => `moved {\n  from = ${from}\n  to   = ${to}\n}\n`;
    const record = (name: string) => resourceOf('cloudflare_record', name, { id: '1' });
    const inModule = { ...record('r'), module: 'module.a["x"]' };

    it.each([
      ['of a resource', moved('cloudflare_record.a["x"]', 'cloudflare_record.b'), record('a')],
      ['of a module', moved('module.a', 'module.b'), inModule],
    ])('%s that is not applied yet stops a plan for provider 3', async (_, block, resource) => {
      const pending = async (resources: object[], ...args: string[]) => {
        const files = { 'main.tf': oldRule + block };
        const { finding } = await planIn(files, [waf('r', {}), ...resources], ...args);
        return finding('MOVE_PENDING');
      };
      expect(await pending([resource], '--from', '3.35.0')).toMatchObject({
        severity: 'blocker',
        remedy: expect.stringContaining('terraform state mv'),
      });
      expect(await pending([resource], '--from', '3.35.0', '--to', '4.52.8')).toBeUndefined();
      expect(await pending([resource], '--from', '3.35.0', '--method', 'blocks')).toBeUndefined();
      expect(await pending([record('b')], '--from', '3.35.0')).toBeUndefined();
    });

    const keyed = (key?: string | number) =>
      resourceOf('cloudflare_record', 'r', { id: '1' }, { index_key: key });
    const called = (resource: object, module = 'module.m["k"]') => ({ ...resource, module });
    const r = 'cloudflare_record.r';
    const ofModule = ['module.a', 'module.a[0]'] as const;
    it.each([
      ['of a module', 'main.tf', ofModule, ofModule.map((one) => called(keyed(), one))],
      ['of a resource', 'main.tf', [`${r}[0]`, `${r}["x"]`], [keyed(0), keyed('x')]],
      ['in a called module', 'm/main.tf', [r, `${r}[0]`], [called(keyed()), called(keyed(0))]],
      [
        'of all instances in a module',
        'main.tf',
        [`module.b.${r}`, `module.b["k"].${r}`],
        ['module.b', 'module.b["k"]'].map((one) => called(keyed('x'), one)),
      ],
    ] as const)('%s that only changes a key is pending until it is applied', async (...row) => {
      const [, file, [from, to], [before = {}, after = {}]] = row;
      const main = `${oldRule}module "m" {\n  source = "./m"\n}\n`;
      const text = (file === 'main.tf' ? main : '') + moved(from, to);
      const files = { 'main.tf': main, 'm/main.tf': '', [file]: text };
      const codesOf = async (one: object) =>
        (await planIn(files, [waf('r', {}), one], '--from', '3.35.0')).codes;
      expect(await codesOf(before)).toContain('MOVE_PENDING');
      expect(await codesOf(after)).not.toContain('MOVE_PENDING');
    });

    it.each([
      ['one resource', '', {}],
      ['an instance', '["a"]', { index_key: 'a' }],
    ])('of %s is a blocker, and no decision says that it is destroyed', async (_, key, more) => {
      const to = 'cloudflare_waf_rule.new';
      const main = oldRule.replace('"r"', '"new"') + moved(`${RULE}${key}`, to);
      const { codes, finding } = await planIn({ 'main.tf': main }, [waf('r', {}, more)]);
      expect(codes).not.toContain('BLOCK_ALREADY_GONE');
      expect(finding('MOVE_PENDING')).toMatchObject({
        severity: 'blocker',
        message: expect.stringContaining(RULE),
        remedy: expect.stringContaining('delete the moved block'),
      });
    });

    it('of a legacy resource is a blocker of plan and status, and neither says to delete the block', async () => {
      const call = 'module "m" {\n  source = "./m"\n}\n';
      const held = resourceOf('cloudflare_waf_package', 'p', { id: 'p', zone_id: ZONE });
      const oldPackage = oldRule.replace('waf_rule" "r"', 'waf_package" "p"');
      const files = {
        'main.tf':
          oldRule + call + moved('cloudflare_waf_package.p', 'module.m.cloudflare_waf_package.p'),
        'm/main.tf': oldPackage,
      };
      const { run } = runPlan(files, [waf('r', {}), held], '--from', '3.35.0');
      for (const { code, stdout } of [await run(), await run({}, ['status'])]) {
        expect([code, stdout]).toEqual([2, expect.stringContaining('(MOVE_PENDING)')]);
        // undoing the rename alone does not empty the new module
        expect(stdout).toContain(
          'rename it in the state with `terraform state mv`, then plan again',
        );
        expect(stdout).not.toContain('LEGACY_BLOCKS_DECLARED');
      }
    });
  });

  it.each([
    ['3.35.0', ['--from', '3.35.0'], ['cloudflare_waf_rule.r']],
    [
      '4.52.8, which knows only the filter',
      ['--from', '4.52.8', '--to', '5.22.0'],
      ['cloudflare_filter.f'],
    ],
  ])('a block that is gone: an apply would destroy with provider %s', async (_, args, gone) => {
    const filter = resourceOf('cloudflare_filter', 'f', { id: '1' });
    const { plan } = await planIn({ 'main.tf': '' }, [waf('r', {}), filter], ...args);
    const found = plan.findings.filter(({ code }) => code === 'BLOCK_ALREADY_GONE');
    expect(found.map(({ message }) => message)).toEqual(
      gone.map((one) => `the configuration no longer declares what the state still has: ${one}`),
    );
  });

  const UNKNOWN = 'TYPE_UNKNOWN_TO_PROVIDER';
  const toFive = ['--from', '3.35.0', '--to', '5.22.0'];
  const record = 'resource "cloudflare_record" "www" {}\n';
  it('a type that the provider of the plan does not support blocks the plan with its blocks', async () => {
    const files = { 'main.tf': oldRule + record };
    const { finding, code } = await planIn(files, [waf('r', {})], ...toFive);
    expect(code).toBe(2);
    expect(finding(UNKNOWN)).toMatchObject({
      ...{ code: UNKNOWN, severity: 'blocker', subject: 'cloudflare_record' },
      message:
        'provider 5.22.0 does not support this type. Blocks stop every import: cloudflare_record.www (main.tf:4)',
      remedy: expect.stringMatching(/^rename the blocks to the new type and add a `moved` block/),
    });
    const stay = await planIn(files, [waf('r', {})], '--from', '3.35.0');
    expect(stay.finding(UNKNOWN)).toBeUndefined();
  });

  it.each([
    ['to be upgraded', '--from', '3.35.0', '--to', '5.22.0'],
    ['that is upgraded already', '--from', '5.22.0'],
  ])('prints how to remove a type without a block from a state %s', async (_, ...versions) => {
    const override = (name: string) => resourceOf('cloudflare_zone_settings_override', name, {});
    const moved = 'moved {\n  from = cloudflare_record.www\n  to = cloudflare_dns_record.www\n}\n';
    const dns = 'resource "cloudflare_dns_record" "www" {}\n';
    const isNew = versions.includes('3.35.0');
    const state = [
      ...(isNew ? [waf('r', {})] : []),
      ...[resourceOf('cloudflare_record', 'www', {}), override('a')],
      { ...override('b'), module: 'module.m["x"]' },
    ];
    const files = {
      'main.tf': `${isNew ? oldRule : ''}${moved}${dns}module "m" {\n  source = "./m"\n}\n`,
      'm/main.tf': '',
    };
    const { run } = runPlan(files, state, ...versions, '--out', 'plan.json');
    const { code, stdout } = await run();
    const addresses =
      'cloudflare_zone_settings_override.a, module.m["x"].cloudflare_zone_settings_override.b';
    const words = stdout.replace(/\s+/g, ' ');
    expect([code, words]).toEqual([2, expect.stringContaining(addresses)]);
    expect(words).toContain(
      'do not apply with provider 3 or 4 before: it would destroy resources without a block, which resets their settings',
    );
    expect(words).toContain('Otherwise run `terraform state rm` with each address');
    expect((await run({}, ['verify', 'plan.json'])).stderr).not.toContain('PLAN_INVALID');
  });

  it('ends where no upgrade is left to plan', async () => {
    const block = `resource "cloudflare_ruleset" "waf" {\n  zone_id = "${ZONE}"\n  phase = "${MANAGED_PHASE}"\n  rules = []\n}\n`;
    const live = { id: RULESET, zone_id: ZONE, phase: MANAGED_PHASE };
    const ruleset = resourceOf('cloudflare_ruleset', 'waf', live, { schema_version: 500 });
    const args = ['--from', '5.22.0', '--to', '5.22.0', '--out', 'plan.json'];
    const { code, stdout } = await runPlan({ 'main.tf': block }, [ruleset], ...args).run();
    expect([code, nextCommands(stdout)]).toEqual([0, ['cf-waf-migrate status --dir .']]);
  });

  it('names what else an upgrade changes, and verify of a blocked upgrade leads to it again', async () => {
    const zoneBlock = 'resource "cloudflare_zone" "z" {}\n';
    const files = { workspace: 'default', 'main.tf': oldRule + record + zoneBlock };
    const { run } = runPlan(files, [waf('r', {})], ...toFive, '--out', 'plan.json');
    expect((await run()).stdout).toMatch(
      /\(OTHERS_UPGRADED\)\s+main\s[^→]*:\s+cloudflare_zone\.z\s+\(main\.tf:5\)/,
    );
    const verified = await run({}, ['verify', 'plan.json']);
    expect(nextCommands(verified.stdout)).toEqual([
      'cf-waf-migrate plan --to 5.22.0 --out plan.json',
    ]);
  });

  it('leads to the upgrade where the version constraint was raised first', async () => {
    const files = {
      'main.tf': `terraform {\n  required_providers {\n    cloudflare = "5.22.0"\n  }\n}\n${oldRule}`,
      '.terraform.lock.hcl':
        'provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "3.35.0"\n}\n',
    };
    const { run } = runPlan(files, [waf('r', {})], '--out', 'plan.json');
    const { code, stdout } = await run({}, ['status']);
    expect([code, nextCommands(stdout)]).toEqual([0, ['cf-waf-migrate plan']]);
    const planned = await run();
    const line = `plan --zone ${ZONE} --ruleset-id ${RULESET} --dir . --out plan.json`;
    expect([planned.code, nextCommands(planned.stdout)]).toEqual([
      2,
      [`cf-waf-migrate ${line} --to 5.22.0`],
    ]);
  });

  it.each([
    ['', ''],
    [
      ', and the constraint is raised',
      'terraform {\n  required_providers {\n    cloudflare = "5.22.0"\n  }\n}\n',
    ],
  ])('leads to the upgrade where the ruleset was written for it first%s', async (_, head) => {
    const next = ['cf-waf-migrate plan --to 5.22.0'];
    const block = `resource "cloudflare_ruleset" "waf" {\n  zone_id = "${ZONE}"\n  phase = "${MANAGED_PHASE}"\n  rules = []\n}\n`;
    const files = {
      'main.tf': head + block,
      '.terraform.lock.hcl':
        'provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "3.35.0"\n}\n',
    };
    const live = { id: RULESET, zone_id: ZONE, phase: MANAGED_PHASE };
    const { run } = runPlan(files, [resourceOf('cloudflare_ruleset', 'waf', live)]);
    expect(nextCommands((await run({}, ['status'])).stdout)).toEqual(next);
    const { stdout } = await run({}, ['plan']);
    expect(stdout).toMatch(/plan\s+the\s+upgrade,\s+or\s+write\s+it\s+for\s+provider\s+3\s+again/);
    expect(nextCommands(stdout)).toEqual(next);
  });

  it('of only data sources is planned: plan and the command of status have their zones', async () => {
    const files = {
      'main.tf': `data "cloudflare_waf_packages" "all" {\n  zone_id = "${ZONE}"\n}\n`,
    };
    const data = {
      ...resourceOf('cloudflare_waf_packages', 'all', { zone_id: ZONE }),
      mode: 'data',
    };
    const { run } = runPlan(files, [data]);
    const { stdout } = await run({}, ['status']);
    expect(nextCommands(stdout)).toEqual([`cf-waf-migrate plan --zone ${ZONE}`]);
    const line = ['plan', '--ruleset-id', RULESET, '--from', '3.35.0', '--json'];
    const plan: Plan = JSON.parse((await run({}, line)).stdout);
    expect(plan.zones.map(({ zoneId }) => zoneId)).toEqual([ZONE]);
    const removed = plan.steps.flatMap(({ edits = [] }) => edits.flatMap(({ remove }) => remove));
    expect(removed.map(({ address }) => address)).toEqual(['data.cloudflare_waf_packages.all']);
  });

  it('removes a block whose resource alone left the state, after a decision', async () => {
    const other = oldRule.replace('"r"', '"s"').replace('var.zone_id', `"${ZONE}"`);
    const { plan, finding } = await planIn(
      { 'main.tf': oldRule + other },
      [waf('r', {})],
      ...['--from', '3.35.0'],
    );
    const removed = plan.steps.flatMap(({ edits = [] }) => edits.flatMap(({ remove }) => remove));
    expect(removed.map(({ address }) => address)).toEqual([RULE, 'cloudflare_waf_rule.s']);
    expect(finding('LEGACY_RESOURCES_GONE')).toMatchObject({
      severity: 'decision',
      message: expect.stringContaining(': cloudflare_waf_rule.s (main.tf:4)'),
    });
  });

  it.each(['', '  count   = terraform.workspace == "default" ? 1 : 0\n'])(
    'imports a declared ruleset into a state without legacy resources, and asks nothing (%j)',
    async (count) => {
      const text = `resource "cloudflare_ruleset" "waf" {\n${count}  zone_id = "${ZONE}"\n  phase   = "${MANAGED_PHASE}"\n  rules {}\n}\n`;
      const files = { 'waf.tf': text, workspace: 'default' };
      const { plan, codes } = await planIn(files, [], '--from', '3.35.0');
      const key = count === '' ? '' : '[0]';
      expect(plan.zones[0]?.ruleset.address).toBe(`cloudflare_ruleset.waf${key}`);
      expect(codes).not.toContain('LEGACY_RESOURCES_GONE');
    },
  );

  describe('a block of another phase', () => {
    const custom = (rules: string) =>
      `resource "cloudflare_ruleset" "custom" {\n  zone_id = "${ZONE}"\n  phase = "http_request_firewall_custom"\n  ${rules}\n}\n`;
    const block = custom('rules {\n    action = "block"\n    expression = "true"\n  }');
    const list = custom('rules = [{ action = "block", expression = "true" }]');

    it('that the state gives the managed ruleset is a blocker, and status does not end', async () => {
      const files = { 'main.tf': block };
      const attributes = { id: RULESET, zone_id: ZONE, phase: MANAGED_PHASE };
      const resources = [resourceOf('cloudflare_ruleset', 'custom', attributes)];
      const { code, finding } = await planIn(files, resources, '--from', '3.35.0');
      const blocker = {
        ...{ code: 'ENTRY_POINT_NOT_DECLARED', severity: 'blocker' },
        ...{ subject: 'cloudflare_ruleset.custom' },
        title: 'An apply now would replace the live ruleset',
        remedy: expect.stringContaining('`terraform state rm cloudflare_ruleset.custom`'),
      };
      expect([code, finding(blocker.code)]).toEqual([2, expect.objectContaining(blocker)]);
      const { run } = runPlan(files, resources);
      const status = JSON.parse((await run({}, ['status', '--json'])).stdout);
      expect(status.findings).toContainEqual(expect.objectContaining(blocker));
      expect(status.zones).toMatchObject([
        { work: 'plan', ruleset: { declared: false, inState: true } },
      ]);
    });

    it.each([
      ['as blocks, for provider 5', block, toFive, 'provider 3 or 4: provider 5 refuses it'],
      ['as blocks, with provider 5', block, ['--from', '5.22.0'], 'provider 5 refuses it'],
      ['as a list, with provider 3', list, ['--from', '3.35.0'], 'provider 5: provider 3 refuses'],
      ['as blocks, with provider 3', block, ['--from', '3.35.0'], undefined],
      [
        'whose logging provider 3 ignores',
        custom('rules {\n    logging {\n      enabled = true\n    }\n  }'),
        ...([['--from', '3.35.0'], undefined] as const),
      ],
    ])('%s: the plan compares its syntax too', async (_, text, flags, words) => {
      const { finding } = await planIn({ 'main.tf': oldRule + text }, [waf('r', {})], ...flags);
      const told = words && {
        severity: 'decision',
        message: expect.stringContaining(words),
        remedy: expect.stringMatching(/^rewrite its block by hand for provider \d before you plan/),
      };
      expect(finding('RULESET_OF_OTHER_PROVIDER')).toEqual(told && expect.objectContaining(told));
    });
  });

  it('--write ends with 2 where the program of a CDKTF stack is to be changed by hand', async () => {
    const construct = { r: { '//': { metadata: { path: 'edge/r' } } } };
    const files = {
      'cdk.tf.json': JSON.stringify({ resource: { cloudflare_waf_rule: construct } }),
    };
    const args = ['--from', '3.35.0', '--method', 'blocks'];
    const state = [waf('r', {})];
    expect(await planIn(files, state, ...args)).toMatchObject({ code: 0, stderr: '' });
    // a script reads it in the plan, and nothing but an error on standard error
    const write = [...args, '--write', '--out', 'plan.json'];
    expect(await planIn(files, state, ...write)).toMatchObject({ code: 2, stderr: '' });
    const { stdout } = await runPlan(files, state, ...write, '--force').run();
    expect(stdout).toContain('Edit the CDKTF program by hand (the manual steps).');
    expect(stdout).not.toMatch(/--write/);
  });
});

describe('plan --write tells the pipeline', () => {
  const zone = `zone_id = "${ZONE}"`;
  const ruleset = `${zone}\n  name = "x"\n  kind = "zone"\n  phase = "http_request_firewall_managed"`;
  const files = {
    'old.tf': `resource "cloudflare_waf_rule" "r" {\n  ${zone}\n}\n`,
    'new.tf': `resource "cloudflare_ruleset" "managed_rules" {\n  ${ruleset}\n}\n`,
  };
  const rule = resourceOf('cloudflare_waf_rule', 'r', { id: '100000', zone_id: ZONE });
  const args = ['--from', '3.35.0', '--method', 'blocks', '--write', '--out', 'plan.json'];

  it('to plan with the same flags for Terraform', async () => {
    const flags = ['--', '-var-file=prod.tfvars', '-lock-timeout', '60s', '-backend-config=x'];
    const { stdout } = await runPlan(files, [rule], ...args, ...flags).run();
    const passed = '-var-file=prod.tfvars -lock-timeout=60s';
    expect(stdout).toContain(
      `\n  (umask 077; mkdir -p cf-waf-migrate-backup && test ! -L cf-waf-migrate-backup && rm -f cf-waf-migrate-backup/.gitignore cf-waf-migrate-backup/before.tfstate && echo '*' > cf-waf-migrate-backup/.gitignore && terraform state pull > cf-waf-migrate-backup/before.tfstate)\n`,
    );
    expect(stdout).toContain(`\n  terraform plan -input=false ${passed} -out=tfplan\n`);
  });

  it('to save the state where git ignores it', async () => {
    const { cwd, run } = runPlan(files, [rule], ...args);
    await run();
    expect(readFileSync(join(cwd, 'cf-waf-migrate-backup/.gitignore'), 'utf8')).toBe('*\n');
  });

  it.each(['.gitignore', ''])('nothing through a link at the backup folder/%s', async (name) => {
    const elsewhere = temporaryFolder();
    writeFileSync(join(elsewhere, '.gitignore'), 'mine\n');
    const { cwd, run } = runPlan(files, [rule], ...args);
    const folder = join(cwd, 'cf-waf-migrate-backup');
    if (name !== '') mkdirSync(folder);
    symlinkSync(join(elsewhere, name), join(folder, name));
    const { code, stderr } = await run();
    expect([code, stderr]).toEqual([1, expect.stringContaining('(BACKUP_FOLDER_UNSAFE)')]);
    expect(readFileSync(join(elsewhere, '.gitignore'), 'utf8')).toBe('mine\n');
    expect(readFileSync(join(cwd, 'old.tf'), 'utf8')).toBe(files['old.tf']);
    expect(existsSync(join(cwd, 'plan.json'))).toBe(false);
  });

  it('in JSON no command to a runner, and the same text', async () => {
    const hostile = '##[add-path]x\u202e\u009b';
    const old = files['old.tf'].replace('\n}', `\n  # ${hostile}\n}`);
    const plan = [...args.slice(0, 4), '--format', 'json'];
    const { stdout } = await runPlan({ ...files, 'old.tf': old }, [rule], ...plan).run();
    expect(stdout).not.toMatch(/##\[|[\u202e\u009b]/);
    expect(JSON.stringify(JSON.parse(stdout))).toContain(hostile);
  });

  it('to save the state into a private file, not through a link of a pull request', async () => {
    const { cwd, run } = runPlan(files, [rule], ...args);
    const { stdout } = await run();
    const line = /^ {2}(\(umask.*)$/m.exec(stdout)?.[1] ?? '';
    const [shown, saved] = ['page.html', 'cf-waf-migrate-backup/before.tfstate'];
    writeFileSync(join(cwd, shown), 'page');
    symlinkSync('../page.html', join(cwd, saved));
    execFileSync('bash', ['-c', `terraform() { echo "$@"; }; ${line}`], { cwd });
    expect(readFileSync(join(cwd, shown), 'utf8')).toBe('page');
    expect(readFileSync(join(cwd, saved), 'utf8')).toBe('state pull\n');
    expect(lstatSync(join(cwd, saved)).mode & 0o177777).toBe(0o100600);
  });

  it.each([
    ['', []],
    [' with another binary', ['--terraform', 'fake-bin/terraform']],
  ])('in Markdown what the pull request contains and what its pipeline runs%s', async (_, more) => {
    const all = { ...files, 'o.tf': 'output "o" {\n  value = cloudflare_waf_rule.r.id\n}\n' };
    const flags = [
      ...args.slice(0, 4),
      '--format',
      'markdown',
      ...more,
      '--',
      '-var-file=prod.tfvars',
    ];
    const { stdout } = await runPlan(all, [rule], ...flags).run();
    expect(stdout).toContain('\n- [ ] **1. Replace the legacy blocks with the ruleset, and import');
    expect(stdout).not.toMatch(/\*\*2\.|Back up|`apply`|cf-waf-migrate\.tfplan/);
    expect(stdout.slice(stdout.indexOf('## Pipeline'))).toMatch(
      /state pull > cf-waf-migrate-backup\/before\.tfstate\)\n[^]* plan -input=false -var-file=prod\.tfvars -out=tfplan\n[^]* {2}cf-waf-migrate verify plan\.json --tfplan tfplan\.json --accept OUTPUTS_REMOVED\n[^]* apply -input=false tfplan\n[^]*, do not revert the pull request: /,
    );
  });

  it('the same again, because the plan of edited files lacks a decision; --force replaces it', async () => {
    const all = { ...files, 'o.tf': 'output "o" {\n  value = cloudflare_waf_rule.r.id\n}\n' };
    const { cwd, run } = runPlan(all, [rule], ...args);
    const [first, again] = [await run(), await run()];
    const gate = 'cf-waf-migrate verify plan.json --tfplan tfplan.json --accept OUTPUTS_REMOVED';
    expect([first, again].map(({ stdout }) => nextCommands(stdout))).toEqual([[gate], [gate]]);
    expect(again.stdout).toContain('\nkept plan.json\n');
    const saved = () => JSON.parse(readFileSync(join(cwd, 'plan.json'), 'utf8')) as Plan;
    expect(saved().findings.map(({ code }) => code)).toEqual(['OUTPUTS_REMOVED']);
    const line = ['plan', '--zone', ZONE, '--ruleset-id', RULESET, ...args];
    expect((await run({}, [...line, '--force'])).stdout).toContain('\nwrote plan.json\n');
    expect(saved().findings).toEqual([]);
    // a file that is no plan is not kept
    writeFileSync(join(cwd, 'plan.json'), 'x');
    expect((await run()).stderr).toContain('FILE_EXISTS');
  });

  it('to run Terraform in the folder of the state', async () => {
    const all = { ...files, 'state.json': JSON.stringify(stateOf(rule)) };
    const moved = Object.entries(all).map(([file, text]) => [`my waf/${file}`, text]);
    const { stdout } = await runPlan(Object.fromEntries(moved), [rule], ...args).run({}, [
      ...['plan', '--zone', ZONE, '--ruleset-id', RULESET, '--dir', 'my waf', ...args],
    ]);
    const terraform = "terraform '-chdir=my waf'";
    expect(stdout).toContain(
      `\n  (umask 077; mkdir -p cf-waf-migrate-backup && test ! -L cf-waf-migrate-backup && rm -f cf-waf-migrate-backup/.gitignore cf-waf-migrate-backup/my-waf.before.tfstate && echo '*' > cf-waf-migrate-backup/.gitignore && ${terraform} state pull > cf-waf-migrate-backup/my-waf.before.tfstate)\nLet the pipeline plan:\n`,
    );
    expect(stdout).toContain(
      `\n  ${terraform} plan -input=false -out=tfplan\n  ${terraform} show -json tfplan > tfplan.json\n`,
    );
  });

  it('to save and plan each state that changes, and to verify each plan', async () => {
    const text = JSON.stringify(stateOf(rule));
    const all = { 'a/old.tf': files['old.tf'], 'a/new.tf': files['new.tf'], 'a/state.json': text };
    const { stdout } = await runPlan(
      { ...all, 'b/old.tf': files['old.tf'], 'b/state.json': text.replaceAll('8a8b', '9a9b') },
      [rule],
      ...args,
    ).run({}, ['plan', '--zone', ZONE, '--ruleset-id', RULESET, '--dir', 'a', 'b', ...args]);
    for (const name of ['a', 'b']) {
      const terraform = `terraform -chdir=${name}`;
      expect(stdout).toContain(
        `${terraform} state pull > cf-waf-migrate-backup/${name}.before.tfstate)\n`,
      );
      expect(stdout).toContain(`${terraform} show -json ${name}.tfplan > ${name}.tfplan.json\n`);
      expect(stdout).toContain(`  cf-waf-migrate verify plan.json --tfplan ${name}.tfplan.json\n`);
    }
    expect(nextCommands(stdout)).toEqual([
      'cf-waf-migrate verify plan.json --tfplan a.tfplan.json',
    ]);
  });
});

describe('plan edits', () => {
  const resource = (type: string, name: string, attributes: object): object =>
    resourceOf(type, name, { zone_id: ZONE, ...attributes });
  const rule = (name: string): object => resource('cloudflare_waf_rule', name, { id: '100000' });
  const ruleset = resource('cloudflare_ruleset', 'waf', {
    ...{ id: RULESET, phase: 'http_request_firewall_managed' },
  });
  const block = (name: string): string =>
    `resource "cloudflare_waf_rule" "${name}" {\n  zone_id = "${ZONE}"\n}\n`;
  const declared = `resource "cloudflare_ruleset" "waf" {\n  zone_id = "${ZONE}"\n  name    = "x"\n  kind    = "zone"\n  phase   = "http_request_firewall_managed"\n}\n`;

  describe('plan --method blocks --write on a state without legacy resources', () => {
    const blocks = ['--method', 'blocks', '--write', '--out', 'plan.json'];

    it.each([
      ['and without the ruleset', [], true],
      ['that holds the ruleset', [ruleset], false],
    ])('%s writes removed blocks for all declared ones', async (_, resources, isImported) => {
      const files = { 'main.tf': block('r'), 'waf.tf': declared };
      const { plan, read } = await planIn(files, resources, '--from', '3.35.0', ...blocks);
      expect(plan.states[0]!.method).toBe('blocks');
      expect(read('main.tf')).toBe('');
      const written = read('cf-waf-migrate.tf');
      expect(written).toContain(
        'removed {\n  from = cloudflare_waf_rule.r\n\n  lifecycle {\n    destroy = false\n',
      );
      expect(written!.includes('import {\n')).toBe(isImported);
    });

    it('is refused under a provider that cannot forget them, and writes nothing', async () => {
      const files = { 'main.tf': block('r'), 'waf.tf': declared };
      const { code, stderr, read } = await planIn(files, [], '--from', '5.22.0', ...blocks);
      expect([code, JSON.parse(stderr).error.code]).toEqual([1, 'METHOD_UNSUITABLE']);
      expect([read('main.tf'), read('cf-waf-migrate.tf')]).toEqual([block('r'), undefined]);
    });

    it('is refused where only the provider changes, which a pipeline does with apply', async () => {
      const flags = ['--from', '3.35.0', '--to', '4.52.8', ...blocks];
      const { stderr, read } = await planIn({ 'waf.tf': declared }, [ruleset], ...flags);
      expect(JSON.parse(stderr).error).toMatchObject({
        code: 'METHOD_UNSUITABLE',
        hint: expect.stringMatching(/in a pipeline too:\ncf-waf-migrate apply <plan> --yes$/),
      });
      expect(read('plan.json')).toBeUndefined();
    });

    it('is refused where the plan removes resources from state before its edits, and writes nothing', async () => {
      const filter = 'resource "cloudflare_filter" "f" {\n  expression = "true"\n}\n';
      const files = { 'main.tf': filter, 'waf.tf': declared };
      const resources = [ruleset, resource('cloudflare_filter', 'f', { id: '1'.repeat(32) })];
      const flags = ['--from', '3.35.0', '--to', '5.22.0', ...blocks];
      const { code, stderr, read } = await planIn(files, resources, ...flags);
      expect([code, JSON.parse(stderr).error.code]).toEqual([1, 'METHOD_UNSUITABLE']);
      expect(read('main.tf')).toBe(filter);
    });
  });

  it('method blocks with another major is refused with the two steps that lead there', async () => {
    const args = ['--from', '3.35.0', '--to', '4.52.8', '--method', 'blocks'];
    const { stderr } = await planIn({ 'main.tf': block('r') }, [rule('r')], ...args);
    const { error } = JSON.parse(stderr);
    expect(error.code).toBe('METHOD_UNSUITABLE');
    expect(error.hint).toMatch(/--method blocks without --to[^]*plan --to 4\.52\.8$/);
  });

  describe('an output that refers to a legacy resource', () => {
    const output = (name: string, value: string): string =>
      `output "${name}" {\n  value = ${value}\n}\n`;
    const call = 'module "m" {\n  source = "./m"\n}\n';

    it('is removed with it where it refers to nothing else, under a decision that lists it', async () => {
      const files = {
        'main.tf': block('r') + block('other'),
        'outputs.tf': output('id', 'cloudflare_waf_rule.r.id'),
      };
      const { plan } = await planIn({ ...files, 'waf.tf': declared }, [rule('r'), rule('other')]);
      expect(removedBy(plan)).toEqual([
        'main.tf cloudflare_waf_rule.r',
        'main.tf cloudflare_waf_rule.other',
        'outputs.tf output.id',
      ]);
      expect(plan.findings).toContainEqual(
        expect.objectContaining({
          ...{ code: 'OUTPUTS_REMOVED', severity: 'decision', subject: 'output.id (outputs.tf:1)' },
          remedy: expect.stringContaining('check that no other configuration'),
        }),
      );
      expect(plan.steps.map(({ kind }) => kind)).not.toContain('manual');
    });

    it('of a module is removed together with the output of the root that reads it', async () => {
      const files = {
        'main.tf': call + output('id', 'module.m.id'),
        'm/main.tf': block('r') + output('id', '[cloudflare_waf_rule.r.id]'),
      };
      const { plan, codes } = await planIn(files, [{ ...rule('r'), module: 'module.m' }]);
      expect(removedBy(plan)).toEqual([
        'm/main.tf cloudflare_waf_rule.r',
        'm/main.tf output.id',
        'main.tf output.id',
      ]);
      expect(codes).toContain('OUTPUTS_REMOVED');
      expect(codes).not.toContain('BLOCK_REFERENCED');
    });

    it.each([
      ['another output', 'for m in module.m : m.zone', ['m/main.tf output.id'], false],
      [
        'the output that breaks',
        'for m in module.m : m.id',
        ['m/main.tf output.id', 'main.tf output.o'],
        false,
      ],
      ['its instances as a whole', 'for m in module.m : m', [], true],
      ['its instances through a function', 'for m in values(module.m) : m.zone', [], true],
    ])(
      'that reads %s of a module stays unless it certainly breaks',
      async (_, loop, removed, isKept) => {
        const files = {
          'main.tf': `${call.replace('}', '  for_each = {}\n}')}${output('o', `[${loop}]`)}`,
          'm/main.tf': `${block('r')}${output('id', 'cloudflare_waf_rule.r.id')}${output('zone', 'var.zone')}`,
        };
        const { plan, codes } = await planIn(files, [{ ...rule('r'), module: 'module.m' }]);
        expect(removedBy(plan).filter((one) => one.includes('output'))).toEqual(removed);
        expect(codes.includes('BLOCK_REFERENCED')).toBe(isKept);
      },
    );

    it.each([
      [
        'to something else',
        `variable "x" {}\n${output('id', 'var.x ? cloudflare_waf_rule.r.id : null')}`,
      ],
      [
        'to another resource',
        `resource "null_resource" "n" {}\n${output('id', '[null_resource.n.id, cloudflare_waf_rule.r.id]')}`,
      ],
    ])('and %s stays with its block, and all other blocks are edited', async (_, text) => {
      const files = { 'main.tf': `# top\n\n${block('free')}\n${block('r')}`, 'outputs.tf': text };
      const { plan } = await planIn(files, [rule('r'), rule('free')]);
      expect(removedBy(plan)).toEqual(['main.tf cloudflare_waf_rule.free']);
      expect(plan.findings).toContainEqual(
        expect.objectContaining({ code: 'BLOCK_REFERENCED', subject: 'outputs.tf:3' }),
      );
      const step = plan.steps.find(({ kind }) => kind === 'manual');
      expect(step!.addresses).toEqual(['cloudflare_waf_rule.r']);
    });

    it('stays where something else reads it, and so does what its block refers to', async () => {
      const files = {
        'main.tf': `${call}locals {\n  id = module.m.id\n}\n`,
        'm/main.tf':
          block('free') +
          block('base') +
          block('r').replace(/zone_id.*/, 'zone_id = cloudflare_waf_rule.base.zone_id') +
          output('id', 'cloudflare_waf_rule.r.id'),
      };
      const held = ['free', 'base', 'r'].map((name) => ({ ...rule(name), module: 'module.m' }));
      const { plan, codes } = await planIn(files, held);
      expect(removedBy(plan)).toEqual(['m/main.tf cloudflare_waf_rule.free']);
      expect(
        plan.findings
          .filter(({ code }) => code === 'BLOCK_REFERENCED')
          .map(({ subject }) => subject),
      ).toEqual(['m/main.tf:11', 'main.tf:5']);
      expect(codes).not.toContain('OUTPUTS_REMOVED');
      const step = plan.steps.find(({ kind }) => kind === 'manual');
      expect(step!.addresses).toEqual(
        ['base', 'r'].map((name) => `module.m.cloudflare_waf_rule.${name}`),
      );
    });
  });

  /** What the edits of a plan remove, as file and address. */
  function removedBy({ steps }: Plan): string[] {
    return steps.flatMap(({ edits = [] }) =>
      edits.flatMap(({ file, remove }) => remove.map(({ address }) => `${file} ${address}`)),
    );
  }
});
