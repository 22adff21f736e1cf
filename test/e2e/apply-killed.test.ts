import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FaultPoint, faultPoints } from '../../src/actions/apply/fault-points';
import {
  apply,
  applySettings,
  expectMigrated,
  makePlan,
  type Method,
  rollback,
  stateNow,
} from '../support/apply-world';
import { inInstalledWorld, type InstalledWorld } from '../support/installed-world';
import { buildMirror, type Mirror } from '../support/provider/mirror';
import { addRulesetOfThree, declareOther, OTHER } from '../support/ruleset-of-three';
import { spawnCli } from '../support/spawn-cli';
import { inWorld, type World } from '../support/world';

const ofProvider = (point: FaultPoint): boolean => /^(upgrade-provider|apply-refresh)/.test(point);
const ofRollback = (point: FaultPoint): boolean => point.startsWith('rollback');
const orderOf = (point: FaultPoint): Method =>
  point.startsWith('apply-blocks') ? 'blocks' : 'removing';
/** Every point is tried in both ways, and on both backends: by turns. */
const others = faultPoints.filter((point) => !ofProvider(point) && !ofRollback(point));

/** Runs the tool until it kills itself. */
async function killAt({ lab }: World, point: FaultPoint, ...args: string[]): Promise<void> {
  const killed = await spawnCli([...args, '--yes'], {
    cwd: lab.dir,
    environment: { ...lab.environment, CF_WAF_MIGRATE_KILL_AT: point },
  });
  expect([killed.signal, killed.stderr.includes('error')]).toEqual(['SIGKILL', false]);
}

const journalOf = ({ digest }: { digest: string }): string =>
  `cf-waf-migrate-backup/${digest.slice(0, 12)}.journal.jsonl`;

const backends = ['local', 'http'] as const;
describe.each(backends)('apply on the %s backend, killed', (backend) => {
  const turn = backends.indexOf(backend);
  it.each(others.filter((_, at) => at % 2 === turn))(
    'at %s: run again it comes to the same end',
    (point) =>
      inWorld({ ...applySettings, backend }, async (world) => {
        await makePlan(world, orderOf(point));
        await killAt(world, point, 'apply', 'plan.json');
        const again = await apply(world);
        expect([again.code, again.stderr.includes('error')]).toEqual([0, false]);
        await expectMigrated(world);
      }),
  );

  it.each(others.filter((point, at) => at % 2 !== turn && point !== 'plan-copied'))(
    'at %s: rollback brings the original back, byte for byte',
    (point) =>
      inWorld({ ...applySettings, backend }, async (world) => {
        const { lab } = world;
        const before = { text: lab.read('main.tf'), state: await stateNow(world) };
        const plan = await makePlan(world, orderOf(point));
        await killAt(world, point, 'apply', 'plan.json');
        const back = await rollback(world, journalOf(plan));
        expect([back.code, back.stderr]).toEqual([0, '']);
        expect(lab.read('main.tf')).toBe(before.text);
        expect(lab.read('managed_rules.tf')).toBe('');
        const after = await stateNow(world);
        expect([after.resources, after.lineage]).toEqual([
          before.state.resources,
          before.state.lineage,
        ]);
      }),
  );

  it.each(faultPoints.filter(ofRollback).filter((_, at) => at % 2 === turn))(
    'in a rollback, at %s: run again it is done',
    (point) =>
      inWorld({ ...applySettings, backend }, async (world) => {
        const { lab } = world;
        const before = { text: lab.read('main.tf'), state: await stateNow(world) };
        const plan = await makePlan(world, 'removing');
        expect((await apply(world)).code).toBe(0);
        await killAt(world, point, 'rollback', journalOf(plan));
        expect((await rollback(world, journalOf(plan))).code).toBe(0);
        expect(lab.read('main.tf')).toBe(before.text);
        expect(lab.read('managed_rules.tf')).toBe('');
        expect((await stateNow(world)).resources).toEqual(before.state.resources);
      }),
  );
});

describe('apply from provider 3 over 4 to 5, killed', () => {
  let folder: string;
  let mirror: Mirror;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'mirror-'));
    mirror = buildMirror(folder, ['3.35.0', '4.52.8', '5.22.0']);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** Goes on until the end: where the tool asks for the next provider, a person requires it. */
  async function untilTheEnd(world: InstalledWorld, point?: FaultPoint): Promise<number> {
    const ways = ['4.52.8', '5.22.0'];
    let kill = point;
    let kills = 0;
    for (let run = 0; run < 8; run += 1) {
      const environment = kill === undefined ? {} : { CF_WAF_MIGRATE_KILL_AT: kill };
      const ran = await world.cli(['apply', 'plan.json', '--yes', '--json'], environment);
      if (ran.signal === 'SIGKILL') {
        kill = undefined;
        kills += 1;
      } else if (ran.code === 0) return kills;
      else {
        expect(ran.stderr).toContain('PROVIDER_NOT_UPGRADED');
        const version = ways.shift()!;
        world.require(version);
        declareOther(world.lab, world.zoneIds[1]!, version.startsWith('4') ? 4 : 5);
      }
    }
    throw new Error('it does not come to an end');
  }

  it.each([undefined, ...faultPoints.filter(ofProvider)])(
    'at %s: the same end, and the way back',
    (point) =>
      inInstalledWorld(mirror, { ...applySettings, zones: 2, version: '3.35.0' }, async (world) => {
        addRulesetOfThree(world, 3);
        const before = JSON.parse(world.lab.read('terraform.tfstate'));
        const plan = await world.makePlan('--to', '5');
        expect(await untilTheEnd(world, point)).toBe(point === undefined ? 0 : 1);
        const listed = (await world.run('state', 'list')).stdout.trim().split('\n');
        expect(listed).toEqual(['cloudflare_ruleset.managed_rules', OTHER]);
        expect((await world.run('plan', '-detailed-exitcode')).code).toBe(0);
        expect(world.lab.read('.terraform.lock.hcl')).toContain('"5.22.0"');

        const back = await world.cli(['rollback', journalOf(plan), '--yes']);
        expect([back.code, back.stderr]).toEqual([0, '']);
        const after = JSON.parse(world.lab.read('terraform.tfstate'));
        // as Terraform sorts them
        expect(byName(after.resources)).toEqual(byName(before.resources));
      }),
    180_000,
  );
});

function byName(resources: { name: string }[]): { name: string }[] {
  return resources.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
