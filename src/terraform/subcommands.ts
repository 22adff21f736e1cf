import { runTerraform, type TerraformOptions, runAccepting } from './run-terraform';
import { join } from 'node:path';
import { MigrationError } from '../core/migration-error';
import { type Allowance, judgePlan, type Verdict } from './judge-plan';
import { withTemporaryFolder } from './temporary-folder';
import { chmodSync, statSync } from 'node:fs';
import { errorCatalogue } from '../core/error-catalogue';
import { type TerraformVersion } from '../core/provider-majors';

/** How many states are pulled at a time: each is a process, and some make a machine run out of memory. */
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
 * @param flags of a plan's commands: of them it takes what says how it reaches the backend (Terraform 1.11.4)
 * @throws MigrationError as {@link runTerraform}
 */
export async function statePush(
  file: string,
  flags: readonly string[],
  options: TerraformOptions,
): Promise<void> {
  const own = [...new Set(flags.filter((flag) => taken.test(flag)))];
  await runTerraform(['state', 'push', ...withLockTimeout(own), file], options);
}

const taken = /^--?(lock-timeout|ignore-remote-version)(=|$)/;

/**
 * Plans, judges the plan by its JSON, and takes it to `use` while its file is there. The file holds
 * the state: it lies in a folder for its owner alone, and is gone afterwards.
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
    // complete, and without a change of anything: there is nothing more to be read out of it
    if (code === 0 && allowance === 'empty') return use(EMPTY, file);
    const json = await runTerraform(['show', '-json', file], options);
    const verdict = judgePlan(parse(json), allowance);
    const { differences, allowed, reads } = verdict;
    if (code === 2 && !reads && differences.length + allowed.length === 0) {
      throw new MigrationError(
        'TERRAFORM_PLAN_INVALID',
        'the plan says that it changes something, and not what',
      );
    }
    return use(verdict, file);
  });
}

/**
 * Judges a plan that is to change nothing. It is saved only where something is to be read out of it, if need
 * be by planning once more: to save it takes Terraform time, and the file holds the state.
 *
 * @param flags as of {@link withJudgedPlan}
 * @param expectsNone whether no difference is likely
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
    throw new MigrationError(
      'TERRAFORM_PLAN_INVALID',
      'what terraform show -json printed is not JSON',
    );
  }
}

/** What Terraform writes beside the configuration where the backend does not take the state: all of it, unless the disk is full. */
export const ERRORED_STATE = 'errored.tfstate';

const AGAIN =
  'run the same cf-waf-migrate command again, and nothing by hand: it finds out what is done, and plans anew';

/**
 * `terraform apply` of a saved plan that was judged: the only one that there is.
 * @param flags of the plan, of which the lock's are its own as well
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
    // also of one that was stopped: it may have been while it wrote the state
    throw error.withHint(
      isLeft
        ? `${known}; ${ERRORED_STATE} in that folder holds the state as this run left it: push it nowhere, and delete it once the run is done`
        : known,
    );
  }
}

function writtenAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** Terraform writes it for everybody to read. */
function protect(path: string): true {
  try {
    chmodSync(path, 0o600);
  } catch {
    // a file system without modes, or it is gone again: it is named all the same
  }
  return true;
}

/**
 * `terraform version`, by the line that says it: the JSON of OpenTofu does not say that it is OpenTofu.
 * @returns undefined where it does not say so
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

/** How long to wait for a lock of another process, unless the user says. */
const LOCK_TIMEOUT = '-lock-timeout=60s';

/** The flags with which Terraform waits for a lock, as one that a killed run's Terraform still holds. */
export function withLockTimeout(flags: readonly string[]): readonly string[] {
  return flags.some(isOfLock) ? flags : [LOCK_TIMEOUT, ...flags];
}

/** Of the flags of a plan, those that its apply takes as well: a saved plan brings along all others. */
export function lockFlags(flags: readonly string[]): readonly string[] {
  return withLockTimeout(flags.filter(isOfLock));
}

const isOfLock = (flag: string): boolean => /^--?lock/.test(flag);
