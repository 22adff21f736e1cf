import { isUtf8 } from 'node:buffer';
import { readFile, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';

/**
 * Reads a JSON file that the user named.
 * @param notJson what to do when it is no JSON
 * @throws MigrationError `FILE_UNREADABLE`, also when it is no JSON, without its content; and when it is not UTF-8,
 *   since replacing characters would change expressions
 */
export async function readJsonFile(
  path: string,
  notJson = 'pass the file unchanged; it may have been cut off',
): Promise<unknown> {
  const bytes = await readWhole(path).catch((cause: unknown) => {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  });
  if (!isUtf8(bytes)) {
    throw new MigrationError('FILE_UNREADABLE', `${printable(path)} is not UTF-8 text`, {
      hint: 'save it as UTF-8; in Windows PowerShell, where `>` changes the encoding, pass the flag that names the file, or use `cmd /c "… > file.json"`',
    });
  }
  try {
    // some editors and shells put a byte order mark before UTF-8 text
    const document: unknown = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
    return document;
  } catch {
    throw new MigrationError('FILE_UNREADABLE', `${printable(path)} is not JSON`, {
      hint: notJson,
    });
  }
}

async function readWhole(path: string): Promise<Buffer> {
  refuseDevice(path);
  // not of `node:fs/promises`: to load that takes `apply` longer than to read a plan
  return promisify(readFile)(path);
}

/**
 * A device such as `/dev/zero` may never end: reading it takes all memory, and no signal arrives meanwhile. Files and
 * pipes are read; `/dev/null` counts as an empty file, also when `/dev/stdin` leads to it.
 * @throws Error where the path is a device, or not there
 */
export function refuseDevice(path: string): void {
  const stats = statSync(path);
  if (!stats.isCharacterDevice() && !stats.isBlockDevice()) return;
  const nothing = statSync('/dev/null', { throwIfNoEntry: false });
  if (stats.rdev !== nothing?.rdev) throw new Error('it is a device, not a file');
}
