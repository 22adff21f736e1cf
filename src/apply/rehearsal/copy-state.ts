import { cpSync, existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, posix, relative, resolve } from 'node:path';
import { objectOf, objectsOf, parseJson, textOf } from '../../core/json';
import { MigrationError } from '../../core/migration-error';
import { posixPath } from '../../core/posix-quote';
import { printable } from '../../core/printable';
import { textOfFile } from '../../files/read-regular-file';
import { type PlanState } from '../../plan/plan';
import { dataFolder } from '../../terraform/environment';
import { runTerraform, type TerraformOptions } from '../../terraform/run-terraform';
import { statePull } from '../../terraform/subcommands';
import { type ApplyRequest } from '../apply-context';

interface Copy {
  /** The real path of the folder that contains all of the copy. */
  readonly root: string;
  readonly folder: string;
  readonly cache: string;
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
  const isUpgraded = plan.steps.some((one) => one.provider !== undefined && one.state === name);
  // no step before the upgrade needs the installed provider
  const init = ['init', '-reconfigure', '-input=false', ...(isUpgraded ? ['-upgrade'] : [])];
  await runTerraform(init, { ...own, dir: to });
  requireLocalBackend(to);
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
  const initialised = textOfFile(join(dir, '.terraform/terraform.tfstate'));
  const { config } = objectOf(objectOf(parseJson(initialised))['backend']);
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

/**
 * Copies the installed modules and their manifest, which maps calls to folders. The manifest of the copy omits
 * local modules, because Terraform finds them itself.
 * @param data the data folder of Terraform: `.terraform` or `TF_DATA_DIR`
 */
function copyModules(data: string, from: string, to: string): void {
  const installed = join(data, 'modules');
  const manifest = textOfFile(join(installed, 'modules.json'));
  if (manifest === '') return;
  const records = objectsOf(objectOf(parseJson(manifest))['Modules'])
    .filter(({ Key, Source }) => Key === '' || !/^\.\.?\//.test(textOf(Source)))
    .map((record) => ({ ...record, Dir: dirInCopy(textOf(record['Dir'])) }));
  const copied = join(to, '.terraform/modules');
  copying(installed, () => {
    cpSync(installed, copied, { recursive: true, dereference: true, filter: isOfModule });
  });
  writeFileSync(join(copied, 'modules.json'), JSON.stringify({ Modules: records }));

  function dirInCopy(dir: string): string {
    const way = posixPath(relative(resolve(installed), resolve(from, dir)));
    return dir === '.' || way.startsWith('..') ? dir : posix.join('.terraform/modules', way);
  }
}

/** @throws MigrationError `FILE_UNWRITABLE` */
export function copying(from: string, copy: () => void): void {
  try {
    copy();
  } catch (cause) {
    const message = `cannot copy ${printable(from)} for the rehearsal`;
    const hint =
      'check that it is readable, and that TMPDIR (on Windows TEMP) is writable and has space';
    throw new MigrationError('FILE_UNWRITABLE', message, { cause, hint });
  }
}

function isOfModule(path: string): boolean {
  return !/[/\\]\.git$/.test(path) && statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Copies the installed providers to the plugin cache that all states of the copy share, because they have hundreds of
 * megabytes. Terraform installs them from there without a download, and never writes to the originals.
 */
function cacheProviders(installed: string, cache: string): void {
  // the folder is missing if no provider is installed
  if (!existsSync(installed)) return;
  copying(installed, () => {
    cpSync(installed, cache, { recursive: true, dereference: true, force: false });
  });
}
