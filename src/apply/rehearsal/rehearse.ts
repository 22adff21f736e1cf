import { cpSync, existsSync, lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join, posix, relative, resolve, sep } from 'node:path';
import { errorCatalogue } from '../../core/error-catalogue';
import { type Finding } from '../../core/finding';
import { objectOf, objectsOf, textOf } from '../../core/json';
import { MigrationError } from '../../core/migration-error';
import { posixPath } from '../../core/posix-quote';
import { printable } from '../../core/printable';
import { BACKUP_FOLDER } from '../../files/backups';
import { readObject } from '../../files/read-files';
import { type Plan, type PlanState, type Step } from '../../plan/plan-schema';
import { dataFolder } from '../../terraform/environment';
import { HINT_CORRECT, HINT_INIT, HINT_KILLED, initOf } from '../../terraform/failures';
import { type PlannedChange } from '../../terraform/judge-plan';
import {
  runTerraform,
  type TerraformOptions,
  type TerraformSettings,
} from '../../terraform/run-terraform';
import { readTerraformVersion, statePull } from '../../terraform/subcommands';
import { withTemporaryFolder } from '../../terraform/temporary-folder';
import { Differences } from '../accept-changes';
import { type AcceptedChange, type ApplyRequest, type StepEvent } from '../apply-context';
import { applyPlan, type ApplyResult } from '../apply-plan';
import { journalPath, openJournal, planCopyPath } from '../journal/journal';
import { requireOwnFiles } from '../journal/secure-backup-folder';
import { requirePlaces } from '../preflight/require-places';
import { copyConfigurations, copyInstalled, copying } from './copy-configurations';

/** The command's JSON. */
export interface RehearsalResult {
  /** `clean` if every step ran on the copy and the last plan was empty. */
  readonly verdict: 'clean' | 'dirty';
  readonly steps: ApplyResult['steps'];
  readonly changes: readonly PlannedChange[];
  /** Ids of steps that cannot run on a copy: manual steps and those after them. */
  readonly notRehearsed: readonly string[];
  /** The accepted differences; absent if none was accepted or named. */
  readonly accepted?: readonly AcceptedChange[];
  /** Id of the step that found the changes. */
  readonly stoppedAt?: string;
  /** What is wrong with the files at the manual step that was reached. */
  readonly findings?: readonly Finding[];
}

/**
 * Runs a plan on a copy (configuration, modules, lock file, providers; local backend) and requires an empty
 * last plan. It only reads the state of the real backend, without a lock. It writes only to the copy, which it
 * deletes at the end.
 *
 * @throws MigrationError as `applyPlan`, except for a Terraform plan that is not empty
 */
export async function rehearse(request: ApplyRequest): Promise<RehearsalResult> {
  requirePlaces(request.plan, request.folder, request.terraform.environment);
  return withTemporaryFolder('cf-waf-migrate-rehearsal-', request.terraform, (root) =>
    rehearseIn(root, request).catch((error: unknown) => {
      throw request.terraform.signal?.aborted === true
        ? interrupted(error)
        : withHintOfCopy(error, root, request.plan);
    }),
  );
}

async function rehearseIn(root: string, request: ApplyRequest): Promise<RehearsalResult> {
  const upgrades = request.plan.steps.flatMap((one) => (one.provider === undefined ? [] : one.id));
  // `terraform init` of the copy upgrades the provider, so `apply` finds that step done
  const asOnCopy = <Status extends { readonly status: string }>(
    of: Status,
    step: string,
  ): Status => (of.status === 'found' && upgrades.includes(step) ? { ...of, status: 'done' } : of);
  const { folder, addFilesRead } = await copyConfigurations(request, join(root, 'tree'));
  // overrides the plugin cache of the user, also one set in a CLI configuration file
  const cache = join(root, 'plugin-cache');
  mkdirSync(cache);
  // each folder of the copy has its own data folder and workspace
  const places = { TF_DATA_DIR: undefined, TF_WORKSPACE: undefined, TF_PLUGIN_CACHE_DIR: cache };
  const environment = {
    ...request.terraform.environment,
    ...places,
    ...(await installedVersion(request)),
  };
  const terraform = { ...request.terraform, environment };
  const copy = { folder, cache, terraform };
  for (const state of request.plan.states) await copyState(state, request, copy);
  addFilesRead();
  const plan = planOfCopy(request.plan);
  await copyRun(plan, request, folder);
  const report = (event: StepEvent): void => request.report?.(asOnCopy(event, event.step));
  const onCopy = { plan, folder, terraform, report, original: request.folder };
  const applied: Outcome = await applyPlan({ ...request, ...onCopy }).catch(withChanges);
  const { accepted, changes, stoppedAt, findings } = applied;
  const steps = applied.steps.map((step) => asOnCopy(step, step.id));
  const open = steps
    .filter(({ status }) => status === 'waiting' || status === 'due')
    .map(({ id }) => id);
  return {
    verdict: changes === undefined && open.length === 0 ? 'clean' : 'dirty',
    steps,
    changes: changes ?? [],
    notRehearsed: open,
    ...(stoppedAt !== undefined && { stoppedAt }),
    ...(findings !== undefined && { findings }),
    ...(accepted !== undefined && { accepted }),
  };
}

/**
 * The variables that tell asdf, mise and tfenv the version of Terraform. They read it from a file in or above the original
 * folder, which the copy can lack.
 */
async function installedVersion({ plan, folder, terraform }: ApplyRequest) {
  const dir = join(folder, plan.states[0]?.dir ?? '.');
  const version = await readTerraformVersion({ ...terraform, dir });
  return version?.product !== 'Terraform'
    ? {}
    : {
        ASDF_TERRAFORM_VERSION: version.text,
        MISE_TERRAFORM_VERSION: version.text,
        TFENV_TERRAFORM_VERSION: version.text,
      };
}

/** Returns the plan without `-backend-config`, which a local backend does not accept. */
function planOfCopy(plan: Plan): Plan {
  const steps = plan.steps.map(({ runs, ...step }): Step => {
    if (runs === undefined) return step;
    const isKept = (word: string): boolean => !/^--?backend-config=/.test(word);
    return { ...step, runs: runs.map((run) => ({ ...run, argv: run.argv.filter(isKept) })) };
  });
  return { ...plan, steps };
}

/**
 * Copies the journal of a run that is not finished, and the backups that it checks, so that the copy resumes the run.
 * @throws MigrationError `BACKUP_FOLDER_UNSAFE`, `JOURNAL_INVALID`, `FILE_UNREADABLE`, `FILE_UNWRITABLE`
 */
async function copyRun(
  plan: Plan,
  { folder, terraform }: Pick<ApplyRequest, 'folder' | 'terraform'>,
  copied: string,
): Promise<void> {
  const journal = journalPath(plan.digest);
  const { entries } = openJournal(join(folder, journal));
  if (entries.length === 0) return;
  await requireOwnFiles(join(folder, BACKUP_FOLDER), terraform.environment);
  mkdirSync(join(copied, BACKUP_FOLDER), { recursive: true });
  const backups = entries.flatMap((one) => (one.event === 'backup' ? one.file : []));
  for (const file of [journal, ...backups].filter((one) => existsSync(join(folder, one)))) {
    copying(join(folder, file), () => {
      cpSync(join(folder, file), join(copied, file));
    });
  }
  writeFileSync(join(copied, planCopyPath(journal)), JSON.stringify(plan));
}

/** Replaces any failure after the user stops the rehearsal. */
function interrupted(cause: unknown): MigrationError {
  return new MigrationError('TERRAFORM_FAILED', 'the rehearsal was interrupted', {
    cause,
    hint: 'run the same command again: nothing was changed, and the copy is deleted',
  });
}

/** Names the original to change in the hint of a Terraform failure, because the copy is deleted. */
function withHintOfCopy(error: unknown, root: string, { findings }: Plan): unknown {
  if (!(error instanceof MigrationError) || error.code !== 'TERRAFORM_FAILED') return error;
  const other = findings.find(({ code }) => code === 'RULESET_OF_OTHER_PROVIDER');
  if (other !== undefined && error.hint === HINT_CORRECT) {
    return error.withHint(
      `check whether ${printable(other.subject, 200)} is still written for another provider; ${other.remedy}`,
    );
  }
  if (!error.message.includes(root)) return error;
  const said = `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`;
  if (/no (such )?file/.test(said)) {
    return error.withHint(
      'check the files that the configuration reads outside its folders: if their path is computed, the copy does not have them',
    );
  }
  // a lock of the copy is of no interest
  if (error.hint.startsWith(HINT_KILLED)) return error.withHint(HINT_KILLED);
  const isAboutCopy = [errorCatalogue.TERRAFORM_FAILED, HINT_INIT].includes(error.hint);
  return isAboutCopy
    ? error.withHint(
        'correct what the cause names in the original folder, then run the same command again',
      )
    : error;
}

/** The result of the steps, and the differences that stopped a check. */
type Outcome = Pick<ApplyResult, 'steps' | 'accepted' | 'findings'> &
  Partial<Pick<RehearsalResult, 'changes' | 'stoppedAt'>>;

/** @throws unknown any failure except that of a check */
function withChanges(error: unknown): Outcome {
  if (!(error instanceof MigrationError) || error.code !== 'PLAN_NOT_EMPTY') throw error;
  const { changes = [], step } = error.cause instanceof Differences ? error.cause : {};
  return { steps: [], changes, ...(step !== undefined && { stoppedAt: step }) };
}

interface Copy {
  readonly folder: string;
  readonly cache: string;
  readonly terraform: TerraformSettings;
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
async function copyState(
  { name, dir, workspace }: PlanState,
  { plan, folder, terraform }: ApplyRequest,
  { folder: copied, cache, terraform: own }: Copy,
): Promise<void> {
  const from = join(folder, dir);
  const to = join(copied, dir);
  const state = await statePull({ ...terraform, dir: from });
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
  // all states of the copy share this plugin cache, because providers have hundreds of megabytes
  const providers = join(source, 'providers');
  if (existsSync(providers)) {
    copying(providers, () => {
      const filter = (path: string): boolean => isOfProvider(path, providers);
      cpSync(providers, cache, { recursive: true, dereference: true, force: false, filter });
    });
  }
  const isUpgraded = plan.steps.some((one) => one.provider !== undefined && one.state === name);
  if (!isUpgraded && !existsSync(source)) await requireInitialised({ ...terraform, dir: from });
  // no step before the upgrade needs the installed provider
  const init = ['init', '-reconfigure', '-input=false', ...(isUpgraded ? ['-upgrade'] : [])];
  await runTerraform(init, { ...own, dir: to });
  requireLocalBackend(to);
}

/** The copy is initialised, so only here the rehearsal meets what the first step of `apply` would. */
async function requireInitialised(terraform: TerraformOptions): Promise<void> {
  await runTerraform(['validate'], terraform).catch((error: unknown) => {
    if (error instanceof MigrationError && initOf(error.hint) !== undefined) throw error;
  });
}

/** Checks, after `terraform init`, that the copy uses its local backend, and not the real one. */
function requireLocalBackend(dir: string): void {
  const initialised = readObject(join(dir, '.terraform/terraform.tfstate'));
  const { config } = objectOf(initialised?.['backend']);
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
  const manifest = readObject(join(installed, 'modules.json'));
  if (manifest === undefined) return;
  const records = objectsOf(manifest['Modules'])
    .filter(({ Key, Source }) => Key === '' || !/^\.\.?\//.test(textOf(Source)))
    .map((record) => ({ ...record, Dir: dirInCopy(textOf(record['Dir'])) }));
  const copied = join(to, '.terraform/modules');
  copyInstalled(installed, copied);
  writeFileSync(join(copied, 'modules.json'), JSON.stringify({ Modules: records }));

  function dirInCopy(dir: string): string {
    const way = posixPath(relative(resolve(installed), resolve(from, dir)));
    return dir === '.' || way.startsWith('..') ? dir : posix.join('.terraform/modules', way);
  }
}

/** Terraform links only a whole package, `host/namespace/type/version/platform`, to a cache; other links can lead anywhere. */
function isOfProvider(path: string, providers: string): boolean {
  const depth = path === providers ? 0 : relative(providers, path).split(sep).length;
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return depth === 5 && statSync(path).isDirectory();
  return depth <= 5 || stats.isFile();
}
