import { join } from 'node:path';
import { MigrationError } from '../model/migration-error';
import { writeFiles } from './write-files';

const MAX_BACKUPS = 1000;

/**
 * Saves what is about to be lost, for its owner alone (0600), and never over an earlier backup: one
 * that is the same is taken as it is, else the next free number is.
 *
 * @returns the path of the file
 * @throws MigrationError `FILE_UNWRITABLE`, `FILE_EXISTS` when no number is free
 */
export function writeBackup(folder: string, name: string, document: unknown): string {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${name}${number === 1 ? '' : `-${number}`}.json`);
    try {
      writeFiles([{ path, text }], { force: false, mode: 0o600 });
      return path;
    } catch (error) {
      const taken = error instanceof MigrationError && error.code === 'FILE_EXISTS';
      if (!taken || number >= MAX_BACKUPS) throw error;
    }
  }
}
