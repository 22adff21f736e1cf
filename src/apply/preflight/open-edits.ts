import { join } from 'node:path';
import { type ConfigFile } from '../../tfconfig/config';
import { fileDigest } from '../../tfconfig/config-source';
import { loadHclGrammar } from '../../tfconfig/hcl-grammar';
import { parseConfig } from '../../tfconfig/parse-config';
import { type FileEdit, localAddress, requireUnchanged } from '../../tfconfig/plan-edit';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { folderOfFile, type Plan, type Step } from '../../plan/plan';
import { isMade } from '../apply-edits';
import { type Journal, sinceRollback } from '../journal/journal';
import { readConfiguration } from '../../project/read-configuration';
import { inspectTarget } from '../../files/write-files';

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
  const grammar = await loadHclGrammar();
  const parse = (text: Uint8Array): ConfigFile => parseConfig({ path: file, bytes: text }, grammar);
  const now = parse(bytes);
  const left = new Set(now.blocks.map(({ address }) => address));
  const names = new Set(namesOf(now));
  const written = insert === '' ? [] : namesOf(parse(new TextEncoder().encode(insert)));
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
 * Checks that files which are to be edited are of the configuration: in the folder of a state, or in that of a module
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
    const configuration = await readConfiguration(dir, folder);
    for (const module of configuration?.project.modules.keys() ?? []) known.add(module);
  }
  const foreign = others.find((file) => !known.has(folderOfFile(file)));
  if (foreign === undefined) return;
  throw new MigrationError(
    'PLAN_INVALID',
    `the plan edits ${printable(foreign, 200)}, which is of no module of its configurations`,
  );
}
