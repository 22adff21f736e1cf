import { join } from 'node:path';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type Plan, type PlanState, type Run, type Step } from '../plan/plan';
import { type PlannedChange } from '../terraform/judge-plan';
import { runTerraform, type TerraformOptions } from '../terraform/run-terraform';
import { withLockTimeout } from '../terraform/subcommands';
import { type FaultPoint } from './fault-points';
import { type Journal } from './journal/journal';
import { type LiveState } from './preflight/live-state';

/** What happens while a plan is applied, for `cli` to show. */
export interface StepEvent {
  readonly step: string;
  readonly title: string;
  /** `found` was done already; `waiting` is for the user. */
  readonly status: 'started' | 'done' | 'found' | 'waiting' | 'failed';
}

/** A difference that the user named: all of a resource, or one attribute of it. */
export interface Acceptance {
  /** As it was given: `aws_instance.web:tags.Owner`. */
  readonly text: string;
  readonly address: string;
  /** As `PlannedChange.attributes` has it. */
  readonly attribute: string | undefined;
}

/** A difference, or a part of one, that was accepted. */
export interface AcceptedChange extends PlannedChange {
  /** What the user gave that names it. */
  readonly by: readonly string[];
}

/** What to apply, and how. */
export interface ApplyRequest {
  readonly plan: Plan;
  /** The folder of the plan: its paths are relative to it. */
  readonly folder: string;
  readonly terraform: Omit<TerraformOptions, 'dir'>;
  readonly report: (event: StepEvent) => void;
  /** Called at each fault point, in tests. */
  readonly fault?: (point: FaultPoint) => void;
  /** Only edits: the state is not changed, and edits that would make the next apply destroy something are refused. */
  readonly only?: 'edits' | undefined;
  /** Differences of the checks that the user named; a plan that is applied may contain none of them. */
  readonly accept?: readonly Acceptance[] | undefined;
  /** Asks the Cloudflare API about the rulesets of the plan, before anything is changed. */
  readonly checkRulesets?: (() => Promise<void>) | undefined;
  /** Whether the folder is a copy, with a workspace and data folder of its own. */
  readonly isCopy?: boolean;
}

/** What every step can use. */
export interface ApplyContext extends Pick<
  ApplyRequest,
  'plan' | 'folder' | 'terraform' | 'report'
> {
  readonly journal: Journal;
  /** The states of the plan by name, as they are now. */
  readonly live: ReadonlyMap<string, LiveState>;
  readonly accept: readonly Acceptance[];
  /** Those of them that the checks of this run found. */
  readonly accepted: AcceptedChange[];
  readonly fault: (point: FaultPoint) => void;
}

/** How steps of one kind are recognised as done, and done. */
export interface StepExecutor {
  /** By state and files, not only by the journal: the run can have ended in between. */
  isDone(step: Step, context: ApplyContext): boolean | Promise<boolean>;
  /** Absent for manual steps. `waiting` where the user has to do something first. */
  run?(step: Step, context: ApplyContext): Promise<void> | Promise<'waiting' | undefined>;
}

/** The state that a step concerns, planned and as it is. */
export function stateOf(
  context: ApplyContext,
  step: Pick<Step, 'state'>,
): { planned: PlanState; live: LiveState } {
  const planned = context.plan.states.find(({ name }) => name === step.state);
  const live = context.live.get(step.state);
  // reading a plan has checked it
  if (planned === undefined || live === undefined) throw new TypeError(`no state ${step.state}`);
  return { planned, live };
}

/** Terraform, in the folder of a step's state. */
export function terraformOf(context: ApplyContext, step: Step): TerraformOptions {
  return { ...context.terraform, dir: join(context.folder, stateOf(context, step).planned.dir) };
}

/** Subcommands that a step may run; not `apply`, which runs only a judged plan. */
const allowed = new Set(['state rm', 'import', 'init', 'plan']);

/**
 * The subcommand of a run, and what follows it.
 * @throws MigrationError `PLAN_INVALID` for any other command
 */
export function terraformFlags({ argv }: Run): { subcommand: string; rest: readonly string[] } {
  const start = argv[1]?.startsWith('-chdir=') ? 2 : 1;
  const end = argv[start] === 'state' ? start + 2 : start + 1;
  const subcommand = argv.slice(start, end).join(' ');
  if (argv[0] !== 'terraform' || !allowed.has(subcommand)) {
    throw new MigrationError(
      'PLAN_INVALID',
      `a step runs ${printable(argv.slice(0, 3).join(' '), 80)}`,
    );
  }
  return { subcommand, rest: argv.slice(end) };
}

/**
 * Runs a command of the plan in the folder of its state.
 * @throws MigrationError `PLAN_INVALID` for any other command, and as `runTerraform`
 */
export async function runArgv(run: Run, options: TerraformOptions): Promise<void> {
  const { subcommand, rest } = terraformFlags(run);
  const flags = subcommand === 'init' ? rest : withLockTimeout(rest);
  await runTerraform([...subcommand.split(' '), ...flags], options);
}
