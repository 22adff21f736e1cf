import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plan } from '../../src/plan/plan';
import { RULESET, statesFolder, ZONE } from '../plan/support/plans';
import { type CliOptions, type CliRun, runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator, errorOf } from './support/cli-with-emulator';

const oldWaf = join(statesFolder, 'old-waf-3.35.tfstate');
const withoutOld = join(statesFolder, 'ruleset-v5-after-import.tfstate');
const offline = ['plan', '--zone', ZONE, '--ruleset-id', RULESET];
const somethingElse = {
  mode: 'managed',
  type: 'terraform_data',
  name: 'other',
  provider: 'provider["terraform.io/builtin/terraform"]',
  instances: [{ schema_version: 0, attributes: { id: 'x' } }],
};
const cli = cliWithEmulator('old-waf');

async function planned(args: string[], options: CliOptions = {}): Promise<Plan> {
  const { stdout } = await runCli([...offline, ...args, '--json'], options);
  return JSON.parse(stdout);
}

describe('plan, of a state file', () => {
  it('is text by default: decisions remain, so exit 2', async () => {
    const { code, stdout, stderr } = await runCli([...offline, '--state', oldWaf]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('OTHER_ZONES')]);
    expect(stdout).toMatch(new RegExp(`^Migration plan of cf-waf-migrate for ${ZONE}\n`));
    expect(stdout).toContain('blocker: OTHER_ZONES');
  });

  it('with every zone of the state leaves nothing to decide: exit 0', async () => {
    const state = join(statesFolder, 'tainted-3.35.tfstate');
    const { code, stdout } = await runCli([...offline, '--state', state, '--from', '3']);
    expect([code, stdout.includes('decision:')]).toEqual([0, false]);
  });

  it('is the same document by --json and --format json, byte for byte', async () => {
    const one = await runCli([...offline, '--state', oldWaf, '--json']);
    const other = await runCli([...offline, '--state', oldWaf, '--format', 'json']);
    expect(one.stdout).toBe(other.stdout);
    expect(JSON.parse(one.stdout)).toMatchObject({
      format: 'cf-waf-migrate/plan',
      formatVersion: 1,
    });
    const both = await runCli([...offline, '--state', oldWaf, '--json', '--format', 'sh']);
    expect(both.stdout).toBe(one.stdout);
  });

  it('may come from standard input', async () => {
    const stdin = readFileSync(oldWaf);
    const ran = await runCli([...offline, '--state', '-', '--json'], { stdin });
    expect(JSON.parse(ran.stdout)).toEqual(await planned(['--state', oldWaf]));
  });

  it('refuses to remove what Terraform cannot address', async () => {
    const state = readFileSync(oldWaf, 'utf8').replace(/"name": "[^"]*"/, '"name": "100000"');
    const ran = await runCli([...offline, '--state', '-', '--json'], { stdin: Buffer.from(state) });
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'ADDRESS_INVALID']);
    expect(errorOf(ran).message).toContain('100000');
  });

  it('names the workspace of the environment', async () => {
    const environment = { TF_WORKSPACE: 'prod' };
    const plan = await planned(['--state', oldWaf], { environment });
    expect(plan.states[0]!.workspace).toBe('prod');
  });

  it('asks the live service for the ruleset id, and the old interfaces nothing', async () => {
    const { code, document } = await cli.json(['plan', '--zone', ZONE, '--state', oldWaf]);
    expect(code).toBe(2);
    expect(document.zones[0].ruleset.id).toMatch(/^[0-9a-f]{32}$/);
    const paths = cli
      .emulator()
      .requests()
      .map(({ method, path }) => `${method} ${path}`);
    expect(paths).toEqual([
      `GET /zones/${ZONE}/rulesets/phases/http_request_firewall_managed/entrypoint`,
    ]);
  });

  it('carries what stands behind -- to the subcommands that take it', async () => {
    const args = ['plan', '--zone', ZONE, '--ruleset-id', RULESET, '--state', oldWaf, '--json'];
    const ran = await runCli([...args, '--', '-var-file', 'prod.tfvars', '-lock-timeout=60s']);
    const plan: Plan = JSON.parse(ran.stdout);
    const argvOf = (kind: string) => plan.steps.find((step) => step.kind === kind)!.runs![0]!.argv;
    expect(argvOf('backup')).toEqual(['terraform', 'state', 'pull']);
    expect(argvOf('remove').slice(0, 4)).toEqual(['terraform', 'state', 'rm', '-lock-timeout=60s']);
    expect(argvOf('check').slice(0, 3)).toEqual(['terraform', 'plan', '-var-file=prod.tfvars']);
    expect(plan.digest).not.toBe((await planned(['--state', oldWaf])).digest);
  });
});

describe('plan, of a state without old resources', () => {
  it.each([
    ['text', [], /-detailed-exitcode\n\ninfo: NO_OLD_RESOURCES/],
    ['sh', ['--format', 'sh'], /terraform plan -input=false -detailed-exitcode/],
    ['JSON', ['--json'], /"code": "NO_OLD_RESOURCES"/],
  ])('says so as %s, exit 0, with no credentials', async (_, flags, expected) => {
    const args = ['plan', '--zone', ZONE, '--state', withoutOld, ...flags];
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(expected);
  });

  it.each([
    ['nothing at all', []],
    ['something else alone', [somethingElse]],
  ])('which holds %s: says so, exit 0', async (_, resources) => {
    const cwd = temporaryFolder();
    const state = { version: 4, terraform_version: '1.11.4', serial: 1, lineage: 'l', resources };
    writeFileSync(join(cwd, 'other.tfstate'), JSON.stringify(state));
    const { code, stdout } = await runCli([...offline, '--state', 'other.tfstate'], { cwd });
    expect(stdout).toMatch(/-detailed-exitcode\n\ninfo: NO_OLD_RESOURCES/);
    expect(code).toBe(0);
  });
});

describe('plan, into a file', () => {
  const args = [...offline, '--state', oldWaf, '--format', 'sh', '--out', 'plans/plan.sh'];

  it('writes the plan that apply takes, says where, and prints what --format says', async () => {
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await runCli(args, { cwd });
    expect(code).toBe(2);
    expect(stdout).toMatch(/^#!\/bin\/sh\n/);
    expect(stderr).toMatch(/blocker: OTHER_ZONES main\n/);
    expect(stderr).toMatch(/^wrote plans\/plan\.sh$/m);
    const plan: Plan = JSON.parse(readFileSync(join(cwd, 'plans/plan.sh'), 'utf8'));
    expect(plan.format).toBe('cf-waf-migrate/plan');
  });

  it.each(['text', 'json', 'sh'])('replaces an earlier plan as %s by a new one', async (format) => {
    const cwd = temporaryFolder();
    const earlier = await runCli([...offline, '--state', oldWaf, '--format', format], { cwd });
    writeFileSync(join(cwd, 'plan'), earlier.stdout);
    const out = [...offline, '--state', oldWaf, '--out', 'plan'];
    const again = await runCli([...out, '--format', 'json', '--from', '4'], { cwd });
    expect(again.code).toBe(2);
    const plan: Plan = JSON.parse(readFileSync(join(cwd, 'plan'), 'utf8'));
    expect(plan.states[0]!.provider.from).toBe('4.52.8');
  });

  it('as text names the file, and the next command below it', async () => {
    const cwd = temporaryFolder();
    const { stdout } = await runCli(['plan', '--state', 'x.tfstate', '--out', 'my plan.json'], {
      cwd,
      environment: {},
    });
    expect(stdout).toBe('');
    copyFileSync(oldWaf, join(cwd, 'x.tfstate'));
    const saved = [...offline, '--state', 'x.tfstate', '--out', 'my plan.json'];
    const ran = await runCli(saved, { cwd });
    expect(ran.stdout).toMatch(/\nwrote my plan\.json\n\nNext:\n {2}cf-waf-migrate plan /);
  });

  it('leaves anything else alone, the state above all, but with --force', async () => {
    const cwd = temporaryFolder();
    copyFileSync(oldWaf, join(cwd, 'terraform.tfstate'));
    const over = [...offline, '--state', 'terraform.tfstate', '--out', 'terraform.tfstate'];
    for (const flags of [[], ['--force']]) {
      const ran = await runCli([...over, ...flags, '--json'], { cwd });
      expect([ran.code, errorOf(ran).message]).toEqual([64, '--out is the state itself']);
    }
    expect(readFileSync(join(cwd, 'terraform.tfstate'))).toEqual(readFileSync(oldWaf));
    writeFileSync(join(cwd, 'notes'), 'mine');
    const ran = await runCli([...offline, '--state', oldWaf, '--out', 'notes', '--json'], { cwd });
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'FILE_EXISTS']);
    const forced = await runCli([...offline, '--state', oldWaf, '--out', 'notes', '--force'], {
      cwd,
    });
    expect(forced.code).toBe(2);
  });
});

describe('plan, of a bad state', () => {
  const unreadable = (text: string | Buffer): Promise<CliRun> => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'state'), text);
    const args = [...offline, '--state', 'state', '--out', 'plan.json', '--json'];
    return runCli(args, { cwd }).finally(() => {
      expect(existsSync(join(cwd, 'plan.json'))).toBe(false);
    });
  };
  const secret = 'geheim-0123456789';

  it.each([
    ['empty', '', 'STATE_INVALID'],
    ['not JSON', `hello ${secret}`, 'STATE_INVALID'],
    ['cut off', `{"version":4,"resources":[{"attributes":"${secret}"`, 'STATE_INVALID'],
    ['binary', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), 'STATE_INVALID'],
    ['UTF-16', Buffer.from('\ufeff{"version":4}', 'utf16le'), 'STATE_INVALID'],
    ['another document', '{"hello":1}', 'STATE_INVALID'],
    ['a list', '[]', 'STATE_INVALID'],
    ['terraform show -json', '{"format_version":"1.0","values":{}}', 'STATE_INVALID'],
    ['a plan as JSON', '{"format_version":"1.2","planned_values":{}}', 'STATE_INVALID'],
    [
      'version 3',
      '{"version":3,"terraform_version":"0.11.14","modules":[]}',
      'STATE_VERSION_UNSUPPORTED',
    ],
    ['version 5', '{"version":5,"terraform_version":"9.0.0"}', 'STATE_VERSION_UNSUPPORTED'],
    ['encrypted', `{"encrypted_data":"${secret}","encryption_version":"v0"}`, 'STATE_ENCRYPTED'],
    ['without resources', '{"version":4,"serial":1}', 'STATE_INVALID'],
    [
      'with a resource that is none',
      `{"version":4,"serial":1,"lineage":"x","resources":[{"type":"${secret}"}]}`,
      'STATE_INVALID',
    ],
  ])('that is %s: exit 1, code and hint, and nothing of its content', async (_, text, expected) => {
    const ran = await unreadable(text);
    expect([ran.code, errorOf(ran).code]).toEqual([1, expected]);
    expect(errorOf(ran).hint).not.toBe('');
    expect(ran.stderr).not.toContain(secret);
  });

  it.each([
    ['is not there', 'nowhere.tfstate'],
    ['is a folder', '.'],
    ['lies under a file', 'package.json/x'],
  ])('that %s: exit 1 with the reason as the cause', async (_, state) => {
    const ran = await runCli([...offline, '--state', state, '--json']);
    const error = errorOf(ran);
    expect([ran.code, error.code]).toEqual([1, 'STATE_UNREADABLE']);
    expect(error.causes[0]).toMatch(/^E[A-Z]+: /);
  });
});
