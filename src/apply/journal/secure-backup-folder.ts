import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { MigrationError, reading, writing } from '../../core/migration-error';
import { posixQuote } from '../../core/posix-quote';
import { printable } from '../../core/printable';
import { BACKUP_FOLDER } from '../../files/backups';
import { type TerraformOptions } from '../../terraform/run-terraform';
import { isTrackedByGit } from '../../terraform/git';

/**
 * Checks the backup folder, then makes it private.
 * @param folder the folder of the plan
 * @throws MigrationError `BACKUP_FOLDER_UNSAFE`, `FILE_UNREADABLE`, `FILE_UNWRITABLE`
 */
export async function secureBackupFolder(
  folder: string,
  { environment }: Pick<TerraformOptions, 'environment'>,
): Promise<void> {
  const path = join(folder, BACKUP_FOLDER);
  const stats = statsOf(path);
  if (stats === undefined) return;
  if (!stats.isDirectory()) throw unsafe(`${printable(path)} is not a real folder`);
  await requireOwnFiles(path, environment);
  writing(`cannot protect ${printable(path)}`, () => {
    chmodSync(path, 0o700);
  });
}

/**
 * Checks a record of earlier runs, because a pull request can add one. It may have only real folders and files of this
 * user that git does not track.
 * @throws MigrationError `BACKUP_FOLDER_UNSAFE`, `FILE_UNREADABLE`
 */
export async function requireOwnFiles(
  path: string,
  environment: TerraformOptions['environment'],
): Promise<void> {
  if (statsOf(path) === undefined) return;
  requireOwn(path);
  const isTracked = await isTrackedByGit(basename(path), dirname(path), environment).catch(
    (cause: unknown) => {
      throw unsafe(
        `cannot check whether git tracks ${printable(path)}`,
        'check that `git ls-files` works in this folder, or move the files away if they are not of this tool',
        cause,
      );
    },
  );
  if (isTracked) {
    throw unsafe(
      `git tracks ${printable(path)}, but only this tool may write there`,
      `check these files, remove them from git, then run the same command again:\ngit -C ${posixQuote(dirname(path))} rm -r --cached ${posixQuote(basename(path))}`,
    );
  }
}

function requireOwn(path: string): void {
  // another run may have deleted its file since
  const stats = statsOf(path);
  if (stats === undefined) return;
  if (!stats.isDirectory() && !stats.isFile()) {
    throw unsafe(`${printable(path)} is a link or a special file`);
  }
  // undefined on Windows
  const user = process.getuid?.();
  if (user !== undefined && stats.uid !== user) {
    throw unsafe(`${printable(path)} belongs to another user (uid ${stats.uid}, not ${user})`);
  }
  if (!stats.isDirectory()) return;
  const names = reading(unreadable(path), () => readdirSync(path));
  for (const name of names) requireOwn(join(path, name));
}

/** Of the path itself, if it is a link. */
const statsOf = (path: string): Stats | undefined =>
  reading(unreadable(path), () => lstatSync(path, { throwIfNoEntry: false }));

const unreadable = (path: string): string => `cannot read ${printable(path)}`;

function unsafe(message: string, hint?: string, cause?: unknown): MigrationError {
  return new MigrationError('BACKUP_FOLDER_UNSAFE', message, { hint, cause });
}
