import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../tfconfig/config-source';
import { attempt, MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { writeStateBackup } from '../../files/write-backup';
import { backupFile, type Step } from '../../plan/plan';
import { type ApplyContext, stateOf, type StepExecutor } from '../apply-context';

/** `backup`: the state as it was pulled, for its owner alone, read back before anything follows. */
export const backupStep: StepExecutor = {
  isDone(step, { journal, folder }) {
    const entry = journal.entries.find((one) => one.event === 'backup' && one.state === step.state);
    return entry?.event === 'backup' && sha256OfFile(join(folder, entry.file)) === entry.sha256;
  },
  run(step, context) {
    const { planned, live } = stateOf(context, step);
    const digest = sha256(live.bytes);
    const taken = takenBefore(step, context, digest);
    context.fault('backup-before');
    // one that is not as it was written, of the state as it is now, is written once more
    const file = writeStateBackup(
      context.folder,
      taken ?? step.runs?.[0]?.saveTo ?? backupFile(planned, live.serial),
      live.bytes,
      { force: taken !== undefined },
    );
    context.fault('backup-written');
    const path = join(context.folder, file);
    if (sha256OfFile(path) !== digest) {
      throw new MigrationError(
        'FILE_UNWRITABLE',
        `the backup ${printable(path)} cannot be read back as it was written`,
      );
    }
    const { lineage, serial } = live;
    context.journal.append({
      event: 'backup',
      state: step.state,
      file,
      sha256: digest,
      lineage,
      serial,
    });
    context.fault('backup-after');
    return Promise.resolve();
  },
};

/**
 * The backup of this very state that was taken before.
 * @throws MigrationError `BACKUP_INVALID` where it was of another one: the way back would end in the middle
 */
function takenBefore(
  { state, id }: Step,
  { journal }: ApplyContext,
  now: string,
): string | undefined {
  const taken = journal.entries.find((one) => one.event === 'backup' && one.state === state);
  if (taken?.event !== 'backup') return undefined;
  if (taken.sha256 === now) return taken.file;
  throw new MigrationError(
    'BACKUP_INVALID',
    `the backup ${printable(taken.file)} of step ${id} is not as it was written, and the state was changed since`,
    {
      hint: 'put a copy of it back, and run the same command again; where there is none, plan again, which goes on from the state as it is, and gives up the way back to the one of before',
    },
  );
}

function sha256OfFile(path: string): string | undefined {
  return attempt(() => sha256(readFileSync(path)));
}
