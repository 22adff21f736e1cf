import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, MigrationError } from '../core/migration-error';
import { writeFiles } from './write-files';

/** Folder of the journal and backups, relative to the folder of the plan. It can be on a separate disk. */
export const BACKUP_FOLDER = 'cf-waf-migrate-backup';

/** A file that keeps a folder out of commits. */
export const gitIgnore = (folder: string): { readonly path: string; readonly text: string } => ({
  path: join(folder, '.gitignore'),
  text: '*\n',
});

/**
 * The file for a copy of a state. Workspaces of one folder share a name and often a serial, so the file name includes
 * the workspace.
 */
export function backupFile(
  { name, workspace }: { readonly name: string; readonly workspace: string },
  serial: number,
  ending = 'tfstate',
): string {
  const own =
    workspace === 'default' || workspace === ''
      ? ''
      : `.${encodeURIComponent(workspace.toWellFormed()).replaceAll('*', '%2A').slice(0, 120)}`;
  return `${BACKUP_FOLDER}/${name}${own}-${serial}.${ending}`;
}

/** The name of the file, without its ending, for the legacy settings that `finish` saves in the backup folder. */
export const settingsBackup = (zoneId: string): string => `old-waf-${zoneId}`;

/** Where `finish` saves the legacy settings of a zone for the first time, relative to the folder that it runs in. */
export function settingsBackupFile(zoneId: string): string {
  return `${BACKUP_FOLDER}/${settingsBackup(zoneId)}.json`;
}

/** Whether a path from a plan or journal is a backup file that stays in the backup folder. */
export function isBackupFile(path: string): boolean {
  const [folder, ...name] = path.split('/');
  return folder === BACKUP_FOLDER && /^[^./\\][^/\\]*\.tfstate$/.test(name.join('/'));
}

const MAX_BACKUPS = 1000;

/**
 * Copies a state to the backups of its plan, readable only by its owner (0600), without overwriting another
 * copy: plans in the same folder can have states with the same name, and rollback needs each of them.
 * @param folder of the plan
 * @param file the preferred name of the copy, relative to the folder
 * @returns the name of the copy
 * @throws MigrationError `FILE_UNWRITABLE`, `FILE_EXISTS` if no number is free
 */
export function writeStateBackup(folder: string, file: string, bytes: Buffer): string {
  const nameOf = (number: number): string =>
    number === 1 ? file : file.replace(/(?=\.tfstate$)/, `.${number}`);
  return writeNumbered(folder, nameOf, 1, bytes);
}

/**
 * Saves a document, readable only by its owner (0600), without overwriting an earlier backup: it keeps the
 * last backup if that is the same, otherwise it uses the next number. So the highest number is always the
 * latest.
 * @returns the path of the file
 * @throws MigrationError `FILE_UNWRITABLE`, `FILE_EXISTS` if no number is free
 */
export function writeBackup(folder: string, name: string, document: unknown): string {
  const text = `${JSON.stringify(document, null, 2)}\n`;
  writeFiles([gitIgnore(folder)], { force: true, mode: 0o600 });
  const first = Math.max(lastNumber(folder, name), 1);
  return join(
    folder,
    writeNumbered(folder, (number) => fileName(name, number), first, text),
  );
}

/** @returns the first name, starting at number `first`, whose file did not exist or was the same */
function writeNumbered(
  folder: string,
  nameOf: (number: number) => string,
  first: number,
  text: string | Buffer,
): string {
  for (let number = first; ; number += 1) {
    const name = nameOf(number);
    try {
      writeFiles([{ path: join(folder, name), text }], { force: false, mode: 0o600 });
      return name;
    } catch (error) {
      const taken = error instanceof MigrationError && error.code === 'FILE_EXISTS';
      if (!taken || number >= MAX_BACKUPS) throw error;
    }
  }
}

export function lastBackup(folder: string, name: string): string | undefined {
  const number = lastNumber(folder, name);
  return number === 0 ? undefined : join(folder, fileName(name, number));
}

/** The highest existing number: earlier backups may have been deleted. */
function lastNumber(folder: string, name: string): number {
  // a missing folder has no backups; the later write reports the error
  const numbers = (attempt(() => readdirSync(folder)) ?? []).map((file) => {
    const own = file.startsWith(name) ? file.slice(name.length) : '';
    return own === '.json' ? 1 : Number(/^-([1-9]\d{0,3})\.json$/.exec(own)?.[1] ?? 0);
  });
  return numbers.reduce((last, number) => Math.max(last, number), 0);
}

function fileName(name: string, number: number): string {
  return `${name}${number === 1 ? '' : `-${number}`}.json`;
}
