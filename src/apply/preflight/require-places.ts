import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { textOfFile } from '../../files/read-files';
import { type Plan, type PlanState } from '../../plan/plan-schema';
import { KEEP_IN_PLACE } from '../live-state';
import { dataFolder, type Environment } from '../../terraform/environment';

/**
 * Checks that `TF_DATA_DIR` and the workspace of every folder still select the planned state. Reads the same
 * variables and files as Terraform, to avoid starting it.
 *
 * @throws MigrationError `PLACE_CHANGED`, `FILE_UNREADABLE` if a folder is missing, or the file with the workspace is a link or pipe
 */
export function requirePlaces(plan: Plan, folder: string, environment: Environment): void {
  const dataDir = environment['TF_DATA_DIR'] ?? '';
  for (const planned of plan.states) {
    const name = `state ${printable(planned.name, 80)}`;
    if (!existsSync(join(folder, planned.dir))) {
      throw new MigrationError(
        'FILE_UNREADABLE',
        `the folder ${printable(planned.dir)} of ${name} does not exist`,
        {
          hint: `${KEEP_IN_PLACE}. If the folder is gone, restore it, and run \`terraform init\` there; a renamed CDKTF stack needs its earlier name`,
        },
      );
    }
    if (dataDir !== (planned.dataDir ?? '')) {
      throw changed(`${name} was planned with TF_DATA_DIR`, planned.dataDir ?? '', dataDir);
    }
    requireWorkspace(planned, folder, environment);
  }
}

/** Checks the workspaces of initialised folders: a Terraform plan does not name its own. @throws MigrationError `PLACE_CHANGED` */
export function requireWorkspaces(plan: Plan, folder: string, environment: Environment): void {
  for (const planned of plan.states) {
    const isInitialised = existsSync(dataFolder(join(folder, planned.dir), environment));
    if (environment['TF_WORKSPACE'] || isInitialised) {
      requireWorkspace(planned, folder, environment);
    }
  }
}

/** The workspace of a plan if another one is selected. @throws MigrationError `FILE_UNREADABLE` */
export function otherWorkspace(
  { states }: Pick<Plan, 'states'>,
  folder: string,
  environment: Environment,
): string | undefined {
  return states.find(
    ({ dir, workspace }) => currentWorkspace(join(folder, dir), environment) !== workspace,
  )?.workspace;
}

function requireWorkspace(planned: PlanState, folder: string, environment: Environment): void {
  const workspace = currentWorkspace(join(folder, planned.dir), environment);
  if (workspace === planned.workspace) return;
  const name = `state ${printable(planned.name, 80)}`;
  // a link in a pull request could lead to a secret
  const isName = /^[\w.-]+$/.test(workspace);
  const now = isName ? workspace : 'another one';
  throw changed(`${name} was planned in workspace`, planned.workspace, now);
}

function currentWorkspace(dir: string, environment: Environment): string {
  if (environment['TF_WORKSPACE']) return environment['TF_WORKSPACE'];
  const file = join(dataFolder(dir, environment), 'environment');
  // the file exists only after a workspace was selected
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() === false) {
    throw new MigrationError('FILE_UNREADABLE', `${printable(file)} is not a regular file`, {
      hint: 'delete it, then select the workspace of the plan with `terraform workspace select`',
    });
  }
  return textOfFile(file).trim() || 'default';
}

function changed(what: string, planned: string, now: string): MigrationError {
  const shown = (value: string): string => `"${printable(value, 80)}"`;
  return new MigrationError(
    'PLACE_CHANGED',
    `${what} ${shown(planned)}, but it is ${shown(now)} now`,
  );
}
