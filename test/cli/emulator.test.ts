import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { errorOf } from './support/cli-with-emulator';

const scenarios = join(__dirname, '../../src/emulator/scenarios');

describe('emulator', () => {
  it.each([
    ['demo', 4],
    ['enterprise', 1],
    ['pro', 1],
    ['not-eligible', 1],
    ['migrated', 1],
    ['old-waf', 5],
  ])('with the scenario %s prints one JSON line', async (scenario, zones) => {
    const { code, stdout, stderr } = await runCli(['emulator', '--scenario', scenario]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^[^\n]+\n$/);
    const line = JSON.parse(stdout);
    expect(line.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/client\/v4$/);
    expect(line.zones).toHaveLength(zones);
    expect(line.environment[5].CLOUDFLARE_BASE_URL).toBe(line.baseUrl);
  });

  it('serves https with --tls, which provider 3 and 4 need', async () => {
    const { stdout } = await runCli(['emulator', '--tls', '--scenario', 'pro']);
    const { baseUrl, environment } = JSON.parse(stdout);
    expect(baseUrl).toMatch(/^https:/);
    expect(environment[4].SSL_CERT_FILE).toMatch(/certificate\.pem$/);
  });

  it.each([
    ['is shut', [], 404],
    ['is open with --control', ['--control'], 200],
  ])('has a control path that %s', async (_, options, status) => {
    let found = 0;
    const { code } = await runCli(['emulator', '--scenario', 'pro', ...options], {
      meanwhile: async (line) => {
        const { baseUrl, environment } = JSON.parse(line);
        const headers = { authorization: `Bearer ${environment[5].CLOUDFLARE_API_TOKEN}` };
        const { origin } = new URL(baseUrl);
        found = (await fetch(`${origin}/_emulator/requests`, { headers })).status;
      },
    });
    expect([code, found]).toEqual([0, status]);
  });

  it('takes a scenario from a file of the working directory', async () => {
    const cwd = temporaryFolder();
    const text = readFileSync(join(scenarios, 'pro.json'), 'utf8');
    writeFileSync(join(cwd, 'mine.json'), text.replace('blog.example.com', 'mine.example.com'));
    const { code, stdout } = await runCli(['emulator', '--scenario', 'mine.json'], { cwd });
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
    expect(text2.stderr).not.toMatch(/[^\P{Cc}\n]/u);
  });
});
