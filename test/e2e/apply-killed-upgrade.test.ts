import { type FaultPoint, faultPoints } from '../../src/apply/fault-points';
import { acceptAll, journalOf } from '../support/plans';
import { applySettings, stateNow } from '../support/apply-world';
import { inInstalledWorld, type InstalledWorld } from '../support/installed-world';
import { buildHostedMirror, type Mirror } from '../support/provider/mirror';
import { addRulesetOfThree, declareOther, OTHER } from '../support/provider3-ruleset';
import { spawnCli } from '../support/spawn-cli';
import { temporaryFolder } from '../support/temporary-folder';

const ofProvider = (point: FaultPoint): boolean => /^(upgrade-provider|remove|import)/.test(point);
const backends = ['local', 'http'] as const;

describe('apply from provider 3 to 5, killed', () => {
  let mirror: Mirror;
  beforeAll(async () => {
    mirror = await buildHostedMirror(temporaryFolder(), ['3.35.0', '5.22.0']);
  });

  const settings = { ...applySettings, zones: 2, version: '3.35.0' };

  /** Runs the tool as a process, which kills itself if it comes to the point. */
  async function killAt({ lab, environment }: InstalledWorld, point: FaultPoint, args: string[]) {
    const killing = { ...environment, CF_WAF_MIGRATE_KILL_AT: point };
    const ran = await spawnCli(args, { cwd: lab.dir, environment: killing });
    expect([null, 'SIGKILL']).toContain(ran.signal);
    return ran;
  }

  /** Goes on until the end: where the tool asks for the next provider, a person requires it. */
  async function untilTheEnd(world: InstalledWorld, point?: FaultPoint): Promise<number> {
    const accepted = acceptAll(JSON.parse(world.lab.read('plan.json')));
    const apply = ['apply', 'plan.json', '--yes', '--json', ...accepted];
    let kill = point;
    let kills = 0;
    for (let run = 0; run < 8; run += 1) {
      const ran = await (kill === undefined ? world.cli(apply) : killAt(world, kill, apply));
      if (ran.code === null) {
        kill = undefined;
        kills += 1;
      } else if (ran.code === 0) return kills;
      else {
        expect([ran.code, ran.stdout]).toEqual([2, expect.stringContaining('"waiting"')]);
        world.require('5.22.0');
        declareOther(world.lab, world.zoneIds[1]!, 5);
      }
    }
    throw new Error('it does not come to an end');
  }

  const points = [undefined, ...faultPoints.filter(ofProvider)];
  /** Every point on one of the backends, by turns; undisturbed on both. */
  const tries = points.flatMap((point, at) =>
    (point === undefined ? backends : [backends[at % 2]!]).map((backend) => ({ point, backend })),
  );
  it.each(tries)(
    'at $point on the $backend backend: the same end, and the way back',
    ({ point, backend }) =>
      inInstalledWorld(mirror, { ...settings, backend }, async (world) => {
        addRulesetOfThree(world, 3);
        const before = stateNow(world);
        const plan = await world.makePlan('--to', '5');
        expect(await untilTheEnd(world, point)).toBe(point === undefined ? 0 : 1);
        const listed = (await world.run('state', 'list')).stdout.trim().split('\n');
        expect(listed).toEqual(['cloudflare_ruleset.managed_rules', OTHER]);
        expect((await world.run('plan', '-detailed-exitcode')).code).toBe(0);
        expect(world.lab.read('.terraform.lock.hcl')).toContain('"5.22.0"');

        const back = await world.cli(['rollback', journalOf(plan), '--yes']);
        expect([back.code, back.stderr.includes('error')]).toEqual([2, false]);
        expect(back.stdout).toContain('set the version constraint back');
        expect(stateNow(world).resources).toEqual(before.resources);
      }),
    300_000,
  );
});
