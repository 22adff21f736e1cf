import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorOf } from '../support/cli-lab';
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

/** Applies until the tool is killed, with the journal so far. */
async function killed(world: World, point: string): Promise<string> {
  const { lab } = world;
  const { digest } = await makePlan(world, 'removing');
  await lab.killAt(point, ['apply', 'plan.json']);
  return journalOf({ digest });
}

const addHalfALine = (path: string): void => {
  writeFileSync(path, '{"event":"do', { flag: 'a' });
};
const cutLastLine = (path: string): void => {
  truncateSync(path, readFileSync(path).length - 9);
};

it.each([
  ['by half a line more', addHalfALine, []],
  // the step was applied, which looks like the work of another process
  ['in its last line', cutLastLine, ['--force']],
])('a journal that was cut %s: it goes on, and the way back is there', (_name, spoil, flags) =>
  inWorld({ ...applySettings, backend: 'http' }, async (world) => {
    const before = stateNow(world);
    const journal = await killed(world, 'remove-after');
    spoil(join(world.lab.dir, journal));
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
