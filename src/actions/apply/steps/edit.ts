import { join } from 'node:path';
import { withoutKeys } from '../../../blocks/resource-address';
import { isOldWafAddress } from '../../../state/is-old-waf-address';
import { sha256 } from '../../../blocks/decode-config';
import { requireUnchanged } from '../../../blocks/require-unchanged';
import { applyEdits } from '../../apply-edits';
import { inspectTarget } from '../../target-file';
import { writeFiles } from '../../write-files';
import { MigrationError } from '../../../model/migration-error';
import { printable } from '../../../model/printable';
import { type Step } from '../../../plan/plan';
import { type ApplyContext, stateOf } from '../apply-context';
import { fileCopyPath } from '../../journal/journal-path';
import { openEdits } from '../../preflight/open-edits';
import { type StepExecutor } from '../step-executor';

/** `edit`: each file is saved as it is, byte for byte, before any of them is changed. */
export const editStep: StepExecutor = {
  isDone: async (step, context) => (await openEdits(step, context)).length === 0,
  async run(step, context) {
    const edits = await openEdits(step, context);
    const { folder, journal, fault } = context;
    refuseHeld(step, context);
    fault('edit-before');
    for (const edit of edits) {
      const { file, sha256: before, sha256After } = edit;
      const bytes = inspectTarget(join(folder, file)).present?.bytes;
      const now = bytes === undefined ? null : sha256(bytes);
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

/**
 * A block whose resource a state still holds is not taken out: the next apply would destroy it, which
 * re-arms the defaults. Where blocks let it go, the same edit leaves its `removed` block.
 * @throws MigrationError `CONFIG_EDIT_REFUSED`
 */
export function refuseHeld(step: Step, context: ApplyContext): void {
  const removed = (step.edits ?? []).flatMap(({ remove }) => remove.map(({ address }) => address));
  const isOf = (address: string): boolean => isOldWafAddress(withoutKeys(address));
  for (const state of step.states ?? [step.state]) {
    const { planned, live } = stateOf(context, { state });
    if (planned.method === 'blocks') continue;
    const held = [...live.addresses].filter(isOf).map(withoutKeys);
    const one = removed.find((address) =>
      held.some((other) => other === address || other.endsWith(`.${address}`)),
    );
    if (one === undefined) continue;
    const place = `state ${printable(state, 80)}`;
    throw new MigrationError(
      'CONFIG_EDIT_REFUSED',
      `${place} still holds ${printable(one, 200)}: without its block, the next apply would destroy it`,
      { hint: 'run the steps before this one first: `apply` without --only' },
    );
  }
}
