import { applyPatch } from 'diff/lib/patch/apply.js';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type ConfigFile } from './config-file';
import { type ConfigSource, decodeConfig, fileDigest, sha256 } from './config-source';
import { type HclGrammar } from './hcl-grammar';
import { parseConfig } from './parse-config';
import { editSplices, type FileEdit, isLeftBy, locateBlocks, requireUnchanged } from './plan-edit';
import { proveEdit } from './prove-edit';
import { applySplices } from './remove-blocks';

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
