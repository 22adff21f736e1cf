import { readFile } from 'node:fs';
import { promisify } from 'node:util';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { refuseDevice } from './refuse-device';

/**
 * Reads a JSON file that the user named.
 * @throws MigrationError `FILE_UNREADABLE`, also when it is no JSON: its content is not repeated
 */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readWhole(path).catch((cause: unknown) => {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  });
  try {
    // some editors and shells put a byte order mark before UTF-8 text
    const document: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return document;
  } catch {
    throw new MigrationError('FILE_UNREADABLE', `${printable(path)} is not JSON`, {
      hint: 'pass the file as it was saved; it may have been cut off',
    });
  }
}

async function readWhole(path: string): Promise<string> {
  refuseDevice(path);
  // not of `node:fs/promises`: to load that takes `apply` longer than to read a plan
  return promisify(readFile)(path, 'utf8');
}
