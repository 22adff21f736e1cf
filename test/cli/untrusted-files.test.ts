import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { cliWithEmulator, errorOf } from '../support/cli-lab';
import { temporaryFolder } from '../support/temporary-folder';
import { fleetScenario, zoneId, zoneName } from './support/fleet-scenario';

const cli = cliWithEmulator(fleetScenario({ count: 2 }));
const eligible = cliWithEmulator(fleetScenario({ count: 1, moved: () => false }));
const SECRET = 'aws_secret_access_key = wJalrXUtnFEMI';

it('refuses a link as the list of zones, and repeats no line that is not a zone', async () => {
  const secret = join(temporaryFolder(), 'credentials');
  writeFileSync(secret, `${SECRET}\n`);
  symlinkSync(secret, join(cli.cwd(), 'link.txt'));
  const linked = await cli.run(['check', '--zones', 'link.txt', '--json']);
  expect([linked.code, errorOf(linked).code]).toEqual([1, 'ZONES_FILE_INVALID']);
  cli.write({ 'list.txt': `${SECRET}\n${zoneName(0)}\n` });
  const listed = await cli.run(['check', '--zones', 'list.txt', '--json']);
  const written = cli.read('cf-waf-migrate-fleet/ledger.jsonl');
  expect(written).toContain(zoneName(0));
  for (const text of [linked.stderr, listed.stdout, listed.stderr, written])
    expect(text).not.toContain('wJalr');
});

it('refuses a ledger that is a link, or that git tracks', async () => {
  const target = join(temporaryFolder(), 'profile');
  cli.write({ 'zones.txt': `${zoneName(0)}\n` });
  mkdirSync(join(cli.cwd(), 'cf-waf-migrate-fleet'), { recursive: true });
  symlinkSync(target, join(cli.cwd(), 'cf-waf-migrate-fleet/linked.jsonl'));
  const linked = await cli.run(['check', '--zones', 'zones.txt', '--json']);
  expect([linked.code, errorOf(linked).code]).toEqual([1, 'BACKUP_FOLDER_UNSAFE']);
  const named = ['--ledger', 'cf-waf-migrate-fleet/linked.jsonl', '--json'];
  expect((await cli.run(['check', '--zones', 'zones.txt', ...named])).code).toBe(1);
  expect((await cli.run(['fleet', 'status', ...named])).code).toBe(1);
  const status = await cli.run('status --zones zones.txt --json');
  expect(errorOf(status).code).toBe('BACKUP_FOLDER_UNSAFE');
  expect(existsSync(target)).toBe(false);

  cli.write({ 'ledger.jsonl': '' });
  for (const args of [
    ['init', '-q'],
    ['add', 'ledger.jsonl'],
  ])
    execFileSync('git', args, { cwd: cli.cwd() });
  for (const line of ['check --zones zones.txt', 'status --zones zones.txt']) {
    const tracked = await cli.run(`${line} --ledger ledger.jsonl`);
    expect([tracked.code, tracked.stderr]).toEqual([1, expect.stringContaining('git tracks')]);
  }
});

it.each([
  ['stacks', `generate --zone ${zoneName(0)}`],
  ['stacks', `generate --zone ${zoneName(0)} --out stacks`],
  ['waf/stacks', `generate --zone ${zoneName(0)} --project waf`],
  ['logs', 'check --zones zones.txt --ledger logs/sub/ledger.jsonl'],
  ['reports', 'report --zones zones.txt --out reports --force'],
  ['configs', 'fetch-config --zones zones.txt --out configs'],
  ['plans', 'plan --zones zones.csv --out plans'],
])('writes nothing through the link %s to a folder elsewhere', async (link, line) => {
  const target = temporaryFolder();
  cli.write({ 'zones.txt': `${zoneName(0)}\n`, 'zones.csv': `zone,dir\n${zoneName(0)},.\n` });
  mkdirSync(join(cli.cwd(), 'waf'));
  symlinkSync(target, join(cli.cwd(), link));
  const error = errorOf(await cli.run(`${line} --json`));
  expect(error.code).toBe('FILE_UNWRITABLE');
  expect(error.message).toContain(` leads to ${target}`);
  expect(readdirSync(target)).toEqual([]);
});

it('reports into no link, and proposes no --force for it', async () => {
  const profile = join(temporaryFolder(), 'profile');
  writeFileSync(profile, '# mine\n');
  const id = zoneId(0);
  cli.write({ 'zones.txt': `${zoneName(0)}\n`, 'reports/a': '' });
  symlinkSync(profile, join(cli.cwd(), `reports/${id}.txt`));
  const { code, stdout } = await eligible.run('report --zones zones.txt --out reports', {
    cwd: cli.cwd(),
  });
  expect([code, readFileSync(profile, 'utf8')]).toEqual([1, '# mine\n']);
  expect(stdout).toContain('(FILE_UNWRITABLE)');
  expect(stdout).not.toContain('--force');
});

it('generates into no link, also with --force', async () => {
  const profile = join(temporaryFolder(), 'profile');
  writeFileSync(profile, '# mine\n');
  const line = `generate --zone ${zoneName(0)} --format hcl --out waf --force --json`;
  const [file = ''] = JSON.parse((await cli.run(line)).stdout).files;
  rmSync(join(cli.cwd(), file));
  symlinkSync(profile, join(cli.cwd(), file));
  const error = errorOf(await cli.run(line));
  expect([error.code, readFileSync(profile, 'utf8')]).toEqual(['FILE_UNWRITABLE', '# mine\n']);
  expect(error.message).toContain(`, and is a link to ${profile}`);
});

it.each([
  ['/dev/zero', 'cdktf.json'],
  ['/dev/zero', '.terraform.lock.hcl'],
  ['/dev/zero', 'app.ts'],
  ['/proc/self/pagemap', 'cdktf.json'],
])('reads no endless file: %s as %s', async (target, name) => {
  symlinkSync(target, join(cli.cwd(), name));
  expect((await cli.run(`status --zone ${zoneName(0)}`)).code).toBe(0);
  expect((await cli.run(`generate --zone ${zoneName(0)} --format hcl --out waf`)).code).toBe(0);
});

it.each([
  ['/dev/zero', 'LEDGER_INVALID', `plan --zones zones.csv --out plans --ledger link`],
  ['/proc/self/pagemap', 'BACKUP_FOLDER_UNSAFE', `check --zones zones.csv --ledger link`],
  ['/proc/self/pagemap', 'FILE_UNREADABLE', 'verify link'],
])('reads no endless file: %s is %s', async (target, code, line) => {
  cli.write({ 'zones.csv': `zone,dir\n${zoneName(0)},.\n` });
  symlinkSync(target, join(cli.cwd(), 'link'));
  expect(errorOf(await cli.run(`${line} --json`)).code).toBe(code);
});

describe('a zone with the name of a command to a GitHub runner', () => {
  const hostile = cliWithEmulator(fleetScenario({ count: 1, name: () => '::add-path::/tmp' }));

  it('starts no line', async () => {
    const { stdout } = await hostile.run(`status --zone ${zoneId(0)}`);
    expect(stdout).toContain('}:add-path::/tmp');
    expect(stdout).not.toMatch(/^\s*::/m);
  });
});

it.each([
  [
    'blank lines in a lock file',
    '.terraform.lock.hcl',
    `provider "registry.terraform.io/cloudflare/cloudflare" {\n${'\n'.repeat(1e6)}  # x\n}\n`,
    `generate --zone ${zoneName(0)} --format hcl --out waf`,
    0,
  ],
  [
    'an app of a million points',
    'cdktf.json',
    JSON.stringify({ language: 'typescript', app: 's.'.repeat(5e5) }),
    `generate --zone ${zoneName(0)}`,
    0,
  ],
  [
    'a page with many beginnings',
    'report.html',
    '<li>made 0'.repeat(5e5),
    `report --zone ${zoneName(0)} --format html --out report.html`,
    1,
  ],
])('ends in spite of %s', async (_, name, text, line, code) => {
  cli.write({ [name]: text });
  expect((await cli.run(line)).code).toBe(code);
});
