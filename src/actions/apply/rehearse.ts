import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { type Finding } from '../../model/finding';
import { MigrationError } from '../../model/migration-error';
import { type Plan, type PlanState } from '../../plan/plan';
import { type AcceptedChange } from './accept-changes';
import { type PlannedChange } from '../../terraform/judge-plan';
import { runTerraform } from '../../terraform/run-terraform';
import { statePull } from '../../terraform/state-pull';
import { folderAbove } from '../plan-folder';
import { readConfiguration } from '../read-configuration';
import { requirePlaces } from './require-places';
import { Differences } from './require-clean';
import { applyPlan, type ApplyResult } from './apply-plan';
import { type ApplyRequest } from './apply-request';

/** The command's JSON. */
export interface RehearsalResult {
  /** `clean` when every step was carried out on the copy and the last plan was empty. */
  readonly verdict: 'clean' | 'dirty';
  readonly steps: ApplyResult['steps'];
  /** What Terraform would have changed. */
  readonly changes: readonly PlannedChange[];
  /** Steps that a copy cannot show: those that a person has to do, and what follows them. */
  readonly notRehearsed: readonly string[];
  /** Where differences were accepted by name: those that the checks found, and what was named in vain. */
  readonly accepted?: readonly AcceptedChange[];
  readonly findings?: readonly Finding[];
}

/**
 * Carries a plan out on a copy (configuration, modules, lock file, providers; local backend) and
 * proves its last, empty plan. Of the real backend it reads the state, without a lock, and writes
 * nothing anywhere else; the copy is gone afterwards.
 *
 * @throws MigrationError as `applyPlan`, but for a plan of Terraform that is not empty
 */
export async function rehearse(request: ApplyRequest): Promise<RehearsalResult> {
  requirePlaces(request.plan, request.folder, request.terraform.environment);
  const root = mkdtempSync(join(tmpdir(), 'cf-waf-migrate-rehearsal-'));
  chmodSync(root, 0o700);
  try {
    const folder = await copyFolders(request, root);
    const environment = withoutPlaces(request.terraform.environment, request.plan);
    const terraform = { ...request.terraform, environment };
    for (const state of request.plan.states) await copyState(state, request, folder, terraform);
    const done = await applyPlan({ ...request, folder, terraform, isCopy: true });
    const { steps, accepted, findings } = done;
    const open = steps
      .filter(({ status }) => status === 'waiting' || status === 'due')
      .map(({ id }) => id);
    return {
      verdict: open.length === 0 ? 'clean' : 'dirty',
      steps,
      changes: [],
      notRehearsed: open,
      ...(accepted !== undefined && { accepted }),
      ...(findings !== undefined && { findings }),
    };
  } catch (error) {
    const beyond = beyondProvider(error, request.plan);
    if (beyond !== undefined) return beyond;
    const changes = changesOf(error);
    if (changes === undefined) throw error;
    return { verdict: 'dirty', steps: [], changes, notRehearsed: [] };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The next provider is a person's to require: what follows needs it, and a copy cannot show it. */
function beyondProvider(error: unknown, { steps }: Plan): RehearsalResult | undefined {
  if (!(error instanceof MigrationError) || error.code !== 'PROVIDER_NOT_UPGRADED')
    return undefined;
  const from = steps.findIndex(({ kind }) => kind === 'upgrade-provider');
  const status = (at: number) => (at < from ? 'done' : at === from ? 'waiting' : 'due');
  return {
    verdict: 'dirty',
    steps: steps.map(({ id }, at) => ({ id, status: status(at) })),
    changes: [],
    notRehearsed: steps.slice(from).map(({ id }) => id),
  };
}

/** Copies every folder that the configurations are made of, as deep below each other as they are. */
async function copyFolders({ plan, folder }: ApplyRequest, root: string): Promise<string> {
  const folders = new Set<string>();
  for (const { dir } of plan.states) {
    const configuration = await readConfiguration(dir, folder);
    for (const one of configuration?.project.modules.keys() ?? [dir])
      folders.add(resolve(folder, one));
  }
  const top = folderAbove([resolve(folder), ...folders]);
  const copied = (path: string): string => join(root, relative(top, path));
  mkdirSync(copied(folder), { recursive: true });
  for (const one of folders) {
    cpSync(one, copied(one), { recursive: true, filter: (path) => path === one || !leftOut(path) });
  }
  return copied(folder);
}

/** What is not of the configuration: states are pulled, providers are linked, the rest is not needed. */
function leftOut(path: string): boolean {
  return /^(\.git|\.terraform|node_modules|cf-waf-migrate-backup|terraform\.tfstate\.d|.*\.tfstate(\..*)?)$/.test(
    basename(path),
  );
}

async function copyState(
  { dir, workspace }: PlanState,
  { folder, terraform }: ApplyRequest,
  copy: string,
  own: ApplyRequest['terraform'],
): Promise<void> {
  const from = join(folder, dir);
  const to = join(copy, dir);
  const state = await statePull({ ...terraform, dir: from });
  writeFileSync(
    join(to, 'zz_cf_waf_migrate_rehearsal_override.tf.json'),
    JSON.stringify({ terraform: { backend: { local: {} } } }),
  );
  const place = workspace === 'default' ? to : join(to, 'terraform.tfstate.d', workspace);
  mkdirSync(place, { recursive: true });
  if (state.length > 0) writeFileSync(join(place, 'terraform.tfstate'), state, { mode: 0o600 });
  linkData(terraform.environment['TF_DATA_DIR'], from, to);
  await runTerraform(['init', '-reconfigure', '-input=false'], { ...own, dir: to });
}

/** The installed providers are linked, not copied: they are hundreds of megabytes, and only read. */
function linkData(dataDir: string | undefined, from: string, to: string): void {
  const data = dataDir === undefined || dataDir === '' ? '.terraform' : dataDir;
  const source = isAbsolute(data) ? data : join(from, data);
  mkdirSync(join(to, '.terraform'), { recursive: true });
  for (const name of ['providers', 'modules']) {
    const path = join(source, name);
    // a junction: on Windows anybody may make one, and a symbolic link only who was allowed to
    if (existsSync(path)) symlinkSync(resolve(path), join(to, '.terraform', name), 'junction');
  }
}

/** The environment without what says where the real state is. */
function withoutPlaces(
  environment: ApplyRequest['terraform']['environment'],
  { states }: Plan,
): ApplyRequest['terraform']['environment'] {
  const rest = { ...environment, TF_DATA_DIR: undefined, TF_WORKSPACE: undefined };
  const [first] = states;
  return first === undefined || first.workspace === 'default'
    ? rest
    : { ...rest, TF_WORKSPACE: first.workspace };
}

/** The differences that stopped a check; undefined for any other failure. */
function changesOf(error: unknown): readonly PlannedChange[] | undefined {
  if (!(error instanceof MigrationError) || error.code !== 'PLAN_NOT_EMPTY') return undefined;
  return error.cause instanceof Differences ? error.cause.changes : [];
}
