import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { objectOf, parseJson } from '../../core/json';
import { attempt, MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type PlanState } from '../../plan/plan';
import { dataFolder } from '../../terraform/environment';
import { runTerraform, type TerraformOptions } from '../../terraform/run-terraform';
import { statePull } from '../../terraform/subcommands';
import { type ApplyRequest } from '../apply-context';
import { cacheProviders, copyModules } from './copy-installed';

/** The folders and settings of a copy. */
interface Copy {
  /** The real path of the folder that contains all of the copy. */
  readonly root: string;
  /** The copy of the folder of the plan. */
  readonly folder: string;
  /** The plugin cache of its Terraform. */
  readonly cache: string;
  /** Runs Terraform in the copy. */
  readonly terraform: Omit<TerraformOptions, 'dir'>;
}

/**
 * The folder of workspace states in a copy. In its default folder, `terraform init` would take them for states
 * to migrate to another backend.
 */
const WORKSPACES = 'cf-waf-migrate-rehearsal.tfstate.d';

/** Terraform merges override files by name, and the last one wins: `~` sorts after every letter. */
const BACKEND_OVERRIDE = '~~cf_waf_migrate_rehearsal_override.tf.json';

/**
 * Copies the state, the workspace, and the installed modules and providers of a state, and sets a local backend.
 * @throws MigrationError `REHEARSAL_IMPOSSIBLE`, those of Terraform
 */
export async function copyState(
  { name, dir, workspace }: PlanState,
  { plan, folder, terraform }: ApplyRequest,
  { root, folder: copied, cache, terraform: own }: Copy,
): Promise<void> {
  const from = join(folder, dir);
  const to = join(copied, dir);
  const state = await statePull({ ...terraform, dir: from });
  requireWithin(root, to);
  const backend = { local: { workspace_dir: WORKSPACES } };
  writeFileSync(join(to, BACKEND_OVERRIDE), JSON.stringify({ terraform: { backend } }));
  const place = workspace === 'default' ? to : join(to, WORKSPACES, workspace);
  mkdirSync(place, { recursive: true });
  if (state.length > 0) writeFileSync(join(place, 'terraform.tfstate'), state, { mode: 0o600 });
  const source = dataFolder(from, terraform.environment);
  const target = join(to, '.terraform');
  mkdirSync(target, { recursive: true });
  // as `terraform workspace select` does
  if (workspace !== 'default') writeFileSync(join(target, 'environment'), workspace);
  copyModules(source, from, to);
  cacheProviders(join(source, 'providers'), cache);
  const isUpgraded = plan.steps.some(
    (one) => one.kind === 'upgrade-provider' && one.state === name,
  );
  // no step before the upgrade needs the installed provider
  const init = ['init', '-reconfigure', '-input=false', ...(isUpgraded ? ['-upgrade'] : [])];
  await runTerraform(init, { ...own, dir: to });
  requireLocalBackend(to);
  // `terraform state rm` writes its backup there, whatever `workspace_dir` is (1.11.4, measured)
  if (workspace !== 'default') {
    mkdirSync(join(to, 'terraform.tfstate.d', workspace), { recursive: true });
  }
}

/** Checks, before anything is written, that no copied link leads back to the original. */
function requireWithin(root: string, path: string): void {
  const way = relative(realpathSync(root), realpathSync(path));
  if (!way.startsWith('..') && !isAbsolute(way)) return;
  throw new MigrationError(
    'REHEARSAL_IMPOSSIBLE',
    `the copy of ${printable(path)} would be written outside ${printable(root)}`,
  );
}

/**
 * Checks, after `terraform init`, that the copy uses its local backend, and not the real one.
 * @throws MigrationError `REHEARSAL_IMPOSSIBLE`
 */
function requireLocalBackend(dir: string): void {
  const initialised = attempt(() =>
    readFileSync(join(dir, '.terraform/terraform.tfstate'), 'utf8'),
  );
  const { config } = objectOf(objectOf(parseJson(initialised ?? ''))['backend']);
  const { path, workspace_dir: workspaces } = objectOf(config);
  if (path === null && workspaces === WORKSPACES) return;
  throw new MigrationError(
    'REHEARSAL_IMPOSSIBLE',
    `an override file of the configuration gives the copy in ${printable(dir)} another backend`,
    {
      hint: 'rename that override file to override.tf: Terraform then reads it before the override file of the rehearsal',
    },
  );
}
