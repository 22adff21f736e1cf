import { join } from 'node:path';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { binaryObstacle } from '../../plan/choose-order';
import { type Plan } from '../../plan/plan';
import { readTerraformVersion } from '../../terraform/read-terraform-version';
import { type TerraformOptions } from '../../terraform/run-terraform';
import { statePull } from '../../terraform/state-pull';
import { type ApplyContext, type StepEvent } from './apply-context';
import { type FaultPoint } from './fault-points';
import { type Journal, openJournal } from './journal';
import { type LiveState, readLiveState, requirePlanned } from './live-state';
import { writeFiles } from '../write-files';
import { requirePlaces } from './require-places';
import { stepKinds } from './step-kinds';
import { withLock } from './with-lock';

/** What to carry out, and with what. */
export interface ApplyRequest {
  readonly plan: Plan;
  /** The folder of the plan. */
  readonly folder: string;
  readonly terraform: Omit<TerraformOptions, 'dir'>;
  readonly report: (event: StepEvent) => void;
  readonly fault?: (point: FaultPoint) => void;
  /** Edits alone: the state is left as it is, and edits that would make it dangerous are refused. */
  readonly only?: 'edits' | undefined;
  /** Asks the service about the rulesets of the plan, before anything is changed. */
  readonly checkRulesets?: (() => Promise<void>) | undefined;
  /** Whether the folder is a copy, whose places are its own. */
  readonly isCopy?: boolean;
}

/** The command's JSON. */
export interface ApplyResult {
  readonly steps: readonly {
    readonly id: string;
    readonly status: 'done' | 'found' | 'waiting' | 'due';
  }[];
  readonly journal: string;
  /** Backups of states, relative to the folder of the plan. */
  readonly backup: readonly string[];
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
  if (request.isCopy !== true) requirePlaces(plan, folder, request.terraform.environment);
  const path = join(folder, journalPath(plan));
  return withLock(`${path}.lock`, async () => {
    const journal = openJournal(path);
    const isFirstRun = !journal.entries.some(({ event }) => event === 'start');
    const live = await readStates(request, isFirstRun);
    if (isFirstRun) await request.checkRulesets?.();
    await requireBinary(request);
    const fault = request.fault ?? ((): void => undefined);
    if (journal.entries.length === 0) {
      // beside the journal, so that a rollback needs nothing else
      const text = `${JSON.stringify(plan, null, 2)}\n`;
      writeFiles([{ path: planCopyPath(path), text }], { force: true });
      fault('plan-copied');
      journal.append({ event: 'begin', digest: plan.digest });
    }
    fault('journal-begun');
    const { terraform, report } = request;
    const context = { plan, folder, terraform, journal, live, report, fault };
    return carryOut(context, request.only);
  });
}

/** Where the journal of a plan is, relative to the folder of the plan. */
export function journalPath(plan: Plan): string {
  return `cf-waf-migrate-backup/${plan.digest.slice(0, 12)}.journal.jsonl`;
}

/** The copy of the plan that lies beside its journal. */
export function planCopyPath(journal: string): string {
  return journal.replace(/\.journal\.jsonl$/, '') + '.plan.json';
}

async function carryOut(context: ApplyContext, only: ApplyRequest['only']): Promise<ApplyResult> {
  const { plan, journal, report, fault } = context;
  const steps: { id: string; status: 'done' | 'found' | 'waiting' | 'due' }[] = [];
  for (const step of plan.steps) {
    const { id, title, kind } = step;
    const executor = stepKinds[kind];
    if (only === 'edits' && kind !== 'edit') {
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
    await executor.run(step, context);
    journal.append({ event: 'done', step: id });
    fault('step-done');
    report({ step: id, title, status: 'done' });
    steps.push({ id, status: 'done' });
  }
  return { steps, journal: journalPath(plan), backup: backupsOf(journal) };
}

function backupsOf({ entries }: Journal): string[] {
  return entries.flatMap((one) => (one.event === 'backup' ? [one.file] : []));
}

/** Before anything is changed: the states that were planned for, and nothing else. */
async function readStates(
  { plan, folder, terraform }: ApplyRequest,
  isFirstRun: boolean,
): Promise<Map<string, LiveState>> {
  const live = new Map<string, LiveState>();
  for (const planned of plan.states) {
    const state = readLiveState(await statePull({ ...terraform, dir: join(folder, planned.dir) }));
    requirePlanned(state, planned, isFirstRun);
    live.set(planned.name, state);
  }
  return live;
}

/**
 * Only blocks ask for more than any Terraform of today does: it is looked at before the edit.
 * @throws MigrationError `METHOD_UNSUITABLE`
 */
async function requireBinary({ plan, folder, terraform }: ApplyRequest): Promise<void> {
  const step = plan.steps.find(({ kind }) => kind === 'apply-blocks');
  if (step === undefined) return;
  const version = await readTerraformVersion({ ...terraform, dir: folder });
  const obstacle = binaryObstacle(version);
  if (obstacle === undefined) return;
  throw new MigrationError('METHOD_UNSUITABLE', `step ${step.id} does not work: ${obstacle}`, {
    hint: 'pass a later binary with --terraform, or plan with --method commands',
  });
}

function refuseBlockers({ findings }: Plan): void {
  const blocker = findings.find(({ severity }) => severity === 'blocker');
  if (blocker === undefined) return;
  throw new MigrationError(
    'PLAN_INVALID',
    `the plan has a blocker: ${printable(blocker.message, 300)}`,
    {
      hint: blocker.remedy,
    },
  );
}
