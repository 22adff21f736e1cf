import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Finding } from '../../core/finding';
import { MigrationError } from '../../core/migration-error';
import { posixQuote } from '../../core/posix-quote';
import { printable } from '../../core/printable';
import { type Plan, type Step } from '../../plan/plan';
import { majorOf } from '../../plan/provider-versions';
import { declaredRulesets } from '../../project/declared-rulesets';
import { requireConfiguration } from '../../project/read-configuration';
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
  /** `clean` when every step was carried out on the copy and the last plan was empty. */
  readonly verdict: 'clean' | 'dirty';
  readonly steps: ApplyResult['steps'];
  /** What Terraform would have changed. */
  readonly changes: readonly PlannedChange[];
  /** Steps that a copy cannot show: manual steps, and what follows them. */
  readonly notRehearsed: readonly string[];
  /** Where differences were accepted by name: those that the checks found, and what was named in vain. */
  readonly accepted?: readonly AcceptedChange[];
  readonly findings: readonly Finding[];
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
  await requireRewritten(request);
  return withTemporaryFolder('cf-waf-migrate-rehearsal-', request.terraform, (root) =>
    rehearseIn(root, request).catch((error: unknown) => {
      throw request.terraform.signal?.aborted === true
        ? interrupted(error)
        : withHintOfCopy(error, root);
    }),
  );
}

/**
 * Checks that no ruleset is declared for another provider than the last one of the plan: on the copy there is no stop
 * at which the user writes it again, and Terraform refuses every plan of it.
 * @throws MigrationError `REHEARSAL_IMPOSSIBLE`
 */
async function requireRewritten({ plan, folder }: ApplyRequest): Promise<void> {
  const named = new Set(
    plan.findings.flatMap(({ code, subject }) =>
      code === 'RULESET_OF_OTHER_PROVIDER' ? subject : [],
    ),
  );
  if (named.size === 0) return;
  for (const { name, dir, provider } of plan.states) {
    const upgrade = plan.steps.find(
      ({ kind, state }) => kind === 'upgrade-provider' && state === name,
    );
    const major = majorOf(upgrade?.provider ?? provider.from);
    const configuration = await requireConfiguration(dir, folder);
    const declared = configuration === undefined ? [] : declaredRulesets(configuration);
    for (const { address, zoneId = '<zone>', dir: module = dir, majors = [] } of declared) {
      if (!named.has(address) || majors.length === 0 || majors.includes(major)) continue;
      const target = ['--out', module, '--address', address, '--provider', String(major)];
      const command = ['generate', '--zone', zoneId, '--source', 'live', ...target, '--force'];
      throw new MigrationError(
        'REHEARSAL_IMPOSSIBLE',
        `${printable(address, 200)} is written for provider ${majors.join(' or ')}, and the plan ends with provider ${major}, which does not accept it`,
        {
          hint: `write it for provider ${major}, then plan and rehearse again; edit a file of your own, or run:\ncf-waf-migrate ${command.map(posixQuote).join(' ')}`,
        },
      );
    }
  }
}

async function rehearseIn(root: string, request: ApplyRequest): Promise<RehearsalResult> {
  const { folder, addFilesRead, ...copied } = await copyConfigurations(request, join(root, 'tree'));
  // instead of the user's, also of one that a file of settings names
  const cache = join(root, 'plugin-cache');
  mkdirSync(cache);
  // the copy has its own places, and says in each which workspace it is
  const places = { TF_DATA_DIR: undefined, TF_WORKSPACE: undefined, TF_PLUGIN_CACHE_DIR: cache };
  const environment = { ...request.terraform.environment, ...places };
  const terraform = { ...request.terraform, environment };
  const copy = { root, folder, terraform };
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

/** A plan as it is applied to a copy: the local backend there takes no `-backend-config`. */
function planOfCopy(plan: Plan): Plan {
  const stepOf = (step: Step): Step =>
    step.runs === undefined
      ? step
      : {
          ...step,
          runs: step.runs.map(({ argv, ...run }) => ({
            ...run,
            argv: argv.filter((word) => !/^--?backend-config=/.test(word)),
          })),
        };
  return { ...plan, steps: plan.steps.map(stepOf) };
}

/** Whatever failed did so because the user asked to stop. */
function interrupted(cause: unknown): MigrationError {
  return new MigrationError('TERRAFORM_FAILED', 'the rehearsal was interrupted', {
    cause,
    hint: 'run the same command again: nothing was changed, and the copy is deleted',
  });
}

/** What Terraform says of the copy, which is gone: nothing can be done there by hand. */
function withHintOfCopy(error: unknown, root: string): unknown {
  if (!(error instanceof MigrationError) || error.code !== 'TERRAFORM_FAILED') return error;
  if (!error.message.includes(root)) return error;
  return error.withHint(
    hintAnywhere(error.hint) ??
      'check the files that the configuration reads outside of its folders: the copy, which is deleted now, has only those whose path or folder is a literal',
  );
}

/** What the steps came to, and the differences that stopped a check. */
type Outcome = Pick<ApplyResult, 'steps' | 'accepted' | 'findings'> &
  Partial<Pick<RehearsalResult, 'changes'>>;

/** @throws unknown any failure but that of a check */
function withChanges(error: unknown): Outcome {
  if (!(error instanceof MigrationError) || error.code !== 'PLAN_NOT_EMPTY') throw error;
  return { steps: [], changes: error.cause instanceof Differences ? error.cause.changes : [] };
}
