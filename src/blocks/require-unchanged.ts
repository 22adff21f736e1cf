import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type FileEdit } from './file-edit';

/**
 * @param now sha256 of the file as it is; null where there is none
 * @throws MigrationError `CONFIG_CHANGED` when the file is not the one that the edit was planned for
 */
export function requireUnchanged(now: string | null, { file, sha256 }: FileEdit): void {
  if (now === sha256) return;
  const what = now === null ? 'is gone' : sha256 === null ? 'exists' : 'was changed';
  throw new MigrationError('CONFIG_CHANGED', `${printable(file)} ${what} since the plan was made`);
}
