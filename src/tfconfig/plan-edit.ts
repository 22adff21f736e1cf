import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type ConfigBlock, type ConfigFile } from './config';
import { sha256, type ConfigSource, decodeConfig, fileDigest } from './config-source';
import { groupBy } from '../core/group-by';
import { applySplices, findRemovals, type Splice } from './remove-blocks';
import { renderDiff } from './unified-diff';
import { applyPatch } from 'diff/lib/patch/apply.js';
import { type HclGrammar } from './hcl-grammar';
import { parseConfig } from './parse-config';
import { proveEdit } from './prove-edit';

const encoder = new TextEncoder();

/** The files that method blocks creates: deleted when no block is left in them. */
const ownFile = /(?:^|\/)cf-waf-migrate(?:-\d+)?\.tf$/;

/**
 * The edit that takes blocks out of a file, and appends others; undefined when it would change
 * nothing.
 *
 * @param remove blocks of this very file, in any order
 * @param insert HCL to append; a `.tf.json` file takes none: write a new file beside it
 * @throws MigrationError `CONFIG_EDIT_REFUSED` where the plan could not tell the block from another
 */
export function planEdit(
  file: ConfigFile,
  remove: readonly ConfigBlock[],
  insert?: string,
): FileEdit | undefined {
  const splices = editSplices(file, remove, insert);
  if (splices.length === 0) return undefined;
  const gone = new Set(remove);
  const removals = file.blocks
    .filter((block) => gone.has(block))
    .map(({ address, range: { startLine, endLine } }) => ({ address, startLine, endLine }));
  locateBlocks(file, removals);
  const after = applySplices(file.text, splices);
  const isDeleted = after === '' && ownFile.test(file.path);
  return {
    file: file.path,
    sha256: file.sha256,
    remove: removals,
    ...(insert === undefined ? {} : { insert }),
    sha256After: isDeleted ? null : sha256(encoder.encode(after)),
    diff: renderDiff(file.path, file.text, splices, isDeleted ? 'after' : undefined),
  };
}

/** Whether bytes are what an edit leaves. */
export function isLeftBy({ sha256After }: FileEdit, bytes: Uint8Array): boolean {
  return sha256After === null ? bytes.length === 0 : sha256(bytes) === sha256After;
}

/** The edit that writes a file that does not exist yet. */
export function planNewFile(path: string, text: string): FileEdit {
  return {
    file: path,
    sha256: null,
    remove: [],
    insert: text,
    sha256After: sha256(encoder.encode(text)),
    diff: renderDiff(path, '', [{ start: 0, end: 0, text }], 'before'),
  };
}

/** All that an edit changes in a file, in order. */
export function editSplices(
  file: ConfigFile,
  remove: readonly ConfigBlock[],
  insert: string | undefined,
): readonly Splice[] {
  const removals = findRemovals(file, remove);
  if (insert === undefined || insert.trim() === '') return removals;
  if (file.syntax === 'json') {
    throw new MigrationError(
      'CONFIG_EDIT_REFUSED',
      `${printable(file.path)} is JSON: nothing can be appended to it`,
      { hint: 'write the blocks to a file of their own' },
    );
  }
  // what leaves at the end of the file makes room for what comes
  const last = removals.at(-1);
  const end = last?.end === file.text.length ? last.start : file.text.length;
  const others = end === file.text.length ? removals : removals.slice(0, -1);
  return [...others, appendText(file.text, end, insert)];
}

/** The line end that most lines of a text have; `\n` where there is none. */
function lineEndOf(text: string): string {
  const all = text.split('\n').length - 1;
  const windows = text.split('\r\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}

/**
 * Appends blocks to a `.tf` file, behind a blank line and with the line ends of the file.
 *
 * @param end where the text ends that stays; what is behind it is replaced
 */
export function appendText(text: string, end: number, blocks: string): Splice {
  const lineEnd = lineEndOf(text);
  const kept = text.slice(0, end);
  const isEmpty = kept.trim() === '';
  const gap = isEmpty ? '' : kept.endsWith('\n') ? lineEnd : lineEnd + lineEnd;
  const body = `${blocks.trimEnd()}\n`.replaceAll('\r\n', '\n').replaceAll('\n', lineEnd);
  return { start: end, end: text.length, text: gap + body };
}

/** A block that an edit removes. */
export interface Removal {
  /** As in `ConfigBlock.address`, or with the path of its module before it. */
  readonly address: string;
  /** Counted from 1. */
  readonly startLine: number;
  readonly endLine: number;
}

/** What changes in one file: a part of the plan, plain JSON (docs/editing.md). */
export interface FileEdit {
  /** Relative to the folder of the plan, its parts joined by `/`. */
  readonly file: string;
  /** Of the bytes that the edit was made for; null where there is no such file yet. */
  readonly sha256: string | null;
  readonly remove: readonly Removal[];
  /** Blocks that are appended, or the text of a new file. */
  readonly insert?: string;
  /** Of the bytes that the edit leaves: by it a finished edit is recognised. Null where it deletes the file. */
  readonly sha256After: string | null;
  /** That a second parser has read what the edit leaves as planned: for these two digests alone. */
  readonly proven?: true;
  /** For a person to read, and for `patch` to apply. */
  readonly diff: string;
}

/**
 * @param now sha256 of the file as it is; null where there is none
 * @throws MigrationError `CONFIG_CHANGED` when the file is not the one that the edit was planned for
 */
export function requireUnchanged(now: string | null, { file, sha256 }: FileEdit): void {
  if (now === sha256) return;
  const what = now === null ? 'is gone' : sha256 === null ? 'exists' : 'was changed';
  throw new MigrationError('CONFIG_CHANGED', `${printable(file)} ${what} since the plan was made`);
}

/**
 * The blocks of a file that an edit names.
 *
 * @throws MigrationError `CONFIG_EDIT_REFUSED` when one is not there, or two cannot be told apart
 * (JSON can hold several on one line)
 */
export function locateBlocks(file: ConfigFile, removals: readonly Removal[]): ConfigBlock[] {
  const places = groupBy(file.blocks, ({ address, range }) =>
    placeKey(address, range.startLine, range.endLine),
  );
  return removals.map(({ address, startLine, endLine }) => {
    const [block, another] = places.get(placeKey(localAddress(address), startLine, endLine)) ?? [];
    const what = `${printable(address)} in line ${startLine} of ${printable(file.path)}`;
    if (block === undefined) throw new MigrationError('CONFIG_EDIT_REFUSED', `there is no ${what}`);
    if (another !== undefined) {
      throw new MigrationError('CONFIG_EDIT_REFUSED', `there is more than one ${what}`);
    }
    return block;
  });
}

function placeKey(address: string, startLine: number, endLine: number): string {
  return `${startLine}-${endLine} ${address}`;
}

/** Without the path of the module; a module call has an address of that kind itself. */
export function localAddress(address: string): string {
  const parts = address.split('.');
  let module = 0;
  while (parts[module] === 'module' && parts.length - module > 2) module += 2;
  return parts.slice(module).join('.');
}

/**
 * One edit for each file, by whichever name, where several were planned for the file as it is now. What takes nothing out
 * comes first: a `removed` block beside the block that it is about has Terraform refuse to plan, until
 * the others follow; a block that is gone without one has it plan to destroy.
 *
 * @param files that the edits were planned for
 * @param placeOf where a file really is, whose name may be that of a link
 */
export function mergeEdits(
  edits: readonly FileEdit[],
  files: readonly ConfigFile[],
  placeOf: (file: string) => string,
): FileEdit[] {
  const merged = [...groupBy(edits, ({ file }) => placeOf(file)).values()].flatMap((same) => {
    const [first, ...others] = same;
    if (others.every(({ sha256After }) => sha256After === first.sha256After)) return first;
    const file = files.find(({ path, sha256 }) => path === first.file && sha256 === first.sha256);
    return (file && mergeFile(file, same)) ?? same;
  });
  return [
    ...merged.filter(({ remove }) => remove.length === 0),
    ...merged.filter(({ remove }) => remove.length > 0),
  ];
}

function mergeFile(file: ConfigFile, edits: readonly FileEdit[]): FileEdit | undefined {
  const blocks = new Set(edits.flatMap(({ remove }) => locateBlocks(file, remove)));
  const inserts = new Set(edits.flatMap(({ insert }) => insert ?? []));
  return planEdit(file, [...blocks], inserts.size === 0 ? undefined : [...inserts].join('\n'));
}

/**
 * The bytes of a file after an edit: computed anew from the file, compared with what was planned,
 * and proven by a second parser where that was not done for these very bytes when it was planned.
 * Writes nothing.
 *
 * @param source the file as it is now; undefined when there is none
 * @throws MigrationError `CONFIG_CHANGED` when the file is not the one that was planned for,
 * `CONFIG_EDIT_REFUSED` when the result is not exactly what was planned
 */
export async function applyEdit(
  source: ConfigSource | undefined,
  edit: FileEdit,
  grammar: HclGrammar,
): Promise<Uint8Array> {
  requireUnchanged(fileDigest(source?.bytes), edit);
  const text = source === undefined ? (edit.insert ?? '') : await editText(source, edit, grammar);
  const bytes = new TextEncoder().encode(text);
  if (!isLeftBy(edit, bytes)) {
    throw new MigrationError(
      'CONFIG_EDIT_REFUSED',
      `the edit of ${printable(edit.file)} does not give what was planned`,
      { hint: 'plan again, and leave the plan as it is' },
    );
  }
  return bytes;
}

async function editText(
  source: ConfigSource,
  edit: FileEdit,
  grammar: HclGrammar,
): Promise<string> {
  const file = parseConfig(source, grammar);
  // what is compared afterwards is what was proven: of the same bytes both parsers say the same
  if (edit.proven === true) return editedText(file, edit);
  return proveFileEdit(file, edit);
}

/**
 * Proves an edit by a second parser, and gives the text that it leaves.
 * @throws MigrationError `CONFIG_EDIT_REFUSED`
 */
export async function proveFileEdit(file: ConfigFile, edit: FileEdit): Promise<string> {
  const text = editedText(file, edit);
  await proveEdit(file, locateBlocks(file, edit.remove), edit.insert, text);
  return text;
}

function editedText(file: ConfigFile, { remove, insert }: FileEdit): string {
  return applySplices(file.text, editSplices(file, locateBlocks(file, remove), insert));
}

/**
 * The bytes of a file after an edit, without a parser: a new file is its text, and another one is made by
 * the diff, of the very bytes that the edit was proven for, if they come to the very bytes that it was
 * proven to leave. To compute them anew from `remove` would give the same, and takes a compiler of
 * WebAssembly.
 *
 * @param source the file as it is now; undefined when there is none
 * @returns undefined where that cannot be: the edit has no proof, the file is another one, the diff gives
 *   anything else
 */
export function provenBytes(
  source: ConfigSource | undefined,
  edit: FileEdit,
): Uint8Array | undefined {
  const text = source === undefined ? newText(edit) : patchedText(source, edit);
  const bytes = text === undefined ? undefined : new TextEncoder().encode(text);
  return bytes !== undefined && isLeftBy(edit, bytes) ? bytes : undefined;
}

function newText(edit: FileEdit): string | undefined {
  return edit.sha256 === null ? edit.insert : undefined;
}

function patchedText(source: ConfigSource, edit: FileEdit): string | undefined {
  if (edit.proven !== true || sha256(source.bytes) !== edit.sha256) return undefined;
  try {
    const after = applyPatch(decodeConfig(source), edit.diff, { autoConvertLineEndings: false });
    return after === false ? undefined : after;
  } catch {
    // no diff at all: what is wrong with the edit says who computes it
    return undefined;
  }
}
