import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type ErrorCode } from '../core/error-catalogue';
import { type Finding, hintLines } from '../core/finding';
import { parseJson } from '../core/json';
import { attempt, MigrationError } from '../core/migration-error';
import { posixQuote } from '../core/posix-quote';
import { printable } from '../core/printable';
import { gitIgnore } from '../files/backups';
import { writeFiles } from '../files/write-files';
import {
  hasOnlyChecks,
  plannedState,
  refuseBlockers,
  type Plan,
  type Step,
} from '../plan/plan-schema';
import { isCheck, kindOf } from '../plan/steps/step-kinds';
import {
  type AcceptedChange,
  type ApplyContext,
  type ApplyRequest,
  contextOf,
  placeOf,
} from './apply-context';
import { secureBackupFolder } from './journal/secure-backup-folder';
import {
  backupOf,
  isStarted,
  type Journal,
  journalPath,
  openJournal,
  planCopyPath,
} from './journal/journal';
import { PLAN_LOCK, withLock } from './journal/lock';
import { preflight } from './preflight/preflight';
import { requirePlaces } from './preflight/require-places';
import { openEdits, requirePlannedFiles } from './steps/edit';
import { requireRemovedFromState } from './steps/refuse-edits';
import { stepExecutors } from './steps/step-executors';
import { declaredAgain, staleStack, undeclaredRulesets } from './undeclared-rulesets';
import { requirePromised } from './promised-state';

/** `found`: already done; `waiting`: the user must act; `due`: comes after a waiting step. */
type StepStatus = 'done' | 'found' | 'waiting' | 'due';

interface AppliedStep {
  readonly id: string;
  readonly status: StepStatus;
  /** The addresses of a manual step that are not done, if others are. */
  readonly left?: readonly string[];
}

export interface ApplyResult {
  readonly steps: readonly AppliedStep[];
  readonly journal: string;
  /** Paths of state backups, relative to the folder of the plan. */
  readonly backup: readonly string[];
  /** The accepted differences; absent if none was accepted or named. */
  readonly accepted?: readonly AcceptedChange[];
  readonly findings?: readonly Finding[];
}

/**
 * Applies a plan step by step, and checks at the end that the result matches the plan. A new run detects by
 * state and files which steps are done, and resumes. It stops at the first manual step that is not done.
 *
 * @throws MigrationError `PLAN_INVALID`, `STATE_CHANGED`, `APPLY_RUNNING`, `PLAN_NOT_EMPTY`, and those of
 *   Terraform and of files
 */
export async function applyPlan(request: ApplyRequest): Promise<ApplyResult> {
  const { plan, folder, original } = request;
  refuseBlockers(plan);
  if (original === undefined) {
    requirePlaces(plan, folder, request.terraform.environment);
    await secureBackupFolder(folder, request.terraform);
  }
  const path = join(folder, journalPath(plan.digest));
  return withLock(`${path}.lock`, PLAN_LOCK, async () => {
    const journal = openJournal(path);
    requireJournalOf(plan, journal);
    let isRead = false;
    try {
      const live = await preflight(request, journal.entries);
      isRead = true;
      const { accept = [], report = () => undefined, fault = () => undefined } = request;
      const context = { ...request, journal, live, accept, accepted: [], report, fault };
      // a refusal of these edits leaves no interrupted run
      const selected = request.only === 'edits' ? await selectEdits(context) : undefined;
      beginJournal(context);
      return await endRun(await runSteps(context, selected), context);
    } catch (error) {
      // checks change nothing: a rollback would lead to an earlier run
      const isUndoable = original === undefined && !hasOnlyChecks(plan);
      throw isUndoable ? withRollbackHint(error, plan, journal, isRead) : error;
    }
  });
}

/** Checks that a journal belongs to the plan, and has the plan copy and the backups that a rollback needs. */
function requireJournalOf(plan: Plan, journal: Journal): void {
  const { entries, path } = journal;
  const [first] = entries;
  if (first === undefined) return;
  const invalid = (what: string): MigrationError =>
    new MigrationError('JOURNAL_INVALID', `the journal ${printable(path)} ${what}`);
  if (first.event !== 'begin' || first.digest !== plan.digest) throw invalid('is of another plan');
  const copy = parseJson(attempt(() => readFileSync(planCopyPath(path), 'utf8')) ?? '');
  if (!isDeepStrictEqual(copy, plan)) throw invalid('has no copy of the plan beside it');
  const unsaved = plan.steps.find((step) => isChangedWithoutBackup(step, plan, journal));
  if (unsaved !== undefined) {
    throw invalid(`has no backup of state ${printable(unsaved.state, 80)}, which it changed`);
  }
}

/** Whether a backup is missing though a step that changes its state began. */
function isChangedWithoutBackup(
  { runs = [], state }: Step,
  { steps }: Plan,
  journal: Journal,
): boolean {
  const isBackup = runs.some(({ saveTo }) => saveTo !== undefined);
  if (!isBackup || backupOf(state, journal.entries) !== undefined) return false;
  return steps.some(
    (one) => one.state === state && kindOf(one).changes === 'state' && isStarted(one.id, journal),
  );
}

function beginJournal({ plan, journal, fault }: ApplyContext): void {
  const isFirst = journal.entries.length === 0;
  // lets a rollback run without the original plan file
  const copy = { path: planCopyPath(journal.path), text: `${JSON.stringify(plan, null, 2)}\n` };
  writeFiles([gitIgnore(dirname(journal.path)), ...(isFirst ? [copy] : [])], {
    force: true,
    mode: 0o600,
  });
  fault('plan-copied');
  // also where a run goes forward again after a rollback that was not finished
  if (isFirst || journal.entries.at(-1)?.event === 'rollback')
    journal.append({ event: 'begin', digest: plan.digest });
  fault('journal-begun');
}

type Applied = Pick<ApplyResult, 'steps' | 'findings'>;

/** The edits that need no other step, and a finding for each postponed one. */
interface SelectedEdits {
  readonly edits: readonly Step[];
  readonly findings: readonly Finding[];
}

/** @param selected the only steps to run; it is reported which of the others are done */
async function runSteps(context: ApplyContext, selected?: SelectedEdits): Promise<Applied> {
  const steps: AppliedStep[] = [];
  let waiting: Step | undefined;
  for (const step of context.plan.steps) {
    const { id, kind } = step;
    if (selected?.edits.includes(step) === false) {
      const isDone = await stepExecutors[kind].isDone(contextOf(step, context));
      steps.push({ id, status: isDone ? 'found' : 'due' });
      continue;
    }
    const status = waiting ? 'due' : await applyStep(step, context);
    steps.push({ id, status, ...(status === 'waiting' && (await leftOf(step, context))) });
    if (status === 'waiting') waiting = step;
  }
  const findings = waiting ? await wrongPlaces(waiting, context) : (selected?.findings ?? []);
  return { steps, ...(findings.length > 0 && { findings }) };
}

/** Why a manual step may look unfinished though the user did it. */
async function wrongPlaces({ state }: Step, context: ApplyContext): Promise<Finding[]> {
  const { plan, folder, original = folder } = context;
  const planned = plannedState(plan, state);
  const undeclared = await undeclaredRulesets(context);
  const wrong = undeclared.length > 0 ? undeclared : await declaredAgain({ ...context, planned });
  return [...(await staleStack(planned.dir, original)), ...wrong];
}

async function leftOf(step: Step, context: ApplyContext): Promise<Pick<AppliedStep, 'left'>> {
  const { addresses = [], kind } = step;
  const left = (await stepExecutors[kind].findOpen?.(placeOf(step, context))) ?? addresses;
  return left.length < addresses.length ? { left } : {};
}

async function endRun(applied: Applied, context: ApplyContext): Promise<ApplyResult> {
  const { plan, journal, accept, accepted } = context;
  const { steps } = applied;
  if (steps.every(({ status }) => status === 'done' || status === 'found')) {
    const done = steps.flatMap(({ id, status }) => (status === 'done' ? id : []));
    await requirePromised(context, new Set(done));
    if (!hasEnded(journal)) journal.append({ event: 'end' });
    context.fault('run-ended');
  }
  return {
    ...applied,
    journal: journalPath(plan.digest),
    backup: journal.entries.flatMap((one) => (one.event === 'backup' ? one.file : [])),
    ...(accept.length + accepted.length > 0 && { accepted }),
  };
}

/**
 * Selects the edits of `--only edits`, and checks before the first one that all can be made without the other steps.
 * Postpones the declaration of a ruleset that is not imported yet.
 * @throws MigrationError `CONFIG_EDIT_REFUSED` if a state still has a resource whose block an edit removes,
 *   `CONFIG_CHANGED` if a file differs from the planned one
 */
async function selectEdits(context: ApplyContext): Promise<SelectedEdits> {
  const edits: Step[] = [];
  const findings: Finding[] = [];
  for (const step of context.plan.steps.filter((one) => one.edits)) {
    const { addresses = [] } = step;
    const { current } = contextOf(step, context);
    const isOpen = (await openEdits(step, context)).length > 0;
    if (isOpen && addresses.some((address) => !current.addresses.has(address))) {
      findings.push(postponed(step));
      continue;
    }
    if (isOpen) await requireRemovedFromState(step, context);
    edits.push(step);
  }
  await requirePlannedFiles(edits, context);
  return { edits, findings };
}

function postponed({ id, addresses = [] }: Step): Finding {
  return {
    code: 'EDIT_HELD_BACK',
    severity: 'decision',
    subject: printable(`step ${id}`, 80),
    message: `${printable(addresses.join(', '), 300)} was not declared: the state does not have it, and Terraform would plan to create a ruleset that exists`,
    remedy: 'run `apply` without --only: it declares and imports the ruleset',
  };
}

const hasEnded = ({ entries }: Journal): boolean => entries.at(-1)?.event === 'end';

/** Runs a step. The journal records the start before any change, and the end of a step that does not wait. */
async function applyStep(step: Step, context: ApplyContext): Promise<StepStatus> {
  const { id, title } = step;
  const { report, journal, fault } = context;
  const executor = stepExecutors[step.kind];
  const end = (status: 'found' | 'waiting' | 'done'): StepStatus => {
    report({ step: id, title, status });
    return status;
  };
  const own = contextOf(step, context);
  if (await executor.isDone(own)) return end('found');
  if (executor.run === undefined) return end('waiting');
  report({ step: id, title, status: 'started' });
  // a check that is repeated after the end reopens nothing
  const isRecorded = !isCheck(step) || !hasEnded(journal);
  if (isRecorded) journal.append({ event: 'start', step: id });
  fault('step-started');
  try {
    if ((await executor.run(own)) === 'waiting') return end('waiting');
  } catch (error) {
    report({ step: id, title, status: 'failed' });
    throw error;
  }
  if (isRecorded) journal.append({ event: 'done', step: id });
  fault('step-done');
  return end('done');
}

/** Errors after which neither a new run nor a new plan may help, so that a rollback is an option. */
const rollbackHelps: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'PLAN_NOT_EMPTY',
  'TERRAFORM_FAILED',
  'CONFIG_CHANGED',
  'CONFIG_EDIT_REFUSED',
  'RULESET_NOT_LIVE',
]);

/**
 * Adds the rollback command to the hint of an error if the run may have changed something.
 * @param isRead whether Terraform could read the states: if not, a rollback would fail too
 */
function withRollbackHint(error: unknown, plan: Plan, journal: Journal, isRead: boolean): unknown {
  const isOpen = journal.entries.some(({ event }) => event === 'start') && !hasEnded(journal);
  if (!isOpen || !(error instanceof MigrationError) || !rollbackHelps.has(error.code)) return error;
  const { code } = error;
  if (code === 'TERRAFORM_FAILED' && !isRead) return error;
  const remedy = remedyOf(error, plan, journal);
  const rollback = `cf-waf-migrate rollback ${posixQuote(journal.path)}`;
  const lines = hintLines(remedy);
  return error.withHint(
    // commands stay at the end, one a line
    lines.length > 1
      ? `restore the state and files from before with the last command, or ${lines.join('\n')}\n${rollback}`
      : `${remedy}; or restore the state and files from before:\n${rollback}`,
  );
}

function remedyOf({ code, hint }: MigrationError, { steps }: Plan, { entries }: Journal): string {
  if (code === 'CONFIG_CHANGED')
    return 'restore the file that the plan was made for, then run the same command again';
  const upgrade = steps.find(({ kind }) => kind === 'upgrade-provider');
  const isUpgraded = entries.some((one) => one.event === 'done' && one.step === upgrade?.id);
  if (code !== 'TERRAFORM_FAILED' || !isUpgraded || upgrade === undefined) return hint;
  return `check in the plan that all of step ${upgrade.id} and the remedies of its decisions were done, then run the same command again; otherwise ${hint}`;
}
