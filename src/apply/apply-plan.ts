import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type ErrorCode } from '../core/error-catalogue';
import { type Finding } from '../core/finding';
import { parseJson } from '../core/json';
import { attempt, MigrationError } from '../core/migration-error';
import { posixQuote } from '../core/posix-quote';
import { printable } from '../core/printable';
import { writeFiles } from '../files/write-files';
import { refuseBlockers } from '../plan/findings';
import { type Plan, type Step } from '../plan/plan';
import { ERRORED_STATE } from '../terraform/subcommands';
import { type AcceptedChange, unusedAcceptances } from './accept-changes';
import { type ApplyContext, type ApplyRequest } from './apply-context';
import { removeParts, secureBackupFolder } from './journal/backup-folder';
import {
  type Journal,
  journalPath,
  openJournal,
  planCopyPath,
  sinceRollback,
} from './journal/journal';
import { PLAN_LOCK, withLock } from './journal/lock';
import { preflight } from './preflight/preflight';
import { requirePlaces } from './preflight/require-places';
import { stepKinds } from './steps/step-kinds';
import { requirePromised } from './verify-plan';
import * as editsAlone from './edits-alone';

/** The command's JSON. */
export interface ApplyResult {
  readonly steps: readonly {
    readonly id: string;
    readonly status: 'done' | 'found' | 'waiting' | 'due';
  }[];
  readonly journal: string;
  /** Backups of states, relative to the folder of the plan. */
  readonly backup: readonly string[];
  /** Where differences were accepted by name: those that the checks found. */
  readonly accepted?: readonly AcceptedChange[];
  /** What was named in vain, edits that were held back, and states that lie about. */
  readonly findings?: readonly Finding[];
}

/**
 * Carries a plan out, step by step. Run again after anything that stopped it, it finds out by state
 * and files what is done, and goes on; it stops at the first step that a person has to do.
 *
 * @throws MigrationError `PLAN_INVALID`, `STATE_CHANGED`, `APPLY_RUNNING`, `PLAN_NOT_EMPTY`, and those
 *   of Terraform and of files
 */
export async function applyPlan(request: ApplyRequest): Promise<ApplyResult> {
  const { plan, folder } = request;
  refuseBlockers(plan);
  if (request.isCopy !== true) {
    requirePlaces(plan, folder, request.terraform.environment);
    await secureBackupFolder(folder, request.terraform);
  }
  const path = join(folder, journalPath(plan.digest));
  return withLock(`${path}.lock`, PLAN_LOCK, async () => {
    const journal = openJournal(path);
    requireOwn(journal, plan);
    removeParts(plan, folder);
    try {
      return await begin(request, journal);
    } catch (error) {
      throw request.isCopy === true ? error : withWayBack(error, journal);
    }
  });
}

async function begin(request: ApplyRequest, journal: Journal): Promise<ApplyResult> {
  const { plan, folder } = request;
  const live = await preflight(request, journal.entries);
  const fault = request.fault ?? ((): void => undefined);
  // a pull request can ship another one
  const ignore = { path: join(dirname(journal.path), '.gitignore'), text: '*\n' };
  // beside the journal, so that a rollback needs nothing else
  const copy = { path: planCopyPath(journal.path), text: `${JSON.stringify(plan, null, 2)}\n` };
  const isFirst = journal.entries.length === 0;
  writeFiles([ignore, ...(isFirst ? [copy] : [])], { force: true, mode: 0o600 });
  fault('plan-copied');
  if (isFirst) journal.append({ event: 'begin', digest: plan.digest });
  fault('journal-begun');
  const { terraform, report, accept = [], only } = request;
  const accepted: AcceptedChange[] = [];
  const ports = { terraform, journal, report, fault };
  const result = await carryOut({ plan, folder, live, accept, accepted, ...ports }, only);
  return accept.length + accepted.length === 0
    ? result
    : {
        ...result,
        accepted,
        findings: [...(result.findings ?? []), ...unusedAcceptances(accept, accepted)],
      };
}

/**
 * A journal is of the plan, and has beside it what a rollback needs.
 * @throws MigrationError `JOURNAL_INVALID`
 */
function requireOwn({ entries, path }: Journal, plan: Plan): void {
  const { digest, steps } = plan;
  const [first] = entries;
  if (first === undefined) return;
  const invalid = (what: string): MigrationError =>
    new MigrationError('JOURNAL_INVALID', `the journal ${printable(path)} ${what}`);
  if (first.event !== 'begin' || first.digest !== digest) throw invalid('is of another plan');
  const copy = parseJson(attempt(() => readFileSync(planCopyPath(path), 'utf8')) ?? '');
  if (!isDeepStrictEqual(copy, plan)) throw invalid('has no copy of the plan beside it');
  const started = new Set(entries.map((one) => (one.event === 'start' ? one.step : undefined)));
  const saved = new Set(entries.map((one) => (one.event === 'backup' ? one.state : undefined)));
  const unsaved = steps
    .filter(({ kind, state }) => kind === 'backup' && !saved.has(state))
    .find(({ state }) =>
      steps.some((one) => one.state === state && changesState(one) && started.has(one.id)),
    );
  if (unsaved !== undefined) {
    throw invalid(`has no backup of state ${printable(unsaved.state, 80)}, which it changed`);
  }
}

function changesState({ expects: { gone, present } = {} }: Step): boolean {
  return (gone ?? present) !== undefined;
}

async function carryOut(context: ApplyContext, only: ApplyRequest['only']): Promise<ApplyResult> {
  const { plan, journal, report, fault } = context;
  const steps: { id: string; status: 'done' | 'found' | 'waiting' | 'due' }[] = [];
  const alone = only === 'edits' ? editsAlone : undefined;
  await alone?.requireEdits(context);
  for (const step of plan.steps) {
    const { id, title, kind } = step;
    const executor = stepKinds[kind];
    if (await alone?.isLeftOut(step, context)) {
      steps.push({ id, status: (await executor.isDone(step, context)) ? 'found' : 'due' });
      continue;
    }
    const before = steps.at(-1)?.status;
    const isWaiting = only === undefined && (before === 'waiting' || before === 'due');
    if (isWaiting) {
      steps.push({ id, status: 'due' });
      continue;
    }
    if (await executor.isDone(step, context)) {
      report({ step: id, title, status: 'found' });
      steps.push({ id, status: 'found' });
      continue;
    }
    if (executor.run === undefined) {
      report({ step: id, title, status: 'waiting' });
      steps.push({ id, status: 'waiting' });
      continue;
    }
    report({ step: id, title, status: 'started' });
    journal.append({ event: 'start', step: id });
    fault('step-started');
    const known = context.accepted.length;
    if ((await executor.run(step, context)) === 'waiting') {
      report({ step: id, title, status: 'waiting' });
      steps.push({ id, status: 'waiting' });
      continue;
    }
    const accepted = context.accepted.slice(known);
    journal.append({ event: 'done', step: id, ...(accepted.length > 0 && { accepted }) });
    fault('step-done');
    report({ step: id, title, status: 'done' });
    steps.push({ id, status: 'done' });
  }
  const isDone = steps.every(({ status }) => status === 'done' || status === 'found');
  if (isDone) {
    const done = steps.filter(({ status }) => status === 'done').map(({ id }) => id);
    await requirePromised(context, new Set(done));
  }
  const findings = [
    ...((await alone?.heldBack(context)) ?? []),
    ...(isDone ? erroredStates(plan, context.folder) : []),
  ];
  return {
    steps,
    journal: journalPath(plan.digest),
    backup: backupsOf(journal),
    ...(findings.length > 0 && { findings }),
  };
}

function backupsOf({ entries }: Journal): string[] {
  return entries.flatMap((one) => (one.event === 'backup' ? [one.file] : []));
}

/**
 * States that lie in the folders of a plan, since a backend refused them once. Whose run left one is
 * not known: one of before this plan may be the only record of resources that were made, so none is called worthless.
 */
export function erroredStates({ states }: Plan, folder: string): Finding[] {
  const files = new Set(states.map(({ dir }) => join(dir, ERRORED_STATE)));
  return [...files]
    .filter((file) => existsSync(join(folder, file)))
    .map((file) => ({
      code: 'ERRORED_STATE_LEFT',
      severity: 'info',
      subject: printable(file, 200),
      message: `${printable(file, 200)} holds a state that its backend once refused: push it nowhere as it is, since the state has changed after it`,
      remedy:
        'delete the file if a run of this plan left it; if it was there before, look first whether all of its resources are in the state: what is not was made, and is recorded nowhere else',
    }));
}

/** What can stop a run in the middle for good, where to plan again does not help. */
const inTheMiddle: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'PLAN_NOT_EMPTY',
  'TERRAFORM_FAILED',
  'CONFIG_CHANGED',
  'CONFIG_EDIT_REFUSED',
  'RULESET_NOT_LIVE',
]);

/** What Terraform says where somebody else does the same meanwhile: to go back would undo their work. */
const meanwhile =
  /Resource already managed by Terraform|Saved plan is stale|No matching objects found/;

/** The error of a run; where something may have been changed, its remedy says how to go back, from any folder. */
export function withWayBack(error: unknown, { entries, path }: Journal): unknown {
  const isBegun = sinceRollback(entries).some(({ event }) => event === 'start');
  if (!isBegun || !(error instanceof MigrationError) || !inTheMiddle.has(error.code)) return error;
  const { message, cause } = error;
  const said = cause instanceof Error ? cause.message : '';
  const back = `cf-waf-migrate rollback ${posixQuote(path)}`;
  return error.withHint(
    meanwhile.test(`${message} ${said}`)
      ? 'somebody else has written the state meanwhile: run the same command again, which finds out what is done, or plan again'
      : `${remedyOf(error)}; or go back: ${back}`,
  );
}

function remedyOf({ code, hint }: MigrationError): string | undefined {
  return code === 'CONFIG_CHANGED'
    ? 'put the file back as it was when the plan was made, and run the same command again'
    : hint;
}
