/** Journal and backups, below the folder of the plan; it can be on a disk of its own. */
export const BACKUP_FOLDER = 'cf-waf-migrate-backup';

/**
 * The file for a copy of a state. Workspaces of one folder have the same name, and often the same serial, so the
 * workspace is part of the file name.
 */
export function backupFile(
  { name, workspace }: { readonly name: string; readonly workspace: string },
  serial: number,
  ending = 'tfstate',
): string {
  const own = workspace === 'default' || workspace === '' ? '' : `.${safe(workspace)}`;
  return `${BACKUP_FOLDER}/${name}${own}-${serial}.${ending}`;
}

/** Whether a path of a plan or a journal is that of a copy of a state, and leads to no other folder. */
export function isBackupFile(path: string): boolean {
  const [folder, ...name] = path.split('/');
  return folder === BACKUP_FOLDER && /^[^./\\][^/\\]*\.tfstate$/.test(name.join('/'));
}

function safe(workspace: string): string {
  return encodeURIComponent(workspace.toWellFormed()).replaceAll('*', '%2A').slice(0, 120);
}

/** The folder of a file of a plan, as its states name theirs. */
export function folderOfFile(file: string): string {
  return file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.';
}

/** A file in the folder of a state. */
export function inFolder(dir: string, name: string): string {
  return dir === '.' ? name : `${dir}/${name}`;
}
