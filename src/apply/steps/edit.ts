import { join } from 'node:path';
import { fileDigest } from '../../tfconfig/config-source';
import { findBlocks } from '../../tfconfig/find-blocks';
import { localAddress, requireUnchanged } from '../../tfconfig/plan-edit';
import { withoutKeys } from '../../core/resource-address';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { placeOf } from '../../plan/edit-configuration';
import { type PlanState, type Step } from '../../plan/plan';
import { applyEdits } from '../apply-edits';
import { fileCopyPath } from '../journal/journal';
import { placesOf, readConfiguration } from '../../project/read-configuration';
import { openEdits } from '../preflight/open-edits';
import { inspectTarget, writeFiles } from '../../files/write-files';
import { type ApplyContext, stateOf, type StepExecutor } from '../apply-context';

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

/**
 * A block whose resource a state still holds is not taken out: the next apply would destroy it, which
 * re-arms the defaults. Where blocks let it go, the same edit leaves its `removed` block.
 * @throws MigrationError `CONFIG_EDIT_REFUSED`
 */
export async function refuseHeld(step: Step, context: ApplyContext): Promise<void> {
  for (const state of step.states ?? [step.state]) {
    const { planned, live } = stateOf(context, { state });
    if (planned.method === 'blocks') continue;
    const held = await takenOut(step, planned, context.folder, live.addresses);
    if (held === undefined) continue;
    throw new MigrationError(
      'CONFIG_EDIT_REFUSED',
      `state ${printable(state, 80)} still holds ${printable(held, 200)}: without its block, the next apply would destroy it`,
      { hint: 'run the steps before this one first: `apply` without --only' },
    );
  }
}

/** The first of the addresses whose block the step takes out; an edit names it as its own file does. */
async function takenOut(
  { edits = [] }: Step,
  { dir }: PlanState,
  folder: string,
  addresses: ReadonlySet<string>,
): Promise<string | undefined> {
  const local = new Set(
    edits.flatMap(({ remove }) => remove.map((one) => localAddress(one.address))),
  );
  const alike = [...new Set([...addresses].map(withoutKeys))].filter((one) =>
    local.has(localAddress(one)),
  );
  // read where it matters alone: mostly all of them have left
  const configuration = alike.length === 0 ? undefined : await readConfiguration(dir, folder);
  if (configuration === undefined) return undefined;
  // an edit may name a file by the link of another state's folder, which this configuration does not know
  const places = await placesOf(
    edits.map(({ file }) => file),
    folder,
  );
  const nameOf = (place: string | undefined, address: string): string =>
    `${place} ${localAddress(address)}`;
  const leaving = new Set(
    edits.flatMap(({ file, remove }) =>
      remove.map(({ address }) => nameOf(places.get(file), address)),
    ),
  );
  // the module of another zone, which stays, may have a block of the same name
  return alike.find((address) =>
    findBlocks(configuration.project, address).some(({ file }) =>
      leaving.has(nameOf(placeOf(configuration, file.path), address)),
    ),
  );
}
