import { isUtf8 } from 'node:buffer';
import { readFile, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';

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
  const unreadable = (cause: unknown): MigrationError =>
    new MigrationError('FILE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  // reading a pipe without a writer, or a device, would never end
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile();
  if (isFile === false) throw unreadable(new Error('it is not a regular file'));
  // loading `node:fs/promises` takes `apply` longer than reading a plan
  const bytes = await promisify(readFile)(path).catch((cause: unknown) => {
    throw unreadable(cause);
  });
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
