import { setTimeout as sleep } from 'node:timers/promises';
import { environmentOf } from '../support/cli-over';
import { startCli, untilEnd } from '../support/spawn-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator } from './support/cli-with-emulator';
import { fleetScenario, OURS, zoneId } from './support/fleet-scenario';

const LIMIT = 60;
const limited = { rateLimit: { requests: LIMIT, seconds: 300 } };

describe('--rate', () => {
  const cli = cliWithEmulator(fleetScenario({ count: 50, settings: limited }));

  it('sends what it allows and then waits, so that the API never answers 429', async () => {
    const args = ['status', '--account', OURS, '--rate', String(LIMIT)];
    const child = startCli(args, {
      cwd: temporaryFolder(),
      environment: environmentOf(cli.emulator()),
    });
    let said = '';
    child.stderr?.on('data', (text: string) => (said += text));
    const ended = untilEnd(child);
    while (!said.includes('waiting') || cli.emulator().requests().length < LIMIT) await sleep(20);
    child.kill('SIGKILL');
    await ended;
    expect(said).toMatch(/limit of requests is reached: waiting \d+ s/);
    const statuses = cli
      .emulator()
      .requests()
      .map(({ status }) => status);
    expect(statuses).toEqual(Array(LIMIT).fill(200));
  }, 60_000);
});

describe('a 429 answer', () => {
  const cli = cliWithEmulator(fleetScenario({ count: 1 }));

  it('is repeated when Retry-After allows it', async () => {
    const path = `/zones/${zoneId(0)}/*`;
    cli.emulator().setFaults([{ kind: 'rate-limit', retryAfter: 1, path, times: 1 }]);
    const ran = await cli.run(['status', '--zone', zoneId(0)]);
    expect([ran.code, ran.stderr]).toEqual([0, 'the service answered 429: trying again in 1 s\n']);
  });
});
