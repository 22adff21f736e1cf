import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MigrationError } from '../model/migration-error';
import { writeFiles } from './write-files';

const MAX_BACKUPS = 1000;

/**
 * Saves what is about to be lost, for its owner alone (0600), and never over an earlier backup: the last one
 * is taken as it is where that is the same, else the next free number is. So the last one is always what
 * was saved last.
 *
 * @returns the path of the file
 * @throws MigrationError `FILE_UNWRITABLE`, `FILE_EXISTS` when no number is free
 */
export function writeBackup(folder: string, name: string, document: unknown): string {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  for (let number = Math.max(lastNumber(folder, name), 1); ; number += 1) {
    const path = pathOf(folder, name, number);
    try {
      writeFiles([{ path, text }], { force: false, mode: 0o600 });
      return path;
    } catch (error) {
      const taken = error instanceof MigrationError && error.code === 'FILE_EXISTS';
      if (!taken || number >= MAX_BACKUPS) throw error;
    }
  }
}

/** The path of the last backup of a name; undefined where there is none. */
export function lastBackup(folder: string, name: string): string | undefined {
  const number = lastNumber(folder, name);
  return number === 0 ? undefined : pathOf(folder, name, number);
}

/** Of those that are there: somebody may have taken earlier ones away. */
function lastNumber(folder: string, name: string): number {
  const numbers = filesIn(folder).map((file) => {
    const own = file.startsWith(name) ? file.slice(name.length) : '';
    return own === '.json' ? 1 : Number(/^-([1-9]\d{0,3})\.json$/.exec(own)?.[1] ?? 0);
  });
  return numbers.reduce((last, number) => Math.max(last, number), 0);
}

/** None where the folder is not there, or none: who writes into it says so. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function pathOf(folder: string, name: string, number: number): string {
  return join(folder, `${name}${number === 1 ? '' : `-${number}`}.json`);
}
