import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type StepPlace } from '../../apply/apply-context';
import { secureBackupFolder } from '../../apply/journal/secure-backup-folder';
import { lastEvent, listJournals, openJournal, planCopyPath } from '../../apply/journal/journal';
import { identityOf, stepsToUndo } from '../../apply/rollback/rollback';
import { applyEdits, isEdited } from '../../apply/steps/edit';
import { type Finding, renderFindings } from '../../core/finding';
import { listed } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { readJsonFile } from '../../files/read-files';
import { writeFiles } from '../../files/write-files';
import { isPlanText, planFormats } from '../../plan/formats/plan-formats';
import { parsePlan } from '../../plan/parse-saved-plan';
import { BACKUP_FOLDER, gitIgnore } from '../../files/backups';
import { changedStates, type Plan, refuseBlockers } from '../../plan/plan-schema';
import { isCheck, isManual } from '../../plan/steps/step-kinds';
import {
  applyLine,
  type PlanInFolder,
  progressOf,
  rollbackLine,
  withFoldersOf,
} from './next-of-plan';
import { type CliContext } from '../context';
import { commandOf } from '../options';
import { withProgram } from '../output';
import { type MakePlanOptions, planByFlags, type PlanOptions } from './plan-by-flags';

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
  if (run?.isRollingBack) throw notFinished(run, context);
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
  /** Whether a step of its plan remains, and no rollback has begun. */
  readonly isOpen: boolean;
  /** Whether a rollback has begun that did not restore everything. */
  readonly isRollingBack: boolean;
}

/**
 * The latest run of `apply` in a folder that was not rolled back.
 * @param folder of plans; default: this folder
 * @throws MigrationError `BACKUP_FOLDER_UNSAFE`, `JOURNAL_INVALID`, `FILE_UNREADABLE`, `PLAN_INVALID`
 */
export async function findLatestRun(
  context: CliContext,
  folder = context.cwd,
): Promise<EarlierRun | undefined> {
  await secureBackupFolder(folder, context);
  for (const journal of listJournals(folder)) {
    const { entries } = openJournal(journal);
    if (entries.length === 0) continue;
    const plan = await readSavedPlan(planCopyPath(journal));
    const run = { plan, folder, file: '', journal };
    const progress = progressOf(run);
    return { ...run, isOpen: progress === 'begun', isRollingBack: progress === 'rolling back' };
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
  if (run && (run.isOpen || run.isRollingBack)) throw notFinished(run, context, otherwise);
}

function notFinished(run: EarlierRun, context: CliContext, otherwise?: string): MigrationError {
  const journal = printable(relative(context.cwd, run.journal));
  const [what, ways, ...commands] = run.isRollingBack
    ? ['rollback of the run', 'run it again']
    : ['run', 'resume it, or roll it back', `cf-waf-migrate ${applyLine('', run.plan, {})}`];
  return new MigrationError('RUN_INTERRUPTED', `the ${what} of ${journal} is not finished`, {
    hint: [
      `${[ways, otherwise].filter(Boolean).join('; ')}:`,
      ...commands,
      `cf-waf-migrate ${rollbackLine(run, context)}`,
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

/** What a rollback left, its command from the working directory, and the plan that it rolled back. */
export interface LeftOfRollback {
  readonly plan: Plan;
  readonly next: string;
  readonly finding: Finding;
}

/**
 * What the last rollback in a folder left: all, if it was not finished, or steps to undo by hand.
 * @param folder of plans
 * @param run the latest run there that was not rolled back. If it is later, and of the same state, nothing is left.
 */
export async function leftOfRollback(
  folder: string,
  run: EarlierRun | undefined,
  terraform: StepPlace['terraform'],
  context: CliContext,
): Promise<LeftOfRollback | undefined> {
  if (run?.isRollingBack) {
    const about = {
      subject: relative(context.cwd, run.journal),
      message: 'the rollback of the last run is not finished',
      remedy: 'run it again before Terraform applies anything:',
    };
    return rollbackFinding(run.plan, [rollbackLine(run, context)], about, context);
  }
  for (const path of listJournals(folder, 'rolled-back')) {
    if (lastEvent(path) === 'undone') continue;
    const plan = await readSavedPlan(planCopyPath(path));
    const isLater = run !== undefined && isLaterThan(run, path, plan);
    const left = isLater ? [] : await stepsToUndo({ plan, folder, terraform });
    if (left.length === 0) continue;
    const subject = relative(context.cwd, path);
    const forward = withFoldersOf({ plan, folder }, 'plan', context);
    const about = {
      subject,
      message: `the last rollback left steps to undo by hand: ${listed(left.map(({ title }) => title))}`,
      remedy: 'undo them before Terraform applies anything, or go forward with a new plan:',
    };
    return rollbackFinding(plan, [commandOf('rollback', subject), forward], about, context);
  }
  return undefined;
}

/** Whether a run of a state of the same plan was later than its rollback. */
function isLaterThan(run: EarlierRun, rolledBack: string, { states }: Plan): boolean {
  const same = new Set(states.map(identityOf));
  return (
    run.plan.states.some((state) => same.has(identityOf(state))) &&
    statSync(run.journal).mtimeMs > statSync(rolledBack).mtimeMs
  );
}

/** @param commands that follow the remedy, the rollback first */
function rollbackFinding(
  plan: Plan,
  commands: readonly [string, ...string[]],
  { remedy, ...about }: Pick<Finding, 'subject' | 'message' | 'remedy'>,
  context: CliContext,
): LeftOfRollback {
  const finding: Finding = {
    ...{ code: 'ROLLBACK_INCOMPLETE', severity: 'decision', ...about },
    remedy: [remedy, ...commands.map((one) => withProgram(one, context))].join('\n'),
  };
  return { plan, next: `cf-waf-migrate ${commands[0]}`, finding };
}

/**
 * Saves a plan for `apply`, makes its edits with `--write`, and shows its decisions and blockers.
 * @param path of the saved plan; undefined saves nothing
 * @param folder that the paths of the plan are relative to
 * @returns the saved plan, whether it was written or kept, its decisions and blockers, and whether a manual step remains
 *   after the edits
 * @throws MigrationError `FILE_EXISTS` if the file is not an earlier plan, and those of {@link requireWritable}
 */
export async function savePlan(
  plan: Plan,
  path: string | undefined,
  folder: string,
  { write = false, force = false }: PlanOptions,
  context: CliContext,
) {
  if (write) requireWritable(plan);
  const kept = write && !force ? await planBeforeEdits(plan, path, folder) : undefined;
  if (kept !== undefined) {
    context.notify('The edits of the saved plan are made, so it is kept. --force replaces it.');
  } else if (path !== undefined) {
    // before the edits, because it cannot be made again from edited files
    writeFiles([{ path, text: planFormats.json.render(plan) }], { force, mayReplace: isPlanText });
  }
  const saved = kept ?? plan;
  const isManual = write && (await writeEdits(saved, folder, context));
  const did = kept === undefined ? 'wrote' : 'kept';
  const open = showOpen(saved, context);
  return {
    plan: saved,
    did,
    open,
    isManual,
    exitCode: isManual || open.length > 0 ? 2 : 0,
  } as const;
}

/** The plan in a file whose edits are made already. A plan of the edited files lacks its decisions. */
async function planBeforeEdits(plan: Plan, path = '', folder: string): Promise<Plan | undefined> {
  if (!isEdited(plan, folder)) return undefined;
  const read = readJsonFile(path).then(parsePlan);
  const earlier = await read.catch(() => undefined);
  return earlier !== undefined && isEdited(earlier, folder) ? earlier : undefined;
}

/** Prints the decisions and blockers of a plan on standard error too, unless the user reads standard output as well. */
function showOpen({ findings }: Plan, { terminals, stderr }: CliContext): Finding[] {
  const open = findings.filter(({ severity }) => severity !== 'info');
  const lines = terminals.stdout || terminals.areOneFile ? [] : renderFindings(open);
  stderr(lines.map((line) => `${line}\n`).join(''));
  return open;
}

/**
 * Refuses `--write` if a state has another method than blocks: without the removal from state before them, its edits
 * would make the next `terraform apply` destroy or create resources.
 * @throws MigrationError `METHOD_UNSUITABLE`, and those of {@link refuseBlockers}
 */
function requireWritable(plan: Plan): void {
  refuseBlockers(plan);
  const other = changedStates(plan).find(({ method }) => method !== 'blocks');
  if (other === undefined) return;
  throw new MigrationError(
    'METHOD_UNSUITABLE',
    `--write does not work for state ${printable(other.name, 80)}: nothing of the legacy WAF is left for method blocks, and the plan changes the state with commands`,
    {
      hint: 'leave out --method and --write, then apply the plan, in a pipeline too: cf-waf-migrate apply <plan> --yes',
    },
  );
}

/**
 * Makes the edits of a plan, for a pull request.
 * @returns whether a manual step remains, because CDKTF programs are not edited
 */
async function writeEdits(
  { steps }: Plan,
  folder: string,
  { cwd, notify }: CliContext,
): Promise<boolean> {
  const edits = steps.flatMap((step) => step.edits ?? []);
  const written = await applyEdits(edits, folder);
  // the printed command saves the state there, which is no part of the pull request
  writeFiles([gitIgnore(join(cwd, BACKUP_FOLDER))], { force: true, mode: 0o600 });
  for (const { file, sha256After } of written) {
    const did = sha256After === null ? 'deleted' : 'wrote';
    notify(`${did} ${printable(join(folder, file))}`);
  }
  const manual = steps.filter(isManual).map(({ id }) => id);
  if (manual.length === 0) return false;
  notify(`step ${manual.join(', ')} is manual: change the program`);
  return true;
}
