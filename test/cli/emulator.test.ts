import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { fleetScenario } from './support/fleet-scenario';
import { errorOf } from '../support/cli-lab';

describe('emulator', () => {
  const scenarios = join(__dirname, '../../src/emulator/scenarios');

  it('prints one JSON line', async () => {
    const { code, stdout, stderr } = await runCli(['emulator', '--scenario', 'old-waf']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^[^\n]+\n$/);
    const line = JSON.parse(stdout);
    expect(line.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/client\/v4$/);
    expect(line.zones).toHaveLength(5);
    expect(line.environment[5].CLOUDFLARE_BASE_URL).toBe(line.baseUrl);
  });

  it('serves https with --tls, which provider 3 and 4 need', async () => {
    const { stdout } = await runCli('emulator --tls --scenario pro');
    const { baseUrl, environment } = JSON.parse(stdout);
    expect(baseUrl).toMatch(/^https:/);
    expect(environment[4].SSL_CERT_FILE).toMatch(/certificate\.pem$/);
  });

  it('takes a scenario from a file of the working directory', async () => {
    const cwd = temporaryFolder();
    const text = readFileSync(join(scenarios, 'pro.json'), 'utf8');
    writeFileSync(join(cwd, 'mine.json'), text.replace('blog.example.com', 'mine.example.com'));
    const { code, stdout } = await runCli('emulator --scenario mine.json', { cwd });
    expect([code, JSON.parse(stdout).zones[0].name]).toEqual([0, 'mine.example.com']);
  });

  it.each([
    ['an unknown name', 'nonsense', undefined, 'SCENARIO_INVALID'],
    ['a file that is not there', './none.json', undefined, 'FILE_UNREADABLE'],
    ['a file that is no JSON', './file.json', '{', 'FILE_UNREADABLE'],
    ['a list', './file.json', '"demo"', 'SCENARIO_INVALID'],
    ['another document', './file.json', '{"zones":[{"id":"x\\u001b[2J"}]}', 'SCENARIO_INVALID'],
  ])('fails with %s', async (_, scenario, text, expected) => {
    const cwd = temporaryFolder();
    if (text !== undefined) writeFileSync(join(cwd, 'file.json'), text);
    const ran = await runCli(['emulator', '--scenario', scenario, '--json'], { cwd });
    expect([ran.code, errorOf(ran).code]).toEqual([1, expected]);
    const text2 = await runCli(['emulator', '--scenario', scenario], { cwd });
    expect(text2.stderr).not.toMatch(/[^\P{Cc}\n]|\\u\{a\}/u);
  });

  it('names the wrong field of a ruleset', async () => {
    const scenario = fleetScenario({ count: 1 });
    const text = JSON.stringify(scenario).replace('"expression":"true"', '"expression":1');
    const cwd = temporaryFolder({ 'file.json': text });
    const { stderr } = await runCli('emulator --scenario ./file.json', { cwd });
    expect(stderr).toContain(': zones.0.rulesets.0.rules.0.expression: invalid input: expected ');
  });

  it('names the first three wrong fields, unknown ones last', async () => {
    const fields = (zone: object) => JSON.stringify({ name: 'x', foo: 1, zones: [zone] });
    const errorOfFile = async (text: string) => {
      const cwd = temporaryFolder({ 'file.json': text });
      return (await runCli('emulator --scenario ./file.json', { cwd })).stderr;
    };
    expect(await errorOfFile(fields({ id: 'x', name: 'a.example', plan: 'pro' }))).toMatch(
      /: zones\.0\.id: [^;]+; document: unrecognized key: "foo" \(/,
    );
    expect(await errorOfFile(fields({ id: 'x' }))).toMatch(
      /: zones\.0\.id: [^;]+; zones\.0\.name: [^;]+; zones\.0\.plan: [^;]+ \(/,
    );
  });
});

describe('the demo', () => {
  const golden = join(__dirname, '../golden/demo.txt');

  it('prints what the golden file has, in at most 40 lines of 84 columns', async () => {
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await runCli(['demo'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, stdout);
    expect(stdout).toBe(readFileSync(golden, 'utf8'));
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThan(85);

    const paths = stdout.match(/demo-output\/[\w./-]+/g) ?? [];
    expect(paths.length).toBeGreaterThanOrEqual(5);
    for (const path of paths) expect([path, existsSync(join(cwd, path))]).toEqual([path, true]);
    expect(statSync(join(cwd, 'demo-output/old-waf.tfstate')).mode & 0o777).toBe(0o600);
  });

  it('with --json prints the files as one document, and nothing else', async () => {
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await runCli('demo --out x --json', { cwd });
    expect([code, stderr]).toEqual([0, '']);
    const { files } = JSON.parse(stdout) as { files: string[] };
    expect(files.length).toBe(5);
    for (const file of files) expect([file, existsSync(join(cwd, file))]).toEqual([file, true]);
  });

  it('can be run again over itself', async () => {
    const cwd = temporaryFolder();
    for (const time of ['first', 'second']) {
      const { code, stdout, stderr } = await runCli(['demo', '--quiet'], { cwd });
      expect([time, code, stdout, stderr]).toEqual([time, 0, readFileSync(golden, 'utf8'), '']);
    }
  });

  it('runs in a CDKTF project whose stacks have the same zones, as in a clone', async () => {
    const stack = 'stacks/shop_example_com.ts';
    const text = readFileSync(join(__dirname, '../..', stack), 'utf8');
    const cwd = temporaryFolder({ 'cdktf.json': '{"language":"typescript"}', [stack]: text });
    const { code, stderr } = await runCli(['demo'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
  });

  it('overwrites nothing that is not from a demo', async () => {
    const cwd = temporaryFolder({ 'mine/plan.sh': '#!/bin/sh\n' });
    const ran = await runCli('demo --out mine --json', { cwd });
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'FILE_EXISTS']);
    expect(readdirSync(join(cwd, 'mine'))).toEqual(['plan.sh']);
  });

  it.each([
    ['a file stands in the way', 'file'],
    ['a file stands above it', 'file/x'],
  ])('fails with a clear error when %s', async (_, out) => {
    const cwd = temporaryFolder({ file: '' });
    const ran = await runCli(['demo', '--out', out, '--json'], { cwd });
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'FILE_UNWRITABLE']);
  });
});
