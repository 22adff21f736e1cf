import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { proveEdit } from './prove-edit';
import { type ConfigFile } from './config-file';
import { type ConfigSource } from './config-source';
import { fileDigest } from './decode-config';
import { editSplices, isLeftBy } from './plan-edit';
import { type FileEdit } from './file-edit';
import { type HclGrammar } from './hcl-grammar';
import { locateBlocks } from './locate-blocks';
import { parseConfig } from './parse-config';
import { requireUnchanged } from './require-unchanged';
import { applySplices } from './splice';

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
