import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { errorCatalogue } from '../core/error-catalogue';
import { parseJson } from '../core/json';
import { attempt, MigrationError } from '../core/migration-error';
import { type Allowance, judgePlan, NO_CHANGES, type Verdict } from './judge-plan';
import { runAccepting, runTerraform, type TerraformOptions } from './run-terraform';
import { withTemporaryFolder } from './temporary-folder';
import { parseTerraformVersion, type TerraformVersion } from './terraform-version';

/** Maximum number of concurrent pulls, because each process needs memory. */
export const PULLS_AT_ONCE = 4;

/**
 * `terraform state pull`: the raw state of the configured backend and workspace; needs no provider.
 * @returns empty if there is no state yet
 */
export async function statePull(options: TerraformOptions): Promise<Buffer> {
  return runTerraform(['state', 'pull'], options);
}

/**
 * `terraform state push`: replaces the state of the configured backend if the lineage is the same and the
 * serial higher; never with `-force`.
 * @param flags of a plan's commands; only those about the backend are used (Terraform 1.11.4)
 */
export async function statePush(
  file: string,
  flags: readonly string[],
  options: TerraformOptions,
): Promise<void> {
  await runTerraform(['state', 'push', ...backendFlags(flags), file], options);
}

/**
 * `terraform state rm`: removes resources from the state without other changes. With a local backend, Terraform copies
 * the state to the default folder of the workspace, even if that is missing because of `workspace_dir`.
 * @param flags as of {@link statePush}
 */
export async function stateRemove(
  addresses: readonly string[],
  flags: readonly string[],
  workspace: string,
  options: TerraformOptions,
): Promise<void> {
  const folder = join(options.dir, 'terraform.tfstate.d', workspace);
  const isMissing = workspace !== 'default' && !existsSync(folder);
  try {
    // if it cannot be made, Terraform says so
    if (isMissing) attempt(() => mkdirSync(folder, { recursive: true }));
    await runTerraform(['state', 'rm', ...backendFlags(flags), ...addresses], options);
  } finally {
    if (isMissing) rmSync(folder, { recursive: true, force: true });
  }
}

function backendFlags(flags: readonly string[]): readonly string[] {
  const ofBackend = /^--?(lock-timeout|ignore-remote-version)(=|$)/;
  return withLockTimeout([...new Set(flags.filter((flag) => ofBackend.test(flag)))]);
}

/**
 * Plans, judges the JSON of the plan, and passes it to `use`. The plan file contains the state, so only its
 * owner can read it, and it is removed after `use`.
 * @param flags of `terraform plan`; `-refresh=false` hides differences after an upgrade of the provider (measured)
 * @throws MigrationError as `runTerraform`; `TERRAFORM_PLAN_INVALID`
 */
export async function withJudgedPlan<Result>(
  flags: readonly string[],
  allowance: Allowance,
  options: TerraformOptions,
  use: (verdict: Verdict, file: string) => Promise<Result>,
): Promise<Result> {
  return withTemporaryFolder('cf-waf-migrate-', options, async (folder) => {
    const file = join(folder, 'plan');
    const waiting = withLockTimeout(flags);
    const args = ['plan', '-input=false', ...waiting, '-detailed-exitcode', `-out=${file}`];
    const { code, stdout } = await runAccepting(args, options, [0, 2]);
    if (allowance === 'empty' && code === 0 && saysNoChanges(stdout)) return use(NO_CHANGES, file);
    const json = await runTerraform(['show', '-json', file], options);
    const verdict = judgePlan(parseJson(json.toString('utf8')), allowance);
    const { differences, allowed, reads } = verdict;
    if (code === 2 && !reads && differences.length + allowed.length === 0) {
      throw new MigrationError(
        'TERRAFORM_PLAN_INVALID',
        'the plan reports a change, but its JSON names none',
      );
    }
    return use(verdict, file);
  });
}

/**
 * Whether Terraform prints that a plan is empty. A wrapper, such as that of `hashicorp/setup-terraform`, can exit with 0 for
 * a plan with changes. Values are indented, but can have other line ends than `\n`. With `-no-color`, the text of a warning
 * can begin a line.
 */
function saysNoChanges(printed: Buffer): boolean {
  const text = stripVTControlCharacters(printed.toString('utf8'));
  return /(?:^|\n)No changes\./.test(text) && !/(?:^|\n)(?:Plan:|Changes to Outputs)/.test(text);
}

/**
 * Judges a plan that should have no changes.
 * @param flags as of {@link withJudgedPlan}
 */
export function judgeEmptyPlan(
  flags: readonly string[],
  options: TerraformOptions,
): Promise<Verdict> {
  return withJudgedPlan(flags, 'empty', options, (verdict) => Promise.resolve(verdict));
}

/** Terraform writes the state to this file beside the configuration if the backend rejects it. */
const ERRORED_STATE = 'errored.tfstate';

const AGAIN =
  'run the same cf-waf-migrate command again: it resumes with a new plan. Run no terraform command by hand before';

/**
 * `terraform apply` of a saved plan that was judged.
 * @param flags of the plan; only those about the lock are used
 * @throws MigrationError as `runTerraform`; its hint never tells the user to apply by hand
 */
export async function applySavedPlan(
  file: string,
  flags: readonly string[],
  options: TerraformOptions,
): Promise<void> {
  const left = join(options.dir, ERRORED_STATE);
  const before = writtenAt(left);
  try {
    const waiting = withLockTimeout(flags.filter(isOfLock));
    await runTerraform(['apply', '-input=false', ...waiting, file], options);
  } catch (error) {
    if (!(error instanceof MigrationError)) throw error;
    const known = error.hint === errorCatalogue.TERRAFORM_FAILED ? AGAIN : error.hint;
    // a stopped run may have been writing the state
    throw error.withHint(
      writtenAt(left) === before
        ? known
        : `${known}. ${ERRORED_STATE} in that folder has the state of this run: do not push it, and delete it when the run is done`,
    );
  }
}

function writtenAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** Default wait for the lock of another process. */
const LOCK_TIMEOUT = '-lock-timeout=60s';

/** Adds the lock timeout, because a killed run may still hold the lock. */
export function withLockTimeout(flags: readonly string[]): readonly string[] {
  return flags.some(isOfLock) ? flags : [LOCK_TIMEOUT, ...flags];
}

const isOfLock = (flag: string): boolean => /^--?lock/.test(flag);

/**
 * Reads the text of `terraform version`, because the JSON of OpenTofu does not name OpenTofu.
 * @returns undefined if it prints no version
 */
export async function readTerraformVersion(
  options: TerraformOptions,
): Promise<TerraformVersion | undefined> {
  const printed = await runTerraform(['version'], options).catch(() => Buffer.alloc(0));
  return parseTerraformVersion(printed.toString('utf8'));
}
