import { errorOf } from '../support/cli-lab';
import { faultPoints } from '../support/fault-points';
import { type Plan } from '../../src/plan/plan-schema';
import {
  apply,
  applySettings,
  expectMigrated,
  makePlan,
  rollback,
  stateNow,
} from '../support/apply-world';
import { journalOf } from '../support/plans';
import { inWorld, type World } from '../support/world';

/** The fault points of a run with one method, in order. */
const points: Readonly<Record<'removing' | 'blocks', readonly string[]>> = {
  removing: [
    ...['plan-copied', 'journal-begun', 'step-started', 'backup-before', 'backup-written'],
    ...['backup-after', 'step-done', 'remove-before', 'remove-after', 'edit-before'],
    ...['edit-copied', 'edit-backed-up', 'edit-renamed', 'edit-after', 'import-before'],
    ...['import-after', 'check-before', 'check-after', 'run-ended'],
  ] as const,
  blocks: ['apply-blocks-before', 'apply-blocks-noted', 'apply-blocks-after'],
};
const ofRollback = [
  ...['rollback-saved', 'rollback-file', 'rollback-files', 'rollback-before', 'rollback-written'],
  ...['rollback-pushed', 'rollback-after', 'rollback-created', 'rollback-noted', 'rollback-undone'],
];

it('kills at every fault point; test/e2e/upgrade.test.ts has those of an upgrade', () => {
  const elsewhere = faultPoints.filter((point) => point.startsWith('upgrade-provider'));
  const here = [...points.removing, ...points.blocks, ...ofRollback];
  expect([...here, ...elsewhere].sort()).toEqual([...faultPoints].sort());
});

/** What a rollback restores, byte for byte. */
const original = (world: World) => {
  const { resources, lineage } = stateNow(world);
  const files = ['main.tf', 'managed_rules.tf'].map((file) => world.lab.read(file));
  return { resources, lineage, files };
};

async function rollBack(world: World, plan: Plan): Promise<void> {
  const back = await rollback(world, journalOf(plan));
  expect([back.code, back.stderr.includes('error')]).toEqual([0, false]);
}

it.each([
  ['removing', 'http'],
  ['blocks', 'local'],
] as const)(
  'an apply with method %s, backend %s, resumes wherever it is killed',
  (method, backend) =>
    inWorld({ ...applySettings, backend }, async (world) => {
      await makePlan(world, method);
      for (const point of points[method]) await world.lab.killAt(point, ['apply', 'plan.json']);
      const again = await apply(world);
      expect([again.code, again.stderr.includes('error')]).toEqual([0, false]);
      await expectMigrated(world);
    }),
);

it.each([
  ['removing', 'local'],
  ['blocks', 'http'],
] as const)(
  'a rollback with method %s, backend %s, restores the original wherever apply was killed',
  (method, backend) =>
    inWorld({ ...applySettings, backend }, async (world) => {
      const before = original(world);
      // a run that is killed before its first journal line has changed nothing
      for (const point of points[method].filter((one) => one !== 'plan-copied')) {
        const plan = await makePlan(world, method);
        await world.lab.killAt(point, ['apply', 'plan.json']);
        await rollBack(world, plan);
        expect([point, original(world)]).toEqual([point, before]);
      }
    }),
);

it('a rollback resumes wherever it is killed', () =>
  inWorld({ ...applySettings, backend: 'http' }, async (world) => {
    const before = original(world);
    const plan = await makePlan(world, 'removing');
    expect((await apply(world)).code).toBe(0);
    for (const point of ofRollback) await world.lab.killAt(point, ['rollback', journalOf(plan)]);
    await rollBack(world, plan);
    expect(original(world)).toEqual(before);
  }));

/** Applies until the tool is killed, with the journal so far. */
async function killed(world: World, point: string): Promise<string> {
  const { lab } = world;
  const { digest } = await makePlan(world, 'removing');
  await lab.killAt(point, ['apply', 'plan.json']);
  return journalOf({ digest });
}

it.each<[string, (journal: string) => string, string[]]>([
  ['by half a line more', (journal) => `${journal}{"event":"do`, []],
  // the step was applied, which looks like the work of another process
  ['in its last line', (journal) => journal.slice(0, -9), ['--force']],
])('resumes and rolls back a run whose journal was cut %s', (_name, spoil, flags) =>
  inWorld({ ...applySettings, backend: 'http' }, async (world) => {
    const before = stateNow(world);
    const journal = await killed(world, 'remove-after');
    world.lab.write(journal, spoil(world.lab.read(journal)));
    const again = await apply(world);
    expect([again.code, again.stderr.includes('"error"')]).toEqual([0, false]);
    await expectMigrated(world);
    if (flags.length > 0) {
      const stopped = await rollback(world, journal);
      expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringMatching('STATE_CHANGED')]);
    }
    const back = await rollback(world, journal, ...flags);
    expect([back.code, back.stderr.includes('error')]).toEqual([0, false]);
    expect(stateNow(world).resources).toEqual(before.resources);
  }),
);

it('a backup that was changed is refused', () =>
  inWorld({ ...applySettings, backend: 'http' }, async (world) => {
    const { http, lab } = world;
    const journal = await killed(world, 'backup-after');
    const { file } = JSON.parse(
      lab
        .read(journal)
        .split('\n')
        .find((line) => line.includes('"backup"'))!,
    ) as { file: string };
    const bytes = lab.read(file);
    await lab.killAt('remove-after', ['apply', 'plan.json']);
    expect(lab.read(file)).toBe(bytes);

    // the legacy resources are no longer in the state: a backup of it now would not be from before
    lab.write(file, '{}');
    http!.clearLog();
    const stopped = await apply(world);
    expect([stopped.code, errorOf(stopped)]).toMatchObject([
      1,
      {
        code: 'BACKUP_INVALID',
        hint: expect.stringMatching(/^restore the backup from a copy.*without a copy, plan again/),
      },
    ]);
    const back = await rollback(world, journal);
    expect([back.code, back.stderr.includes('BACKUP_INVALID')]).toEqual([1, true]);
    expect([http!.writes(), http!.locks()]).toEqual([0, 0]);
    lab.write(file, bytes);
    expect((await apply(world)).code).toBe(0);
    await expectMigrated(world);
  }));
