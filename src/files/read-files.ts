import { isUtf8 } from 'node:buffer';
import { readFile, readFileSync, type Stats, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { isJsonObject, type JsonObject, parseJson } from '../core/json';
import { attempt, MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';

const MAX_MIB = 64;

/**
 * Reads a file that the tool finds in a folder. A link there can lead to a device or pipe, whose reading would never
 * end.
 * @param most in MiB
 * @throws if it is missing, not a regular file, or larger
 */
export function readRegularFile(path: string, most = MAX_MIB): Buffer {
  const stats = statSync(path);
  if (!stats.isFile()) throw new Error('it is not a regular file');
  if (stats.size > most * 1024 * 1024) throw new Error(`it is larger than ${most} MiB`);
  return isEndless(stats) ? Buffer.alloc(0) : readFileSync(path);
}

/** Whether a regular file may never end: those of `/proc` have no size. */
const isEndless = ({ size }: Pick<Stats, 'size'>): boolean => size === 0;

export function textOfFile(path: string): string {
  return attempt(() => readRegularFile(path).toString('utf8')) ?? '';
}

export function readObject(path: string): JsonObject | undefined {
  const document = parseJson(textOfFile(path));
  return isJsonObject(document) ? document : undefined;
}

/**
 * Reads a JSON file that the user named.
 * @param notJson hint if it is not JSON, or an archive, as a plan file of Terraform is
 * @throws MigrationError `FILE_UNREADABLE`, also if it is not JSON (without its content), and if it is not
 *   UTF-8, because replacing characters would change expressions
 */
export async function readJsonFile(
  path: string,
  notJson = 'pass the file unchanged; it may have been cut off',
): Promise<unknown> {
  let bytes: Buffer;
  try {
    // reading a pipe without a writer, or a device, would never end
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() === false) throw new Error('it is not a regular file');
    // loading `node:fs/promises` takes `apply` longer than reading a plan
    bytes = stats && isEndless(stats) ? Buffer.alloc(0) : await promisify(readFile)(path);
  } catch (cause) {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  }
  if (!isUtf8(bytes)) {
    const isArchive = bytes.subarray(0, 2).toString('latin1') === 'PK';
    throw new MigrationError('FILE_UNREADABLE', `${printable(path)} is not UTF-8 text`, {
      hint: isArchive
        ? notJson
        : 'save it as UTF-8; in Windows PowerShell, where `>` changes the encoding, pass the flag that names the file, or use `cmd /c "… > file.json"`',
    });
  }
  try {
    // some editors and shells write a byte order mark before UTF-8 text
    const document: unknown = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
    return document;
  } catch {
    throw new MigrationError('FILE_UNREADABLE', `${printable(path)} is not JSON`, {
      hint: notJson,
    });
  }
}
