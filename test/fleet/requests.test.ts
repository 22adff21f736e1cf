import { listHash } from '../../src/cli/consent';
import { cliWithEmulator } from '../support/cli-lab';
import { fleetScenario, OURS, zoneId } from '../cli/support/fleet-scenario';

// more zones than a page of the list has
const COUNT = 60;
const isMoved = (number: number): boolean => number % 2 === 0;
const cli = cliWithEmulator(fleetScenario({ count: COUNT, moved: isMoved }));

/** How often each zone is asked, and how often the list, by a command for many zones. */
async function requestsOf(
  args: string[],
): Promise<{ list: number; zones: Record<string, number> }> {
  await cli.run([...args, '--account', OURS, '--quiet']);
  const zones: Record<string, number> = {};
  let list = 0;
  for (const path of cli.paths()) {
    const [, id] = /^\/zones\/(\w+)/.exec(path) ?? [];
    if (id === undefined) list += 1;
    else zones[id] = (zones[id] ?? 0) + 1;
  }
  return { list, zones };
}

/** Requests, as docs/many-zones.md sums them up: requests of a zone that has not moved, and of one that has. */
it.each([
  ['check', 3, 1],
  ['status', 5, 2],
  ['fetch-config --out configs', 1, 2],
  ['generate --source live --format hcl --out w', 1, 1],
  // the status of a zone that has moved says that its old settings are gone
  ['report --out r', 15, 1],
  ['report --against config --out r', 14, 1],
  ['report --against live --out r', 13, 1],
  ['report --against ours --out r', 12, 1],
  ['generate --source config --out w', 2, 2],
])(
  '%s sends the fewest requests a zone, and asks for the list once a page',
  async (line, before, after) => {
    const { list, zones } = await requestsOf(line.split(' '));
    expect(list).toBe(2);
    const expected = Array.from({ length: COUNT }, (__, number) => [
      zoneId(number),
      isMoved(number) ? after : before,
    ]);
    expect(zones).toEqual(Object.fromEntries(expected));
  },
);

describe('finish', () => {
  const ids = [zoneId(0), zoneId(1)];
  const finishing = cliWithEmulator(fleetScenario({ count: 2, moved: isMoved }));

  it('sends the fewest requests a zone, of one that has moved four', async () => {
    const args = [
      'finish',
      '--account',
      OURS,
      '--confirm',
      listHash(ids.map((id) => ({ id }))),
      '--quiet',
    ];
    await finishing.run(args);
    const paths = finishing.paths();
    const counts = ids.map((id) => paths.filter((path) => path.includes(id)).length);
    expect(counts).toEqual([4, 23]);
  });
});
