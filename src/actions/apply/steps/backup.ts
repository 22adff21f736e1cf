import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../blocks/decode-config';
import { MigrationError } from '../../../model/migration-error';
import { printable } from '../../../model/printable';
import { writeFiles } from '../../write-files';
import { stateOf } from '../apply-context';
import { type StepExecutor } from '../step-executor';

/** `backup`: the state as it was pulled, for its owner alone, read back before anything follows. */
export const backupStep: StepExecutor = {
  isDone(step, { journal, folder }) {
    const entry = journal.entries.find((one) => one.event === 'backup' && one.state === step.state);
    return entry?.event === 'backup' && sha256OfFile(join(folder, entry.file)) === entry.sha256;
  },
  run(step, context) {
    const { live } = stateOf(context, step);
    const file = step.runs?.[0]?.saveTo ?? `cf-waf-migrate-backup/${step.id}.tfstate`;
    const path = join(context.folder, file);
    context.fault('backup-before');
    writeFiles([{ path, text: live.bytes.toString('utf8') }], { force: false, mode: 0o600 });
    context.fault('backup-written');
    const digest = sha256(live.bytes);
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

function sha256OfFile(path: string): string | undefined {
  try {
    return sha256(readFileSync(path));
  } catch {
    return undefined;
  }
}
