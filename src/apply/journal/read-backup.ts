import { sha256 } from '../../tfconfig/config-source';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { inspectTarget } from '../../files/write-files';

/** @throws MigrationError `BACKUP_INVALID` where it is not as it was written, or cannot be read */
export function readBackup(path: string, digest: string | null): Buffer {
  const bytes = bytesOf(path);
  if (bytes !== undefined && sha256(bytes) === digest) return bytes;
  throw new MigrationError(
    'BACKUP_INVALID',
    `the backup ${printable(path)} is not as it was written`,
  );
}

/** @throws MigrationError `BACKUP_INVALID` where it is no file, or not for this user to read */
function bytesOf(path: string): Buffer | undefined {
  try {
    return inspectTarget(path).present?.bytes;
  } catch (error) {
    const { cause } = error instanceof MigrationError ? error : {};
    throw new MigrationError('BACKUP_INVALID', `cannot read the backup ${printable(path)}`, {
      cause,
    });
  }
}
