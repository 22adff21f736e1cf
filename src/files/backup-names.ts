import { join } from 'node:path';

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
  const own = workspace === 'default' || workspace === '' ? '' : `.${safe(workspace)}`;
  return `${BACKUP_FOLDER}/${name}${own}-${serial}.${ending}`;
}

/** The name of the file, without its ending, for the legacy settings that `finish` saves in the backup folder. */
export function settingsBackup(zoneId: string): string {
  return `old-waf-${zoneId}`;
}

/** Where `finish` saves the legacy settings of a zone for the first time, relative to the folder that it runs in. */
export function settingsBackupFile(zoneId: string): string {
  return `${BACKUP_FOLDER}/${settingsBackup(zoneId)}.json`;
}

/** Whether a path from a plan or journal is a backup file that stays in the backup folder. */
export function isBackupFile(path: string): boolean {
  const [folder, ...name] = path.split('/');
  return folder === BACKUP_FOLDER && /^[^./\\][^/\\]*\.tfstate$/.test(name.join('/'));
}

function safe(workspace: string): string {
  return encodeURIComponent(workspace.toWellFormed()).replaceAll('*', '%2A').slice(0, 120);
}
