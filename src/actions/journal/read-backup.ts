import { sha256 } from '../../blocks/decode-config';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { inspectTarget } from '../target-file';

/** @throws MigrationError `BACKUP_INVALID` where it is not as it was written */
export function readBackup(path: string, digest: string | null): Buffer {
  const bytes = inspectTarget(path).present?.bytes;
  if (bytes !== undefined && sha256(bytes) === digest) return bytes;
  throw new MigrationError(
    'BACKUP_INVALID',
    `the backup ${printable(path)} is not as it was written`,
  );
}
