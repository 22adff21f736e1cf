import { type FaultPoint, faultPoints } from '../../src/apply/fault-points';
import {
  apply,
  applySettings,
  expectMigrated,
  makePlan,
  type Method,
  rollback,
  stateNow,
} from '../support/apply-world';
import { journalOf } from '../support/plans';
import { spawnCli } from '../support/spawn-cli';
import { inWorld, type World } from '../support/world';

const ofProvider = (point: FaultPoint): boolean => point.startsWith('upgrade-provider');
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
        const before = { text: lab.read('main.tf'), state: stateNow(world) };
        const plan = await makePlan(world, orderOf(point));
        await killAt(world, point, 'apply', 'plan.json');
        const back = await rollback(world, journalOf(plan));
        expect([back.code, back.stderr.includes('error')]).toEqual([0, false]);
        expect(lab.read('main.tf')).toBe(before.text);
        expect(lab.read('managed_rules.tf')).toBe('');
        const after = stateNow(world);
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
        const before = { text: lab.read('main.tf'), state: stateNow(world) };
        const plan = await makePlan(world, 'removing');
        expect((await apply(world)).code).toBe(0);
        await killAt(world, point, 'rollback', journalOf(plan));
        expect((await rollback(world, journalOf(plan))).code).toBe(0);
        expect(lab.read('main.tf')).toBe(before.text);
        expect(lab.read('managed_rules.tf')).toBe('');
        expect(stateNow(world).resources).toEqual(before.state.resources);
      }),
  );
});
