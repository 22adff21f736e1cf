import { join } from 'node:path';
import { MigrationError } from '../core/migration-error';
import { type Allowance, judgePlan, type Verdict } from './judge-plan';
import { withLockTimeout } from './lock-timeout';
import { runAccepting, runTerraform, type TerraformOptions } from './run-terraform';
import { withTemporaryFolder } from './temporary-folder';

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
