import { runTerraform, type TerraformOptions, runAccepting } from './run-terraform';
import { join } from 'node:path';
import { MigrationError } from '../core/migration-error';
import { type Allowance, judgePlan, type Verdict } from './judge-plan';
import { withTemporaryFolder } from './temporary-folder';
import { chmodSync, statSync } from 'node:fs';
import { errorCatalogue } from '../core/error-catalogue';
import { type TerraformVersion } from '../core/provider-majors';

/** How many states are pulled at a time: each is a process that needs memory. */
export const PULLS_AT_ONCE = 4;

/**
 * `terraform state pull`: the raw state of the configured backend and workspace; needs no provider.
 * @returns empty when there is no state yet
 * @throws MigrationError as {@link runTerraform}
 */
export async function statePull(options: TerraformOptions): Promise<Buffer> {
  return runTerraform(['state', 'pull'], options);
}

/**
 * `terraform state push`: replaces the state of the configured backend, if the lineage is the same
 * and the serial higher; never with `-force`.
 * @param flags of a plan's commands, of which it takes those about the backend (Terraform 1.11.4)
 * @throws MigrationError as {@link runTerraform}
 */
export async function statePush(
  file: string,
  flags: readonly string[],
  options: TerraformOptions,
): Promise<void> {
  await runTerraform(['state', 'push', ...backendFlags(flags), file], options);
}

/**
 * `terraform state rm`: removes resources from the state, and nothing else.
 * @param flags as of {@link statePush}
 * @throws MigrationError as {@link runTerraform}
 */
export async function stateRemove(
  addresses: readonly string[],
  flags: readonly string[],
  options: TerraformOptions,
): Promise<void> {
  await runTerraform(['state', 'rm', ...backendFlags(flags), ...addresses], options);
}

function backendFlags(flags: readonly string[]): readonly string[] {
  return withLockTimeout([...new Set(flags.filter((flag) => taken.test(flag)))]);
}

const taken = /^--?(lock-timeout|ignore-remote-version)(=|$)/;

/**
 * Plans, judges the plan by its JSON, and passes it to `use` while its file exists. The file holds the state: only its
 * owner can read it, and it is removed afterwards.
 *
 * @param flags of `terraform plan`; never `-refresh=false`, with which plans lie (measured)
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
    const { code } = await runAccepting(args, options, [0, 2]);
    // complete, and without any change
    if (code === 0 && allowance === 'empty') return use(EMPTY, file);
    const json = await runTerraform(['show', '-json', file], options);
    const verdict = judgePlan(parse(json), allowance);
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
 * Judges a plan that should change nothing. It is saved, by planning once more, only when it does: saving takes
 * Terraform time, and the file holds the state.
 *
 * @param flags as of {@link withJudgedPlan}
 * @param expectsNone whether no change is likely
 * @throws MigrationError as {@link withJudgedPlan}
 */
export async function judgeEmptyPlan(
  flags: readonly string[],
  options: TerraformOptions,
  expectsNone: boolean,
): Promise<Verdict> {
  if (expectsNone) {
    const args = ['plan', '-input=false', ...withLockTimeout(flags), '-detailed-exitcode'];
    const { code } = await runAccepting(args, options, [0, 2]);
    if (code === 0) return EMPTY;
  }
  return withJudgedPlan(flags, 'empty', options, (verdict) => Promise.resolve(verdict));
}

const EMPTY: Verdict = { verdict: 'clean', differences: [], allowed: [], reads: false };

function parse(json: Buffer): unknown {
  try {
    const document: unknown = JSON.parse(json.toString('utf8'));
    return document;
  } catch {
    throw new MigrationError('TERRAFORM_PLAN_INVALID', 'terraform show -json did not print JSON');
  }
}

/** The state, as Terraform writes it beside the configuration when the backend refuses it. */
const ERRORED_STATE = 'errored.tfstate';

const AGAIN =
  'run the same cf-waf-migrate command again, and no terraform command by hand: it resumes with a new plan';

/**
 * `terraform apply` of a saved plan that was judged.
 * @param flags of the plan, of which it takes those about the lock
 * @throws MigrationError as `runTerraform`; its hint is never to apply by hand
 */
export async function applySavedPlan(
  file: string,
  flags: readonly string[],
  options: TerraformOptions,
): Promise<void> {
  const left = join(options.dir, ERRORED_STATE);
  const before = writtenAt(left);
  try {
    await runTerraform(['apply', '-input=false', ...lockFlags(flags), file], options);
  } catch (error) {
    const isLeft = writtenAt(left) !== before && protect(left);
    if (!(error instanceof MigrationError)) throw error;
    const known = error.hint === errorCatalogue.TERRAFORM_FAILED ? AGAIN : error.hint;
    // a run that was stopped may have been writing the state
    throw error.withHint(
      isLeft
        ? `${known}; do not push ${ERRORED_STATE} in that folder, which holds the state of this run, and delete it when the run is done`
        : known,
    );
  }
}

function writtenAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** Terraform lets every user read it. */
function protect(path: string): true {
  try {
    chmodSync(path, 0o600);
  } catch {
    // a file system without modes
  }
  return true;
}

/**
 * `terraform version`, by its text: the JSON of OpenTofu does not say that it is OpenTofu.
 * @returns undefined when it prints no version
 */
export async function readTerraformVersion(
  options: TerraformOptions,
): Promise<TerraformVersion | undefined> {
  const printed = await runTerraform(['version'], options).catch(() => Buffer.alloc(0));
  return parseTerraformVersion(printed.toString('utf8'));
}

/** Reads what `terraform version` or `tofu version` prints; wrappers may print lines of their own. */
export function parseTerraformVersion(printed: string): TerraformVersion | undefined {
  const match = /^(Terraform|OpenTofu) v((\d+)\.(\d+)\.\d+\S*)/m.exec(printed);
  if (match === null) return undefined;
  const [, product, text = '', major, minor] = match;
  return {
    product: product === 'OpenTofu' ? 'OpenTofu' : 'Terraform',
    text,
    major: Number(major),
    minor: Number(minor),
  };
}

/** How long to wait for a lock of another process, by default. */
const LOCK_TIMEOUT = '-lock-timeout=60s';

/** The flags with which Terraform waits for a lock, which a killed run may still hold. */
export function withLockTimeout(flags: readonly string[]): readonly string[] {
  return flags.some(isOfLock) ? flags : [LOCK_TIMEOUT, ...flags];
}

/** Of the flags of a plan, those that its apply takes too: a saved plan contains all others. */
export function lockFlags(flags: readonly string[]): readonly string[] {
  return withLockTimeout(flags.filter(isOfLock));
}

const isOfLock = (flag: string): boolean => /^--?lock/.test(flag);
