import { join } from 'node:path';
import { sha256 } from '../../../blocks/decode-config';
import { applyEdits, isMade } from '../../apply-edits';
import { inspectTarget } from '../../target-file';
import { writeFiles } from '../../write-files';
import { type StepExecutor } from '../step-executor';

/** `edit`: each file is saved as it is, byte for byte, before any of them is changed. */
export const editStep: StepExecutor = {
  isDone: ({ edits = [] }, { folder }) => edits.every((edit) => isMade(edit, folder)),
  async run({ edits = [] }, context) {
    const { folder, journal, fault } = context;
    fault('edit-before');
    for (const { file, sha256: before, sha256After } of edits) {
      const known = journal.entries.some(
        (one) => one.event === 'file' && one.file === file && one.sha256 === before,
      );
      if (known) continue;
      const bytes = inspectTarget(join(folder, file)).present?.bytes;
      const backup = bytes === undefined ? null : `cf-waf-migrate-backup/files/${sha256(bytes)}`;
      if (bytes !== undefined && backup !== null) {
        writeFiles([{ path: join(folder, backup), text: bytes.toString('utf8') }], {
          force: false,
          mode: 0o600,
        });
      }
      journal.append({ event: 'file', file, sha256: before, sha256After, backup });
    }
    fault('edit-backed-up');
    await applyEdits(edits, folder);
    fault('edit-after');
  },
};
