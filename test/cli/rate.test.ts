import { cliWithEmulator } from './support/cli-with-emulator';
import { fleetScenario, zoneId } from './support/fleet-scenario';

describe('a 429 answer', () => {
  const cli = cliWithEmulator(fleetScenario({ count: 1 }));

  it('is repeated when Retry-After allows it', async () => {
    const path = `/zones/${zoneId(0)}/*`;
    cli.emulator().setFaults([{ kind: 'rate-limit', retryAfter: 1, path, times: 1 }]);
    const ran = await cli.run(['status', '--zone', zoneId(0)]);
    expect([ran.code, ran.stderr]).toEqual([0, 'the service answered 429: trying again in 1 s\n']);
  });
});
