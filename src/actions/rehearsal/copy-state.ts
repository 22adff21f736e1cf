import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type PlanState } from '../../plan/plan';
import { runTerraform, type TerraformOptions } from '../../terraform/run-terraform';
import { statePull } from '../../terraform/state-pull';
import { type ApplyRequest } from '../apply/apply-request';
import { copyModules } from './copied-modules';
import { type CopiedProviders } from './copied-providers';
import { isWithin } from './copy-folder';
import { requireLocalBackend, WORKSPACES, writeLocalBackend } from './local-backend';

/** Where a copy is made. */
interface Copy {
  /** All that belongs to it lies below; a real path. */
  readonly root: string;
  /** The copy of the folder of the plan. */
  readonly folder: string;
  /** How Terraform is run there. */
  readonly terraform: Omit<TerraformOptions, 'dir'>;
  readonly providers: CopiedProviders;
}

/**
 * Gives the copy of a state's folder the state, a local backend, the workspace, and what `terraform init`
 * installed.
 * @throws MigrationError `REHEARSAL_IMPOSSIBLE`, those of Terraform
 */
export async function copyState(
  { name, dir, workspace }: PlanState,
  { plan, folder, terraform }: ApplyRequest,
  { root, folder: copied, terraform: own, providers }: Copy,
): Promise<void> {
  const from = join(folder, dir);
  const to = join(copied, dir);
  const state = await statePull({ ...terraform, dir: from });
  requireWithin(root, to);
  writeLocalBackend(to);
  const place = workspace === 'default' ? to : join(to, WORKSPACES, workspace);
  mkdirSync(place, { recursive: true });
  if (state.length > 0) writeFileSync(join(place, 'terraform.tfstate'), state, { mode: 0o600 });
  const data = terraform.environment['TF_DATA_DIR'] || '.terraform';
  const source = isAbsolute(data) ? data : join(from, data);
  const target = join(to, '.terraform');
  mkdirSync(target, { recursive: true });
  // as `terraform workspace select` does
  if (workspace !== 'default') writeFileSync(join(target, 'environment'), workspace);
  copyModules(source, from, to);
  providers.add(join(source, 'providers'), join(target, 'providers'));
  const isUpgraded = plan.steps.some(
    (one) => one.kind === 'upgrade-provider' && one.state === name,
  );
  // no step before the upgrade needs the provider that is installed
  const init = ['init', '-reconfigure', '-input=false', ...(isUpgraded ? ['-upgrade'] : [])];
  await runTerraform(init, { ...own, dir: to });
  await requireLocalBackend(to);
}

/** Before anything is written: a link that was copied as such would lead to the original. */
function requireWithin(root: string, path: string): void {
  if (isWithin(realpathSync(root), realpathSync(path))) return;
  throw new MigrationError(
    'REHEARSAL_IMPOSSIBLE',
    `the copy of ${printable(path)} would not be one: it leads out of ${printable(root)}`,
  );
}
