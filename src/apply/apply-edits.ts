import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdit, provenBytes, type FileEdit } from '../tfconfig/plan-edit';
import { type ConfigSource, fileDigest } from '../tfconfig/config-source';
import { loadHclGrammar } from '../tfconfig/hcl-grammar';
import { inspectTarget, writeFiles } from '../files/write-files';

/**
 * Makes the edits of one step: each has to leave what was planned and proven, and then all are written,
 * whole or not at all; files that an edit deletes come last. An edit that is made already is left alone.
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
    const after = provenBytes(source, edit) ?? (await computed(source, edit));
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

/** What the diff does not give is computed anew, and proven, or refused with what is wrong with it. */
async function computed(source: ConfigSource | undefined, edit: FileEdit): Promise<Uint8Array> {
  return applyEdit(source, edit, await loadHclGrammar());
}

/** Whether the file is as the edit leaves it. */
export function isMade({ file, sha256After }: FileEdit, folder: string): boolean {
  return fileDigest(inspectTarget(join(folder, file)).present?.bytes) === sha256After;
}
