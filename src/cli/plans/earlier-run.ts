import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { placeOf } from '../../apply/apply-context';
import { secureBackupFolder } from '../../apply/journal/secure-backup-folder';
import {
  doneSteps,
  type JournalEntry,
  lastEvent,
  listJournals,
  openJournal,
  planCopyPath,
} from '../../apply/journal/journal';
import { otherWorkspace } from '../../apply/preflight/require-places';
import { identityOf } from '../../apply/rollback/other-runs';
import { stepsToUndo } from '../../apply/rollback/rollback';
import { stepExecutors } from '../../apply/steps/step-executors';
import { type Finding } from '../../core/finding';
import { listed } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type Plan, type Step } from '../../plan/plan-schema';
import { readSavedPlan } from '../../plan/parse-saved-plan';
import { isManual } from '../../plan/steps/step-kinds';
import { type TerraformSettings } from '../../terraform/run-terraform';
import { type CliContext } from '../context';
import { commandOf } from '../options';
import { withProgram } from '../output';
import { applyLine, type PlanInFolder, rollbackLine } from './plan-text';
import { type MakePlanOptions, planByFlags } from './plan-by-flags';
import { readOperand } from './saved-plan';
import { progressOf } from '../../apply/journal/progress';

/**
 * The plan that `rehearse` and `apply` run: the given file, that of an interrupted run, or a new plan, which is shown.
 * @param render the shown text of a new plan
 */
export async function planToRun(
  operand: string,
  options: MakePlanOptions,
  context: CliContext,
  render: (plan: Plan) => string,
): Promise<PlanInFolder & { readonly isNew: boolean }> {
  if (operand !== '') return { ...(await readOperand(operand, context)), isNew: false };
  const run = await findLatestRun(context);
  if (run?.progress === 'rolling back') throw notFinished(run, context);
  if (run?.progress === 'begun') {
    const journal = printable(relative(context.cwd, run.journal));
    context.notify(`Using the plan of the interrupted run of ${journal}`);
    return { ...run, isNew: false };
  }
  const folder = context.cwd;
  const plan = await planByFlags(options, context, folder);
  context.notify(`${render(plan)}\n`);
  return { plan, folder, place: '', file: '', isNew: true };
}

/** A run of `apply` in this folder. */
export interface EarlierRun extends PlanInFolder {
  /** Absolute. */
  readonly journal: string;
  /** `begun`: a step of its plan remains. `rolling back`: a rollback did not restore everything. */
  readonly progress: ReturnType<typeof progressOf>;
  /** The workspace that its commands need, if another one is selected. */
  readonly workspace: string | undefined;
}

/**
 * The latest run of `apply` in a folder that was not rolled back, if possible one of the selected workspace.
 * @param folder of plans; default: this folder
 */
export async function findLatestRun(
  context: CliContext,
  folder = context.cwd,
): Promise<EarlierRun | undefined> {
  await secureBackupFolder(folder, context);
  let other: EarlierRun | undefined;
  for (const journal of listJournals(folder)) {
    const { entries } = openJournal(journal);
    if (entries.length === 0) continue;
    const plan = await readSavedPlan(planCopyPath(journal));
    const place = relative(context.cwd, folder);
    const progress = progressOf({ plan, folder });
    const workspace = otherWorkspace(plan, folder, context.environment);
    const run: EarlierRun = { plan, folder, place, file: '', journal, progress, workspace };
    if (workspace === undefined) return run;
    other ??= run;
  }
  return other;
}

/** The manual step at which a run waits; undefined if the user has done it, or if the run was interrupted elsewhere. */
export async function openStepOf(
  { plan, folder, journal }: EarlierRun,
  terraform: TerraformSettings,
): Promise<Step | undefined> {
  for (const step of reachedSteps(plan, openJournal(journal).entries)) {
    const place = placeOf(step, { plan, folder, terraform });
    // the user must check a configuration that cannot be read
    const open = await stepExecutors[step.kind].findOpen?.(place).catch(() => undefined);
    if (open?.length !== 0) return step;
  }
  return undefined;
}

/** The manual steps that a run has reached, one after another; none if it was interrupted in another step. */
function reachedSteps({ steps }: Plan, entries: readonly JournalEntry[]): readonly Step[] {
  const last = entries.at(-1);
  const ids = steps.map(({ id }) => id);
  const begun = last?.event === 'start' ? steps[ids.indexOf(last.step)] : undefined;
  // `apply` installs a provider when the user has set its version
  if (begun !== undefined) return begun.provider === undefined ? [] : [begun];
  const done = doneSteps(entries).map((id) => ids.indexOf(id));
  const left = steps.slice(Math.max(-1, ...done) + 1);
  const automatic = left.findIndex((one) => !isManual(one));
  return automatic === -1 ? left : left.slice(0, automatic);
}

/** A plan of what an interrupted run left is not a plan of the whole migration. */
export async function refuseInterrupted(
  context: CliContext,
  otherwise = 'to plan the present state instead, pass --out',
): Promise<void> {
  const run = await findLatestRun(context);
  if (run?.progress === 'rolling back' || run?.progress === 'begun') {
    throw notFinished(run, context, otherwise);
  }
}

function notFinished(run: EarlierRun, context: CliContext, otherwise?: string): MigrationError {
  const place = inWorkspace(run.workspace, context);
  const journal = printable(relative(context.cwd, run.journal));
  const [what, ways, ...commands] =
    run.progress === 'rolling back'
      ? ['rollback of the run', 'run it again']
      : ['run', 'resume it, or roll it back', applyLine('', run.plan)];
  return new MigrationError('RUN_INTERRUPTED', `the ${what} of ${journal} is not finished`, {
    hint: [
      `${[ways, otherwise].filter(Boolean).join('; ')}:`,
      ...[...commands, rollbackLine(run, context)].map((one) => withProgram(one, place)),
    ].join('\n'),
  });
}

/** @throws MigrationError `JOURNAL_INVALID` if this folder has no journal: that of a plan is beside the plan */
export async function requireLatestRun(context: CliContext, hint: string): Promise<EarlierRun> {
  const run = await findLatestRun(context);
  if (run !== undefined) return run;
  const message =
    listJournals(context.cwd, 'rolled-back').length > 0
      ? 'the last run of `apply` in this folder is rolled back already'
      : 'no run of `apply` in this folder';
  throw new MigrationError('JOURNAL_INVALID', message, { hint });
}

/** What a rollback left, its command from the working directory, and the plan that it rolled back. */
export interface LeftOfRollback {
  readonly plan: Plan;
  readonly next: string;
  readonly finding: Finding;
}

/**
 * What the last rollback in a folder left: all, if it was not finished, or steps to undo by hand.
 * @param folder of plans
 * @param run the latest run there that was not rolled back. If it is later and interrupted, it comes first.
 */
export async function leftOfRollback(
  folder: string,
  run: EarlierRun | undefined,
  terraform: TerraformSettings,
  context: CliContext,
): Promise<LeftOfRollback | undefined> {
  if (run?.progress === 'rolling back') {
    const subject = relative(context.cwd, run.journal);
    const message = 'the rollback of the last run is not finished';
    const remedy = 'run it again before Terraform applies anything:';
    return rollbackFinding({ subject, message, remedy }, run, rollbackLine(run, context), context);
  }
  const isBegun = run?.progress === 'begun';
  for (const path of listJournals(folder, 'rolled-back')) {
    if (lastEvent(path) === 'undone') continue;
    const plan = await readSavedPlan(planCopyPath(path));
    const isSecond = isBegun && isNewer(run.journal, path);
    const isLater = isSecond || (await isReplaced(path, plan, folder));
    const left = isLater ? [] : await stepsToUndo({ plan, folder, terraform });
    if (left.length === 0) continue;
    const subject = relative(context.cwd, path);
    const message = `the last rollback left steps to undo by hand: ${listed(left.map(({ title }) => title))}`;
    const remedy =
      'undo them before Terraform applies anything, or go forward with `plan --out` and `apply`; to see them:';
    const next = commandOf('rollback', {}, subject);
    return rollbackFinding({ subject, message, remedy }, { plan, folder }, next, context);
  }
  return undefined;
}

/** Whether a later run has a state of a plan that was rolled back. */
async function isReplaced(path: string, { states }: Plan, folder: string): Promise<boolean> {
  const own = new Set(states.map(identityOf));
  for (const journal of listJournals(folder)) {
    if (!isNewer(journal, path)) continue;
    const later = await readSavedPlan(planCopyPath(journal));
    if (later.states.some((state) => own.has(identityOf(state)))) return true;
  }
  return false;
}

const isNewer = (one: string, other: string): boolean =>
  statSync(one).mtimeMs > statSync(other).mtimeMs;

/** @param next the command that follows the remedy */
function rollbackFinding(
  { remedy, ...about }: Pick<Finding, 'subject' | 'message' | 'remedy'>,
  { plan, folder }: Pick<PlanInFolder, 'plan' | 'folder'>,
  next: string,
  context: CliContext,
): LeftOfRollback {
  const workspace = otherWorkspace(plan, folder, context.environment);
  const finding: Finding = {
    code: 'ROLLBACK_INCOMPLETE',
    severity: 'decision',
    ...about,
    remedy: `${remedy}\n${withProgram(next, inWorkspace(workspace, context))}`,
  };
  // the workspace of the environment is added where it is printed
  return { plan, next: withProgram(next, inWorkspace(workspace, { environment: {} })), finding };
}

type Place = Pick<CliContext, 'environment'>;

/** @param workspace that a command needs, if another one is selected */
const inWorkspace = (workspace: string | undefined, place: Place): Place =>
  workspace === undefined ? place : { environment: { TF_WORKSPACE: workspace } };
