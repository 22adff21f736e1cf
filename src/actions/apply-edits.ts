import { join } from 'node:path';
import { applyEdit } from '../blocks/apply-edit';
import { sha256 } from '../blocks/decode-config';
import { type FileEdit } from '../blocks/file-edit';
import { loadHclGrammar } from '../blocks/hcl-grammar';
import { inspectTarget } from './target-file';
import { writeFiles } from './write-files';

/**
 * Makes the edits of one step: each computed anew, compared with the plan, proven, and then all
 * written, whole or not at all. An edit that is made already is left alone.
 *
 * @param folder of the plan
 * @param afterEach called when one of the files is in place
 * @returns the files that were written
 * @throws MigrationError `CONFIG_CHANGED`, `CONFIG_EDIT_REFUSED`, `FILE_UNWRITABLE`
 */
export async function applyEdits(
  edits: readonly FileEdit[],
  folder: string,
  afterEach: () => void = () => undefined,
): Promise<string[]> {
  const grammar = await loadHclGrammar();
  const files: { path: string; text: string }[] = [];
  for (const edit of edits) {
    if (isMade(edit, folder)) continue;
    const path = join(folder, edit.file);
    const bytes = inspectTarget(path).present?.bytes;
    const after = await applyEdit(bytes && { path: edit.file, bytes }, edit, grammar);
    files.push({ path, text: Buffer.from(after).toString('utf8') });
  }
  writeFiles(files, { force: true, afterEach });
  return files.map(({ path }) => path);
}

/** Whether the file is as the edit leaves it. */
export function isMade({ file, sha256After }: FileEdit, folder: string): boolean {
  const bytes = inspectTarget(join(folder, file)).present?.bytes;
  return bytes !== undefined && sha256(bytes) === sha256After;
}
