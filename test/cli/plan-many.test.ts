import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ZONE } from '../plan/support/plans';
import { fakeTerraform } from '../support/fake-terraform';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator, errorOf } from './support/cli-with-emulator';

const NEIGHBOUR = 'fedcba9876543210fedcba9876543210';
const cli = cliWithEmulator('old-waf');
const rule = 'resource "cloudflare_waf_rule" "r" {\n  zone_id = "z"\n}\n';
const program = JSON.stringify({
  resource: { cloudflare_waf_rule: { r: { '//': { metadata: { path: 'edge/r' } } } } },
});
const stateOf = (zone: string): string =>
  JSON.stringify({
    version: 4,
    terraform_version: '1.11.4',
    serial: 3,
    lineage: `8a8b9d74-1bbc-5b46-8c8b-${zone.slice(0, 12)}`,
    resources: [
      {
        mode: 'managed',
        type: 'cloudflare_waf_rule',
        name: 'r',
        provider: 'provider["registry.terraform.io/cloudflare/cloudflare"]',
        instances: [{ schema_version: 0, attributes: { id: '100000', zone_id: zone } }],
      },
    ],
  });
const BLOCKS = ['--from', '3.35.0', '--method', 'blocks'];
let cwd: string;
let environment: Record<string, string>;

beforeEach(() => {
  cwd = temporaryFolder();
  const body = `case "$*" in 'state pull') cat state.json ;; 'workspace show') echo default ;; esac`;
  environment = { PATH: fakeTerraform(cwd, body).searchPath };
  list(`${ZONE},a`, `${NEIGHBOUR},b`);
});

function list(...lines: string[]): void {
  writeFileSync(join(cwd, 'zones.csv'), ['zone,dir', ...lines, ''].join('\n'));
}

function folder(name: string, zone: string, file: string, text: string): void {
  mkdirSync(join(cwd, name));
  writeFileSync(join(cwd, name, 'state.json'), stateOf(zone));
  writeFileSync(join(cwd, name, file), text);
}

const plan = (...args: string[]) =>
  cli.run(['plan', '--zones', 'zones.csv', '--out', 'plans', ...args], { cwd, environment });
const planned = async (...args: string[]) => JSON.parse((await plan(...args, '--json')).stdout);

describe('plan --write for the zones of many states', () => {
  it('makes the edits also where a run without it has made the plan', async () => {
    folder('a', ZONE, 'main.tf', rule);
    const without = await planned(...BLOCKS);
    expect(without.summary).toMatchObject({ zones: 2, failed: 1 });
    expect(readFileSync(join(cwd, 'a/main.tf'), 'utf8')).toBe(rule);
    const made = await planned(...BLOCKS, '--write');
    expect(made.summary).toMatchObject({ failed: 1, earlier: 0 });
    expect(readFileSync(join(cwd, 'a/main.tf'), 'utf8')).not.toContain('cloudflare_waf_rule" "r"');
  });

  it('needs attention where the program of a CDKTF stack is left to a person', async () => {
    folder('a', ZONE, 'cdk.tf.json', program);
    list(`${ZONE},a`);
    expect((await plan(...BLOCKS)).code).toBe(0);
    const { code, stdout, stderr } = await plan(...BLOCKS, '--write');
    expect(code).toBe(2);
    expect(stdout).toMatch(/^attention .*: a manual step changes a program$/m);
    expect(stderr).toContain('is manual: change the program\n');
    const quiet = await plan(...BLOCKS, '--write', '--quiet');
    expect([quiet.code, quiet.stderr]).toEqual([2, '']);
  });
});

it('plan saves the plan before it edits, for of edited files it cannot be made again', async () => {
  folder('a', ZONE, 'main.tf', rule);
  writeFileSync(join(cwd, 'notes.txt'), 'mine');
  const args = ['--zone', ZONE, '--dir', 'a', '--write', '--out', 'notes.txt', '--json'];
  const ran = await cli.run(['plan', ...BLOCKS, ...args], { cwd, environment });
  expect([ran.code, errorOf(ran).code]).toEqual([1, 'FILE_EXISTS']);
  expect(readFileSync(join(cwd, 'a/main.tf'), 'utf8')).toBe(rule);
});

describe('plan for the zones of many states', () => {
  it.each([
    ['--terraform-timeout', 'long'],
    ['--from', 'newest'],
  ])('refuses a wrong %s once, before any zone', async (flag, value) => {
    const ran = await plan(flag, value, '--json');
    expect([ran.code, errorOf(ran).code]).toEqual([64, 'USAGE']);
    expect(existsSync(join(cwd, 'cf-waf-migrate-fleet'))).toBe(false);
  });

  it('says once what is not passed on to Terraform', async () => {
    environment = { ...environment, TF_CLI_ARGS: '-no-color' };
    expect((await plan()).stderr.match(/is not passed on/g)).toHaveLength(1);
  });

  it('names the plan of a folder that lies deep as a disk takes it', async () => {
    const deep = ['a', 'b', 'c'].map((letter) => letter.repeat(100)).join('/');
    mkdirSync(dirname(join(cwd, deep)), { recursive: true });
    folder(deep, ZONE, 'main.tf', rule);
    list(`${ZONE},${deep}`);
    expect((await plan(...BLOCKS)).code).toBe(0);
    const [name] = readdirSync(join(cwd, 'plans')).filter((one) => one.endsWith('.plan.json'));
    expect(name).toMatch(/^b{99}-c{100}\.[0-9a-f]{8}\.plan\.json$/);
  });

  it('refuses a zone that is not there, and not the column of its folder', async () => {
    list('mistyped.example.com,a');
    const { code, stdout } = await plan();
    expect(code).toBe(1);
    expect(stdout).toContain('"mistyped.example.com" is no zone that the credentials reach');
  });

  it('is a usage error for a list without a column dir', async () => {
    writeFileSync(join(cwd, 'zones.csv'), `zone\n${ZONE}\n`);
    const ran = await plan('--json');
    expect([ran.code, errorOf(ran).code]).toEqual([64, 'USAGE']);
  });
});
