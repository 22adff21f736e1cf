import { type PlanState } from './plan';

/** Journal and backups, below the folder of the plan; it can be on a disk of its own. */
export const BACKUP_FOLDER = 'cf-waf-migrate-backup';

/**
 * The file for a copy of a state. The workspaces of a folder go by one name, and often by one serial;
 * `.` is in no name of a state, and what a file name may not have in it is escaped.
 */
export function backupFile(
  { name, workspace }: Pick<PlanState, 'name' | 'workspace'>,
  serial: number,
  ending = 'tfstate',
): string {
  const own = workspace === 'default' || workspace === '' ? '' : `.${safe(workspace)}`;
  return `${BACKUP_FOLDER}/${name}${own}-${serial}.${ending}`;
}

/** Whether a path is that of a copy of a state: of no other folder, whoever has written it down. */
export function isBackupFile(path: string): boolean {
  const [folder, ...name] = path.split('/');
  return folder === BACKUP_FOLDER && /^[^./\\][^/\\]*\.tfstate$/.test(name.join('/'));
}

function safe(workspace: string): string {
  return encodeURIComponent(workspace.toWellFormed()).replaceAll('*', '%2A').slice(0, 120);
}
