import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cliWithEmulator } from '../cli/support/cli-with-emulator';
import { environmentOf } from '../support/cli-over';
import { fleetScenario, OURS } from '../cli/support/fleet-scenario';
import { startCli, untilEnd } from '../support/spawn-cli';
import { temporaryFolder } from '../support/temporary-folder';

const LIMIT = 60;
const limited = { rateLimit: { requests: LIMIT, seconds: 300 } };
describe('runs with the same token', () => {
  const cli = cliWithEmulator(fleetScenario({ count: 50, settings: limited }));
  it('send together what the service allows, at once or one after the other, and see no 429', async () => {
    const state = temporaryFolder();
    const environment = { ...environmentOf(cli.emulator()), CF_WAF_MIGRATE_STATE_DIR: state };
    const args = ['status', '--account', OURS, '--rate', String(LIMIT)];
    const seen = () => cli.emulator().requests();
    const begin = () => {
      const child = startCli(args, { cwd: temporaryFolder(), environment });
      let said = '';
      child.stderr?.on('data', (text: string) => (said += text));
      return { child, ended: untilEnd(child), waits: () => said.includes('waiting') };
    };
    const runs = [begin(), begin()];
    while (seen().length < LIMIT) await sleep(20);
    runs.push(begin());
    // the third one waits from its first request on
    while (!runs.every(({ waits }) => waits())) await sleep(20);
    for (const { child } of runs) child.kill('SIGKILL');
    const said = await Promise.all(runs.map(({ ended }) => ended));
    expect(seen().map(({ status }) => status)).toEqual(Array(LIMIT).fill(200));
    for (const { stderr } of said)
      expect(stderr).toMatch(/limit of requests is reached: waiting \d+ s/);
    const files = readdirSync(state);
    expect(files).toEqual([expect.stringMatching(/^rate-[0-9a-f]{32}$/)]);
    expect(files.join()).not.toContain(cli.emulator().credentials.token);
  }, 60_000);
});

describe('the record of requests', () => {
  const cli = cliWithEmulator();
  it.each([
    ['a file is in the way', join(__filename, 'no/folder')],
    ['the system makes no folder and says that none is there', '/proc/cf-waf-migrate'],
  ])('is done without where %s, which is said', async (_, folder) => {
    const environment = { CF_WAF_MIGRATE_STATE_DIR: folder };
    const ran = await cli.run(['fetch-config', '--zone', 'f'.repeat(32)], { environment });
    expect(ran.stderr).toContain('other runs on this machine are not counted: cannot write in');
  });

  it('is off where the user says so', async () => {
    const off = await cli.run(['fetch-config', '--zone', 'f'.repeat(32)], {
      environment: { CF_WAF_MIGRATE_STATE_DIR: 'off' },
    });
    expect(off.stderr).not.toContain('not counted');
  });
});
