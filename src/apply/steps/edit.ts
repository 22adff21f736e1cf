import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { withoutKeys } from '../../core/resource-address';
import { inspectTarget, writeFiles } from '../../files/write-files';
import { placeOf } from '../../plan/edit-configuration';
import { folderOfFile } from '../../plan/paths';
import { type Plan, type PlanState, type Step } from '../../plan/plan';
import { placesOf, requireConfiguration } from '../../project/read-configuration';
import { type ConfigFile } from '../../tfconfig/config';
import { fileDigest } from '../../tfconfig/config-source';
import { findBlocks } from '../../tfconfig/find-blocks';
import { parseConfig } from '../../tfconfig/read-project';
import { applyEdit, type FileEdit, localAddress, requireUnchanged } from '../../tfconfig/plan-edit';
import { type ApplyContext, stateOf, type StepExecutor } from '../apply-context';
import { fileCopyPath, type Journal, sinceRollback } from '../journal/journal';

/** `edit`: each file is saved as it is, byte for byte, before any of them is changed. */
export const editStep: StepExecutor = {
  isDone: async (step, context) => (await openEdits(step, context)).length === 0,
  async run(step, context) {
    const edits = await openEdits(step, context);
    const { folder, journal, fault } = context;
    await requireNotHeld(step, context);
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
 * A block whose resource is still in a state is not removed: the next apply would destroy the resource, which
 * restores the defaults. With method blocks, the same edit writes its `removed` block.
 * @throws MigrationError `CONFIG_EDIT_REFUSED`
 */
export async function requireNotHeld(step: Step, context: ApplyContext): Promise<void> {
  for (const state of step.states ?? [step.state]) {
    const { planned, live } = stateOf(context, { state });
    if (planned.method === 'blocks') continue;
    const held = await heldBlock(step, planned, context.folder, live.addresses);
    if (held === undefined) continue;
    throw new MigrationError(
      'CONFIG_EDIT_REFUSED',
      `state ${printable(state, 80)} still has ${printable(held, 200)}: without its block, the next apply would destroy it`,
      { hint: 'run the steps before this one first: `apply` without --only' },
    );
  }
}

/** The first of the addresses whose block the step removes; an edit names it as its own file does. */
async function heldBlock(
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
  // read only if needed: mostly all of them are removed from the state
  const configuration = alike.length === 0 ? undefined : await requireConfiguration(dir, folder);
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

interface Place {
  readonly folder: string;
  readonly journal: Pick<Journal, 'entries'>;
}

/**
 * The edits of a step that are still to be made. Where a file was saved for its edit, the user may have
 * changed it since, as the constraint of a provider that is upgraded: then an edit is made as long as nothing
 * that it took out is there, and all that it wrote.
 * @throws MigrationError `CONFIG_INVALID` where a file that was changed cannot be read
 */
export async function openEdits(
  { id, edits = [] }: Step,
  { folder, journal }: Place,
): Promise<FileEdit[]> {
  const since = sinceRollback(journal.entries);
  const isBegun = since.some((one) => one.event === 'start' && one.step === id);
  const open: FileEdit[] = [];
  for (const edit of edits) {
    const isKnown = journal.entries.some(
      (one) => one.event === 'file' && one.file === edit.file && one.sha256 === edit.sha256,
    );
    const mayBeMade = isBegun && isKnown;
    if (isMade(edit, folder) || (mayBeMade && (await leavesItsBlocks(edit, folder)))) continue;
    open.push(edit);
  }
  return open;
}

/**
 * Checks that the edits of steps that are still to be made can be made, one after the other.
 * @throws MigrationError `CONFIG_CHANGED` where a file is not the one that was planned for, `PLAN_INVALID` where
 *   it is of another folder than those of the configuration
 */
export async function requirePlannedFiles(
  steps: readonly Step[],
  place: Place & { readonly plan: Pick<Plan, 'states'> },
): Promise<void> {
  const left = new Map<string, string | null>();
  for (const step of steps) {
    for (const edit of await openEdits(step, place)) {
      const bytes = inspectTarget(join(place.folder, edit.file)).present?.bytes;
      const now = fileDigest(bytes);
      requireUnchanged(left.get(edit.file) ?? now, edit);
      left.set(edit.file, edit.sha256After);
    }
  }
  await requireOwnFiles([...left.keys()], place.plan, place.folder);
}

/** Whether a file has the blocks that an edit leaves, whatever else was changed. */
export async function leavesItsBlocks(
  { file, remove, insert = '' }: FileEdit,
  folder: string,
): Promise<boolean> {
  const bytes = inspectTarget(join(folder, file)).present?.bytes;
  if (bytes === undefined) return insert === '';
  const now = await parseConfig({ path: file, bytes });
  const left = new Set(now.blocks.map(({ address }) => address));
  const names = new Set(namesOf(now));
  const written = insert === '' ? [] : namesOf(now.withText(insert));
  return (
    remove.every(({ address }) => !left.has(localAddress(address))) &&
    written.every((name) => names.has(name))
  );
}

/** What has no label, as `import`, is known by its text. */
function namesOf({ blocks, text }: ConfigFile): string[] {
  return blocks.map(({ labels, address, range }) =>
    labels.length > 0 ? address : text.slice(range.start, range.end),
  );
}

/**
 * Checks that the files of edits belong to the configuration: in the folder of a state, or in that of a module
 * that it calls. Modules lie anywhere beside it, so that only its files tell where.
 * @param files of a plan, which is that of the states
 * @throws MigrationError `PLAN_INVALID`, `CONFIG_INVALID`
 */
async function requireOwnFiles(
  files: readonly string[],
  { states }: Pick<Plan, 'states'>,
  folder: string,
): Promise<void> {
  const known = new Set(states.map(({ dir }) => dir));
  const others = files.filter((file) => !known.has(folderOfFile(file)));
  if (others.length === 0) return;
  // most plans edit no module: what reads one takes a while to load
  for (const { dir } of states) {
    const configuration = await requireConfiguration(dir, folder);
    for (const module of configuration?.project.modules.keys() ?? []) known.add(module);
  }
  const foreign = others.find((file) => !known.has(folderOfFile(file)));
  if (foreign === undefined) return;
  throw new MigrationError(
    'PLAN_INVALID',
    `the plan edits ${printable(foreign, 200)}, which is in no module of its configurations`,
  );
}

/**
 * Makes the edits of one step: each has to leave what was planned and proven, and then all are written,
 * whole or not at all; files that an edit deletes come last. An edit that is made already is skipped.
 *
 * @param folder of the plan
 * @param afterEach called when one of the files is in place
 * @returns the edits that were made
 * @throws MigrationError `CONFIG_CHANGED`, `CONFIG_EDIT_REFUSED`, `FILE_UNWRITABLE`
 */
export async function applyEdits(
  edits: readonly FileEdit[],
  folder: string,
  afterEach: () => void = () => undefined,
): Promise<FileEdit[]> {
  const files: { path: string; text: string }[] = [];
  const made = edits.filter((edit) => !isMade(edit, folder));
  for (const edit of made) {
    const path = join(folder, edit.file);
    const bytes = inspectTarget(path).present?.bytes;
    const source = bytes && { path: edit.file, bytes };
    const after = await applyEdit(source, edit);
    if (edit.sha256After !== null) {
      files.push({ path, text: Buffer.from(after).toString('utf8') });
    }
  }
  writeFiles(files, { force: true, afterEach });
  for (const { file, sha256After } of made) {
    if (sha256After !== null) continue;
    rmSync(join(folder, file));
    afterEach();
  }
  return made;
}

/** Whether the file is as the edit leaves it. */
export function isMade({ file, sha256After }: FileEdit, folder: string): boolean {
  return fileDigest(inspectTarget(join(folder, file)).present?.bytes) === sha256After;
}
