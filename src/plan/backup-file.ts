import { type PlanState } from './plan';

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
  return `cf-waf-migrate-backup/${name}${own}-${serial}.${ending}`;
}

function safe(workspace: string): string {
  return encodeURIComponent(workspace.toWellFormed()).replaceAll('*', '%2A').slice(0, 120);
}
