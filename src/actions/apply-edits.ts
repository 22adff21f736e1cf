import { join } from 'node:path';
import { type ConfigSource } from '../blocks/config-source';
import { sha256 } from '../blocks/decode-config';
import { type FileEdit } from '../blocks/file-edit';
import { provenBytes } from '../blocks/proven-bytes';
import { inspectTarget } from './target-file';
import { writeFiles } from './write-files';

/**
 * Makes the edits of one step: each has to leave what was planned and proven, and then all are written,
 * whole or not at all. An edit that is made already is left alone.
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
  const files: { path: string; text: string }[] = [];
  for (const edit of edits) {
    if (isMade(edit, folder)) continue;
    const path = join(folder, edit.file);
    const bytes = inspectTarget(path).present?.bytes;
    const source = bytes && { path: edit.file, bytes };
    const after = provenBytes(source, edit) ?? (await computed(source, edit));
    files.push({ path, text: Buffer.from(after).toString('utf8') });
  }
  writeFiles(files, { force: true, afterEach });
  return files.map(({ path }) => path);
}

/** What the diff does not give is computed anew, and proven, or refused with what is wrong with it. */
async function computed(source: ConfigSource | undefined, edit: FileEdit): Promise<Uint8Array> {
  const { applyEdit } = await import('../blocks/apply-edit');
  const { loadHclGrammar } = await import('../blocks/hcl-grammar');
  return applyEdit(source, edit, await loadHclGrammar());
}

/** Whether the file is as the edit leaves it. */
export function isMade({ file, sha256After }: FileEdit, folder: string): boolean {
  const bytes = inspectTarget(join(folder, file)).present?.bytes;
  return bytes !== undefined && sha256(bytes) === sha256After;
}
