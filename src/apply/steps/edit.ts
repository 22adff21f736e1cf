import { join, posix } from 'node:path';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { deleteParts, inspectTarget, type TargetFile, writeFiles } from '../../files/write-files';
import { type Plan, type Step } from '../../plan/plan-schema';
import { requireConfiguration } from '../../project/read-configuration';
import { type ConfigFile, textOfBlock } from '../../tfconfig/config';
import { configSyntax, fileDigest } from '../../tfconfig/config-source';
import { parseConfig } from '../../tfconfig/read-project';
import { applyEdit, type FileEdit, localAddress, requireUnchanged } from '../../tfconfig/file-edit';
import { type ApplyContext, type StepExecutor, type StepPlace, type Undo } from '../apply-context';
import { fileCopyPath, isStarted, type Journal } from '../journal/journal';
import { requireRemovedFromState, requirePlannedText } from './refuse-edits';

/** `edit`: saves a copy of each file before it changes any of them. */
export const editStep: StepExecutor = {
  isDone: async (context) => (await openEdits(context.step, context)).length === 0,
  async run(context) {
    const { step, folder, fault } = context;
    const edits = await openEdits(step, context);
    await requireRemovedFromState(step, context);
    fault('edit-before');
    for (const edit of edits) saveOriginal(edit, context);
    await applyEdits(edits, folder, () => {
      fault('edit-renamed');
    });
    fault('edit-after');
  },
  undo: undoEdit,
};

/** Checks files that the rollback did not restore: others edited them, or the journal lost lines. */
async function undoEdit({ step, folder }: StepPlace): Promise<Undo | undefined> {
  const left: FileEdit[] = [];
  for (const edit of step.edits ?? []) if (await isLeft(edit, folder)) left.push(edit);
  if (left.length === 0) return undefined;
  const created = fileNames(left.filter(({ sha256 }) => sha256 === null));
  const edited = fileNames(left.filter(({ sha256 }) => sha256 !== null));
  const ways = [
    created &&
      `delete ${created}, which the plan creates: the state is as before the plan, and the journal does not record this edit`,
    edited &&
      `restore the blocks that the plan edits in ${edited}, unless another file has them: the state has their resources again, and the journal does not record these edits`,
  ];
  const places = Object.fromEntries(
    left.flatMap(({ file, remove }) => remove.map(({ address }) => [address, file] as const)),
  );
  const addresses = Object.keys(places);
  const undo = ways.filter(Boolean).join('; ');
  return { undo, addresses, ...(addresses.length > 0 && { places }) };
}

async function isLeft(edit: FileEdit, folder: string): Promise<boolean> {
  const now = fileDigest(inspectTarget(join(folder, edit.file)).present?.bytes);
  if (now === edit.sha256) return false;
  // the user must check a configuration that cannot be read
  return leavesItsBlocks(edit, folder).catch(() => true);
}

const fileNames = (edits: readonly FileEdit[]): string => edits.map(({ file }) => file).join(', ');

/** Copies a file before its edit, and notes the copy in the journal. */
function saveOriginal(edit: FileEdit, { folder, journal, fault }: ApplyContext): void {
  const { file, sha256, sha256After } = edit;
  const path = join(folder, file);
  deleteParts(path);
  const bytes = inspectTarget(path).present?.bytes;
  requireUnchanged(fileDigest(bytes), edit);
  const backup = sha256 === null ? null : fileCopyPath(sha256);
  if (bytes !== undefined && backup !== null) {
    // the name is the digest, so overwriting can only repair a damaged copy
    writeFiles([{ path: join(folder, backup), text: bytes }], { force: true, mode: 0o600 });
    fault('edit-copied');
  }
  if (isNoted(edit, journal)) return;
  journal.append({ event: 'file', file, sha256, sha256After, backup });
  fault('edit-backed-up');
}

function isNoted({ file, sha256 }: FileEdit, { entries }: Pick<Journal, 'entries'>): boolean {
  return entries.some((one) => one.event === 'file' && one.file === file && one.sha256 === sha256);
}

interface Place {
  readonly folder: string;
  readonly journal: Pick<Journal, 'entries'>;
}

/**
 * Returns the edits of a step that are not made yet. The user may change a file after its edit, such as the
 * constraint of an upgraded provider. Then the edit counts as made if its removed blocks are gone and its added
 * blocks are present.
 * @throws MigrationError `CONFIG_INVALID` if a changed file cannot be read
 */
export async function openEdits(
  { id, edits = [] }: Step,
  { folder, journal }: Place,
): Promise<FileEdit[]> {
  const isBegun = isStarted(id, journal);
  const open: FileEdit[] = [];
  for (const edit of edits) {
    const mayBeMade = isBegun && isNoted(edit, journal);
    if (isMade(edit, folder) || (mayBeMade && (await leavesItsBlocks(edit, folder)))) continue;
    open.push(edit);
  }
  return open;
}

/**
 * Checks that the open edits of steps can be made one after the other.
 * @throws MigrationError `CONFIG_CHANGED` if a file differs from the planned one, `PLAN_INVALID` if it is not
 *   in a folder of the configuration, or receives what `plan` does not write
 */
export async function requirePlannedFiles(
  steps: readonly Step[],
  place: Place & { readonly plan: Pick<Plan, 'states' | 'zones'> },
): Promise<void> {
  const left = new Map<string, string>();
  for (const step of steps) {
    for (const edit of await openEdits(step, place)) {
      const { present } = inspectEdited(edit.file, place.folder);
      requireUnchanged(left.get(edit.file) ?? fileDigest(present?.bytes), edit);
      await requirePlannedText(edit, place.plan);
      left.set(edit.file, edit.sha256After);
    }
  }
  await requireKnownFolders([...left.keys()], place.plan, place.folder);
}

/**
 * Inspects a file that a plan edits: a link in a pull request could lead to any file of this user.
 * @throws MigrationError `PLAN_INVALID` if it is a link to another kind of file, `FILE_UNWRITABLE`
 */
export function inspectEdited(file: string, folder: string): TargetFile {
  const target = inspectTarget(join(folder, file));
  if (configSyntax(target.path) !== undefined) return target;
  const message = `the plan edits ${printable(file, 200)}, which is a link to ${printable(target.path, 200)}`;
  throw new MigrationError('PLAN_INVALID', message, {
    hint: 'find out who made the link, put the file in its place, then run the same command again',
  });
}

/** Whether a file has the blocks that an edit leaves, ignoring other changes. */
async function leavesItsBlocks(
  { file, remove, insert = '' }: FileEdit,
  folder: string,
): Promise<boolean> {
  const bytes = inspectTarget(join(folder, file)).present?.bytes;
  if (bytes === undefined) return insert === '';
  const now = await parseConfig({ path: file, bytes });
  const left = new Set(now.blocks.map(({ address }) => address));
  if (remove.some(({ address }) => left.has(localAddress(address)))) return false;
  // an empty text is no JSON document
  if (insert === '') return true;
  const names = new Set(namesOf(now));
  const written = await parseConfig({ path: file, bytes: Buffer.from(insert) });
  return namesOf(written).every((name) => names.has(name));
}

/** Identifies blocks without a label, such as `import`, by their text. */
function namesOf(file: ConfigFile): string[] {
  return file.blocks.map((block) =>
    block.labels.length > 0 ? block.address : textOfBlock(file, block),
  );
}

/**
 * Checks that edited files are in the folder of a state or of a module that it calls. Modules can be anywhere,
 * so only the configuration names them.
 * @param files relative to the folder of the plan
 * @throws MigrationError `PLAN_INVALID`, `CONFIG_INVALID`
 */
async function requireKnownFolders(
  files: readonly string[],
  { states }: Pick<Plan, 'states'>,
  folder: string,
): Promise<void> {
  const known = new Set(states.map(({ dir }) => dir));
  const others = files.filter((file) => !known.has(posix.dirname(file)));
  if (others.length === 0) return;
  // most plans edit no module, and reading the configuration is slow
  for (const { dir } of states) {
    const configuration = await requireConfiguration(dir, folder);
    for (const module of configuration?.project.modules.keys() ?? []) known.add(module);
  }
  const foreign = others.find((file) => !known.has(posix.dirname(file)));
  if (foreign === undefined) return;
  throw new MigrationError(
    'PLAN_INVALID',
    `the plan edits ${printable(foreign, 200)}, which is in no module of its configurations`,
  );
}

/**
 * Makes the edits of one step. Checks the result of each edit, then writes all files or none. Skips edits that are
 * already made.
 * @returns the edits that were made
 * @throws MigrationError `CONFIG_CHANGED`, `CONFIG_EDIT_REFUSED`, `FILE_UNWRITABLE`
 */
export async function applyEdits(
  edits: readonly FileEdit[],
  folder: string,
  afterEach: () => void = () => undefined,
): Promise<FileEdit[]> {
  const files: { path: string; text: Uint8Array }[] = [];
  const made = edits.filter((edit) => !isMade(edit, folder));
  for (const edit of made) {
    const path = join(folder, edit.file);
    const bytes = inspectTarget(path).present?.bytes;
    const source = bytes && { path: edit.file, bytes };
    files.push({ path, text: await applyEdit(source, edit) });
  }
  writeFiles(files, { force: true, afterEach });
  return made;
}

export function isEdited({ steps }: Pick<Plan, 'steps'>, folder: string): boolean {
  const edits = steps.flatMap(({ edits = [] }) => edits);
  return edits.length > 0 && edits.every((edit) => isMade(edit, folder));
}

function isMade({ file, sha256After }: FileEdit, folder: string): boolean {
  return fileDigest(inspectTarget(join(folder, file)).present?.bytes) === sha256After;
}
