import { existsSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { type StepPlace } from '../../apply/apply-context';
import { secureBackupFolder } from '../../apply/journal/secure-backup-folder';
import { listJournals, openJournal, planCopyPath } from '../../apply/journal/journal';
import { identityOf, stepsToUndo } from '../../apply/rollback/rollback';
import { type Finding } from '../../core/finding';
import { listed } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { readJsonFile } from '../../files/read-files';
import { parsePlan } from '../../plan/parse-saved-plan';
import { BACKUP_FOLDER } from '../../files/backups';
import { type Plan } from '../../plan/plan-schema';
import { isCheck } from '../../plan/steps/step-kinds';
import { applyLine, type PlanInFolder, withFoldersOf } from './next-of-plan';
import { type CliContext } from '../context';
import { commandOf } from '../options';
import { type MakePlanOptions, planByFlags } from './plan-by-flags';

/**
 * The plan of a file.
 * @throws MigrationError `FILE_UNREADABLE`, `PLAN_INVALID`
 */
export async function readSavedPlan(path: string): Promise<Plan> {
  const hint = 'pass the whole plan: cf-waf-migrate plan --out plan.json';
  return parsePlan(await readJsonFile(path, hint));
}

/**
 * The plan that `rehearse` and `apply` run: the given file, that of an interrupted run, or a new plan, which is shown.
 * @param render the shown text of a new plan
 * @throws MigrationError as {@link readSavedPlan} and `planByFlags`
 */
export async function planToRun(
  operand: string,
  options: MakePlanOptions,
  context: CliContext,
  render: (plan: Plan) => string,
): Promise<PlanInFolder & { readonly isNew: boolean }> {
  if (operand !== '') return { ...(await readOperand(operand, context)), isNew: false };
  const run = await findLatestRun(context);
  if (run?.isOpen === true) {
    const journal = printable(relative(context.cwd, run.journal));
    context.notify(`Using the plan of the interrupted run of ${journal}`);
    return { ...run, isNew: false };
  }
  const folder = context.cwd;
  const plan = await planByFlags(options, context, folder);
  context.notify(`${render(plan)}\n`);
  return { plan, folder, file: '', isNew: true };
}

/** The plan of a file that was named on the command line. */
export async function readOperand(operand: string, { cwd }: CliContext): Promise<PlanInFolder> {
  const path = resolve(cwd, operand);
  if (!existsSync(path)) {
    throw new MigrationError('FILE_UNREADABLE', `the plan ${printable(operand)} does not exist`, {
      hint: 'make it:\ncf-waf-migrate plan --out plan.json',
    });
  }
  return { plan: await readSavedPlan(path), folder: dirname(path), file: operand };
}

/** Whether a plan changes nothing, because there is nothing to migrate. */
export const hasOnlyChecks = ({ steps }: Plan): boolean => steps.every(isCheck);

/** A run of `apply` in this folder. */
export interface EarlierRun extends PlanInFolder {
  /** Absolute. */
  readonly journal: string;
  /** Whether a step of its plan remains. */
  readonly isOpen: boolean;
}

/**
 * The latest run of `apply` in this folder that was not rolled back.
 * @throws MigrationError `BACKUP_FOLDER_UNSAFE`, `JOURNAL_INVALID`, `FILE_UNREADABLE`, `PLAN_INVALID`
 */
export async function findLatestRun(context: CliContext): Promise<EarlierRun | undefined> {
  const { cwd } = context;
  await secureBackupFolder(cwd, context);
  for (const journal of listJournals(cwd)) {
    const { entries } = openJournal(journal);
    if (entries.length === 0) continue;
    const plan = await readSavedPlan(planCopyPath(journal));
    return { plan, folder: cwd, file: '', journal, isOpen: entries.at(-1)?.event !== 'end' };
  }
  return undefined;
}

/**
 * A plan of what an interrupted run left is not a plan of the whole migration.
 * @throws MigrationError `RUN_INTERRUPTED`
 */
export async function refuseInterrupted(
  context: CliContext,
  otherwise = 'to plan the present state instead, pass --out',
): Promise<void> {
  const run = await findLatestRun(context);
  if (run?.isOpen !== true) return;
  const journal = printable(relative(context.cwd, run.journal));
  throw new MigrationError('RUN_INTERRUPTED', `the run of ${journal} is not finished`, {
    hint: [
      `resume it, or roll it back; ${otherwise}:`,
      `cf-waf-migrate ${applyLine('', run.plan, {})}`,
      'cf-waf-migrate rollback',
    ].join('\n'),
  });
}

/** @throws MigrationError `JOURNAL_INVALID` if nothing was applied in this folder */
export async function requireLatestRun(context: CliContext, hint: string): Promise<EarlierRun> {
  const run = await findLatestRun(context);
  if (run !== undefined) return run;
  const message =
    listJournals(context.cwd, 'rolled-back').length > 0
      ? 'no run is left in this folder: each was rolled back'
      : `nothing was applied in this folder: there is no journal in ${BACKUP_FOLDER}`;
  throw new MigrationError('JOURNAL_INVALID', message, { hint });
}

/**
 * What the last rollback in this folder left to undo by hand, and the command that lists it.
 * @param run the latest run that was not rolled back. If it is later, and of the same state, nothing is left.
 */
export async function leftOfRollback(
  terraform: StepPlace['terraform'],
  context: CliContext,
  run: EarlierRun | undefined,
): Promise<{ plan: Plan; next: string; finding: Finding } | undefined> {
  const folder = context.cwd;
  const [path] = listJournals(folder, 'rolled-back');
  if (path === undefined || openJournal(path).entries.at(-1)?.event === 'undone') return undefined;
  const plan = await readSavedPlan(planCopyPath(path));
  const states = new Set(plan.states.map(identityOf));
  const isLater =
    run !== undefined &&
    run.plan.states.some((state) => states.has(identityOf(state))) &&
    statSync(run.journal).mtimeMs > statSync(path).mtimeMs;
  const left = isLater ? [] : await stepsToUndo({ plan, folder, terraform });
  if (left.length === 0) return undefined;
  const journal = relative(folder, path);
  const next = `cf-waf-migrate ${commandOf('rollback', journal)}`;
  const forward = `cf-waf-migrate ${withFoldersOf({ plan, folder }, 'plan', context)}`;
  const finding: Finding = {
    ...{ code: 'ROLLBACK_INCOMPLETE', severity: 'decision', subject: journal },
    message: `the last rollback left steps to undo by hand: ${listed(left.map(({ title }) => title))}`,
    remedy: `undo them before Terraform applies anything, or go forward with a new plan:\n${next}\n${forward}`,
  };
  return { plan, next, finding };
}
