import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type ConfigBlock, type ConfigFile } from './config-file';
import { sha256 } from './decode-config';
import { type FileEdit } from './file-edit';
import { appendText } from './insert-text';
import { locateBlocks } from './locate-blocks';
import { findRemovals } from './remove-blocks';
import { applySplices, type Splice } from './splice';
import { renderDiff } from './unified-diff';

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
