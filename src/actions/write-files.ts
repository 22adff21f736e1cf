import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { types } from 'node:util';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';

/** A file to write, whole or not at all. */
export interface FileToWrite {
  /** Absolute, or relative to the working directory. */
  readonly path: string;
  readonly text: string;
}

/** How to write. */
export interface WriteOptions {
  /** Overwrite files that differ. */
  readonly force: boolean;
  /** Permissions of new files; 0600 for anything that holds a state. */
  readonly mode?: number;
}

/**
 * Writes files whole or not at all: a file that is the same is left alone, one that differs is only
 * overwritten with `force`, and none is written when one cannot be.
 *
 * @throws MigrationError `FILE_EXISTS`, `FILE_UNWRITABLE`
 */
export async function writeFiles(
  files: readonly FileToWrite[],
  options: WriteOptions,
): Promise<void> {
  const changed: FileToWrite[] = [];
  for (const file of files) {
    const present = await readIfThere(file.path);
    if (present === file.text) continue;
    if (present !== undefined && !options.force) {
      throw new MigrationError('FILE_EXISTS', `${printable(file.path)} exists and differs`);
    }
    changed.push(file);
  }
  const parts: string[] = [];
  const created: string[] = [];
  try {
    for (const { path, text } of changed) {
      const folder = await mkdir(dirname(path), { recursive: true });
      if (folder !== undefined) created.push(folder);
      const part = `${path}.part`;
      parts.push(part);
      await writeFile(part, text, { flag: 'w', mode: options.mode ?? 0o666, flush: true });
    }
    for (const { path } of changed) await rename(`${path}.part`, path);
  } catch (cause) {
    for (const part of parts) await rm(part, { force: true });
    for (const folder of created) await rm(folder, { recursive: true, force: true });
    throw new MigrationError(
      'FILE_UNWRITABLE',
      `cannot write ${files.map(({ path }) => printable(path)).join(', ')}`,
      {
        cause,
      },
    );
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw new MigrationError('FILE_UNWRITABLE', `cannot write ${printable(path)}`, { cause });
  }
}

function isMissing(error: unknown): boolean {
  return (
    types.isNativeError(error) &&
    'code' in error &&
    (error.code === 'ENOENT' || error.code === 'ENOTDIR')
  );
}
