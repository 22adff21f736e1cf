import { join } from 'node:path';
import { fileDigest } from '../../../blocks/config-source';
import { requireUnchanged } from '../../../blocks/plan-edit';
import { applyEdits } from '../../apply-edits';
import { inspectTarget } from '../../target-file';
import { writeFiles } from '../../write-files';
import { fileCopyPath } from '../../journal/journal';
import { openEdits } from '../../preflight/open-edits';
import { refuseHeld } from '../refuse-held';
import { type StepExecutor } from '../step-executor';

/** `edit`: each file is saved as it is, byte for byte, before any of them is changed. */
export const editStep: StepExecutor = {
  isDone: async (step, context) => (await openEdits(step, context)).length === 0,
  async run(step, context) {
    const edits = await openEdits(step, context);
    const { folder, journal, fault } = context;
    await refuseHeld(step, context);
    fault('edit-before');
    for (const edit of edits) {
      const { file, sha256: before, sha256After } = edit;
      const bytes = inspectTarget(join(folder, file)).present?.bytes;
      const now = fileDigest(bytes);
      requireUnchanged(now, edit);
      const backup = now === null ? null : fileCopyPath(now);
      if (bytes !== undefined && backup !== null) {
        writeFiles([{ path: join(folder, backup), text: bytes }], {
          // by its name no other bytes belong there: one that was damaged, or taken away, is written anew
          force: true,
          mode: 0o600,
        });
        fault('edit-copied');
      }
      const isKnown = journal.entries.some(
        (one) => one.event === 'file' && one.file === file && one.sha256 === before,
      );
      if (isKnown) continue;
      journal.append({ event: 'file', file, sha256: before, sha256After, backup });
      fault('edit-backed-up');
    }
    await applyEdits(edits, folder, () => {
      fault('edit-renamed');
    });
    fault('edit-after');
  },
};
