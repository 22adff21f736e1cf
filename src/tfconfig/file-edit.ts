import { applyPatch } from 'diff/lib/patch/apply.js';
import * as z from 'zod';
import { sha256 } from '../core/json';
import { groupBy } from '../core/lists';
import { attempt, MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { applySplices, type ConfigBlock, type ConfigFile } from './config';
import { type ConfigSource, fileDigest } from './config-source';
import { proveEdit } from './prove-edit';
import { parseConfig } from './read-project';
import { renderDiff } from './unified-diff';

const text = z.string();

export const fileEditSchema = z.strictObject({
  file: text,
  sha256: text.nullable().describe('of the file before the edit; null where there is none'),
  remove: z
    .array(z.strictObject({ address: text, startLine: z.int(), endLine: z.int() }))
    .readonly(),
  insert: text.exactOptional().describe('the text of a new file'),
  sha256After: text.describe('of the file after the edit, to recognise a finished edit'),
  diff: text,
});

/** What changes in one file: a part of the plan (docs/plan-format.md). */
export type FileEdit = Readonly<z.infer<typeof fileEditSchema>>;

/** A block that an edit removes. Its address may begin with the path of its module. */
export type Removal = FileEdit['remove'][number];

/** Whether method blocks creates files of this name. */
export function isBlocksFile(path: string): boolean {
  return /(?:^|\/)cf-waf-migrate(?:-\d+)?\.tf$/.test(path);
}

/**
 * Plans the edit that removes blocks from a file; undefined if there are none.
 *
 * @param remove blocks of this very file, in any order
 * @throws MigrationError `CONFIG_EDIT_REFUSED` if the plan cannot tell a block from another
 */
export function planEdit(file: ConfigFile, remove: readonly ConfigBlock[]): FileEdit | undefined {
  const removed = new Set(remove);
  const splices = file.cuts(removed);
  if (splices.length === 0) return undefined;
  const removals = file.blocks
    .filter((block) => removed.has(block))
    .map(({ address, range: { startLine, endLine } }) => ({ address, startLine, endLine }));
  locateBlocks(file, removals);
  const after = applySplices(file.text, splices);
  return {
    file: file.path,
    sha256: file.sha256,
    remove: removals,
    sha256After: sha256(after),
    diff: renderDiff(file.path, file.text, splices),
  };
}

/** Plans a new file. */
export function planNewFile(path: string, text: string): FileEdit {
  const diff = renderDiff(path, undefined, [{ start: 0, end: 0, text }]);
  return { file: path, sha256: null, remove: [], insert: text, sha256After: sha256(text), diff };
}

/**
 * The blocks of a file that an edit names.
 *
 * @throws MigrationError `CONFIG_EDIT_REFUSED` when one does not exist, or two cannot be told apart
 * (JSON can hold several on one line)
 */
function locateBlocks(file: ConfigFile, removals: readonly Removal[]): ConfigBlock[] {
  const places = groupBy(file.blocks, ({ address, range }) =>
    placeKey(address, range.startLine, range.endLine),
  );
  return removals.map(({ address, startLine, endLine }) => {
    const [block, another] = places.get(placeKey(localAddress(address), startLine, endLine)) ?? [];
    const what = `${printable(address)} in line ${startLine} of ${printable(file.path)}`;
    if (block === undefined) throw refused(`there is no ${what}`);
    if (another !== undefined) throw refused(`there is more than one ${what}`);
    return block;
  });
}

function placeKey(address: string, startLine: number, endLine: number): string {
  return `${startLine}-${endLine} ${address}`;
}

/** An address without the path of its module. The address of a module call looks like such a path. */
export function localAddress(address: string): string {
  const parts = address.split('.');
  let module = 0;
  while (parts[module] === 'module' && parts.length - module > 2) module += 2;
  return parts.slice(module).join('.');
}

function refused(message: string, hint?: string): MigrationError {
  return new MigrationError('CONFIG_EDIT_REFUSED', message, { hint });
}

/**
 * Merges edits that were planned for the same bytes of a file, under any of its names. New files come first: with a
 * `removed` block beside the block that it names, Terraform refuses to plan; with the block gone and no `removed` block,
 * it would plan to destroy.
 *
 * @param files that the edits were planned for
 * @param placeOf the real path of a file, whose name may be a link
 */
export function mergeEdits(
  edits: readonly FileEdit[],
  files: readonly ConfigFile[],
  placeOf: (file: string) => string,
): FileEdit[] {
  const merged = [...groupBy(edits, ({ file }) => placeOf(file)).values()].flatMap((same) => {
    const [first, ...others] = same;
    if (others.every(({ sha256After }) => sha256After === first.sha256After)) return first;
    const file = files.find(({ path, sha256: now }) => path === first.file && now === first.sha256);
    const removed = file && same.flatMap(({ remove }) => locateBlocks(file, remove));
    return (removed && planEdit(file, removed)) ?? same;
  });
  return [
    ...merged.filter(({ remove }) => remove.length === 0),
    ...merged.filter(({ remove }) => remove.length > 0),
  ];
}

/**
 * @param now sha256 of the present file; null if there is none
 * @throws MigrationError `CONFIG_CHANGED` if the file changed after the edit was planned
 */
export function requireUnchanged(now: string | null, { file, sha256: planned }: FileEdit): void {
  if (now === planned) return;
  const what = now === null ? 'is gone' : planned === null ? 'exists' : 'was changed';
  throw new MigrationError('CONFIG_CHANGED', `${printable(file)} ${what} since the plan was made`);
}

/**
 * Proves edits with a second parser, because the first one planned them.
 *
 * @param files that the edits were planned for
 * @throws MigrationError `CONFIG_EDIT_REFUSED`
 */
export async function proveEdits(
  edits: readonly FileEdit[],
  files: readonly ConfigFile[],
): Promise<void> {
  for (const edit of edits) {
    const file = files.find(({ path, sha256: now }) => path === edit.file && now === edit.sha256);
    // a new file replaces nothing
    if (file === undefined) continue;
    await proveEdit(file, locateBlocks(file, edit.remove), editedText(file, edit));
  }
}

/**
 * Returns the bytes of a file after an edit, exactly as planned; writes nothing.
 *
 * @param source the present file; undefined if there is none
 * @throws MigrationError `CONFIG_CHANGED` if the file changed after the edit was planned,
 * `CONFIG_EDIT_REFUSED` if the result differs from the planned one, `CONFIG_INVALID` if it is no configuration
 */
export async function applyEdit(
  source: ConfigSource | undefined,
  edit: FileEdit,
): Promise<Uint8Array> {
  requireUnchanged(fileDigest(source?.bytes), edit);
  const after = editedText(source && (await parseConfig(source)), edit);
  const bytes = new TextEncoder().encode(after);
  await parseConfig({ path: edit.file, bytes });
  return bytes;
}

/** The text of a file after an edit: its blocks, its diff and its digest have to agree, as the user saw the diff. */
function editedText(file: ConfigFile | undefined, edit: FileEdit): string {
  const { remove, insert, sha256After, diff } = edit;
  const after =
    file === undefined
      ? (insert ?? '')
      : applySplices(file.text, file.cuts(new Set(locateBlocks(file, remove))));
  const shown = attempt(() =>
    applyPatch(file?.text ?? '', diff, { autoConvertLineEndings: false }),
  );
  if (after === shown && sha256(after) === sha256After) return after;
  throw refused(
    `the edit of ${printable(edit.file)} does not give what was planned`,
    'plan again, and do not edit the plan',
  );
}
