import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding } from '../../core/finding';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type Plan, type Step } from '../../plan/plan';
import { type PlannedChange } from '../../terraform/judge-plan';
import { hintAnywhere } from '../../terraform/failures';
import { withTemporaryFolder } from '../../terraform/temporary-folder';
import { Differences } from '../accept-changes';
import { applyPlan, type ApplyResult } from '../apply-plan';
import { type ApplyRequest, type AcceptedChange } from '../apply-context';
import { copyConfigurations } from './copy-configurations';
import { copyState } from './copy-state';
import { requirePlaces } from '../preflight/require-places';

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
  readonly findings: readonly Finding[];
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
  const { folder, addFilesRead, ...copied } = await copyConfigurations(request, join(root, 'tree'));
  // overrides the plugin cache of the user, also one set in a CLI configuration file
  const cache = join(root, 'plugin-cache');
  mkdirSync(cache);
  // each folder of the copy has its own data folder and workspace
  const places = { TF_DATA_DIR: undefined, TF_WORKSPACE: undefined, TF_PLUGIN_CACHE_DIR: cache };
  const environment = { ...request.terraform.environment, ...places };
  const terraform = { ...request.terraform, environment };
  const copy = { root, folder, cache, terraform };
  for (const state of request.plan.states) await copyState(state, request, copy);
  addFilesRead();
  const onCopy = { plan: planOfCopy(request.plan), folder, terraform, isCopy: true };
  const applied: Outcome = await applyPlan({ ...request, ...onCopy }).catch(withChanges);
  const { steps, accepted, changes } = applied;
  const findings = [...copied.findings, ...(applied.findings ?? [])];
  const open = steps
    .filter(({ status }) => status === 'waiting' || status === 'due')
    .map(({ id }) => id);
  return {
    verdict: changes === undefined && open.length === 0 ? 'clean' : 'dirty',
    steps,
    changes: changes ?? [],
    notRehearsed: open,
    ...(accepted !== undefined && { accepted }),
    findings,
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
  if (other !== undefined) {
    return error.withHint(
      `check whether ${printable(other.subject, 200)} is still written for another provider; ${other.remedy}`,
    );
  }
  if (!error.message.includes(root)) return error;
  const said = `${error.message} ${error.cause instanceof Error ? error.cause.message : ''}`;
  return error.withHint(
    hintAnywhere(error.hint) ??
      (/no (such )?file/.test(said)
        ? 'check the files that the configuration reads outside its folders: if their path is computed, the copy does not have them'
        : 'correct what the cause names in the original folder, then run the same command again'),
  );
}

/** The result of the steps, and the differences that stopped a check. */
type Outcome = Pick<ApplyResult, 'steps' | 'accepted' | 'findings'> &
  Partial<Pick<RehearsalResult, 'changes'>>;

/** @throws unknown any failure except that of a check */
function withChanges(error: unknown): Outcome {
  if (!(error instanceof MigrationError) || error.code !== 'PLAN_NOT_EMPTY') throw error;
  return { steps: [], changes: error.cause instanceof Differences ? error.cause.changes : [] };
}
