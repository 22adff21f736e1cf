import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { BACKUP_FOLDER } from '../../plan/plan';
import { isTrackedByGit } from '../../terraform/tracked-by-git';
import { type TerraformOptions } from '../../terraform/run-terraform';

/**
 * Checks the backup folder before anything is written to it, since a pull request can ship files in it: it holds real
 * folders and files of this user alone, which git does not track. Then it is closed to others.
 * @param folder of the plan
 * @throws MigrationError `BACKUP_FOLDER_UNSAFE`, `FILE_UNWRITABLE`
 */
export async function secureBackupFolder(
  folder: string,
  { environment }: Pick<TerraformOptions, 'environment'>,
): Promise<void> {
  const path = join(folder, BACKUP_FOLDER);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  requireOwn(path, true);
  if (await isTrackedByGit(BACKUP_FOLDER, folder, environment)) {
    throw unsafe(
      `git tracks files in ${printable(path)}, and backups hold the state`,
      `check these files, remove them from git, then run the same command again:\ngit rm -r --cached ${BACKUP_FOLDER}`,
    );
  }
  close(path);
}

function requireOwn(path: string, isFolder = false): void {
  // another run can have deleted its own file
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory() && (isFolder || !stats.isFile())) {
    throw unsafe(`${printable(path)} is not a real ${isFolder ? 'folder' : 'file or folder'}`);
  }
  // undefined on Windows
  const user = process.getuid?.();
  if (user !== undefined && stats.uid !== user) {
    throw unsafe(`${printable(path)} belongs to another user (uid ${stats.uid}, not ${user})`);
  }
  if (!stats.isDirectory()) return;
  for (const name of readdirSync(path)) requireOwn(join(path, name));
}

function close(path: string): void {
  try {
    chmodSync(path, 0o700);
  } catch (cause) {
    throw new MigrationError('FILE_UNWRITABLE', `cannot protect ${printable(path)}`, { cause });
  }
}

function unsafe(message: string, hint?: string): MigrationError {
  return new MigrationError('BACKUP_FOLDER_UNSAFE', message, hint === undefined ? {} : { hint });
}
