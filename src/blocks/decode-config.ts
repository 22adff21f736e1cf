import { createHash } from 'node:crypto';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type ConfigSource } from './config-source';

/** Far above any configuration, and below what would fill the memory of the parser. */
const LARGEST = 32 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a file, byte order mark included, so that encoding it gives the bytes again.
 * @throws MigrationError `CONFIG_INVALID` */
export function decodeConfig({ path, bytes }: ConfigSource): string {
  if (bytes.length > LARGEST) {
    throw new MigrationError(
      'CONFIG_INVALID',
      `${printable(path)} is larger than ${LARGEST / 1024 / 1024} MB`,
    );
  }
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new MigrationError('CONFIG_INVALID', `${printable(path)} is not UTF-8 text`, { cause });
  }
}

/** {@link sha256} of a file; null where there is none, as an edit has it that makes one. */
export function fileDigest(bytes: Uint8Array | undefined): string | null {
  return bytes === undefined ? null : sha256(bytes);
}

/** The digest by which an edit knows its file again, in hexadecimal. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
