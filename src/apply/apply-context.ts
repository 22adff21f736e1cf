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

/** Progress of a step, for `cli` to show. */
export interface StepEvent {
  readonly step: string;
  readonly title: string;
  /** `found`: already done before this run; `waiting`: the user must act first. */
  readonly status: 'started' | 'done' | 'found' | 'waiting' | 'failed';
}

/** A difference that the user accepts: a whole resource, or one of its attributes. */
export interface Acceptance {
  /** The value of the flag, such as `aws_instance.web:tags.Owner`. */
  readonly text: string;
  readonly address: string;
  /** A path as in `PlannedChange.attributes`. */
  readonly attribute: string | undefined;
}

/** A difference, or a part of one, that was accepted. */
export interface AcceptedChange extends PlannedChange {
  /** The values of `--accept` that match it. */
  readonly by: readonly string[];
}

/** What to apply, and how. */
export interface ApplyRequest {
  readonly plan: Plan;
  /** The folder of the plan, to which its paths are relative. */
  readonly folder: string;
  readonly terraform: Omit<TerraformOptions, 'dir'>;
  readonly report: (event: StepEvent) => void;
  /** Called at each fault point, in tests. */
  readonly fault?: (point: FaultPoint) => void;
  /** `edits`: leave the state unchanged, and refuse edits after which the next apply would destroy a resource. */
  readonly only?: 'edits' | undefined;
  /** Differences to accept in checks. In a plan that is applied, only changes of outputs can be accepted. */
  readonly accept?: readonly Acceptance[] | undefined;
  /** Checks the rulesets of the plan with the Cloudflare API, before anything is changed. */
  readonly checkRulesets?: (() => Promise<void>) | undefined;
  /** Whether the folder is a copy, with its own workspace and data folder. */
  readonly isCopy?: boolean;
}

/** What all steps share. */
export interface ApplyContext extends Pick<
  ApplyRequest,
  'plan' | 'folder' | 'terraform' | 'report'
> {
  readonly journal: Journal;
  /** The current states of the plan, by name. */
  readonly live: ReadonlyMap<string, LiveState>;
  readonly accept: readonly Acceptance[];
  /** Differences that the checks of this run accepted. */
  readonly accepted: AcceptedChange[];
  readonly fault: (point: FaultPoint) => void;
}

/** Runs steps of one kind, and detects those that are already done. */
export interface StepExecutor {
  /** Checks state and files as well as the journal, because a run can end before it writes to the journal. */
  isDone(step: Step, context: ApplyContext): boolean | Promise<boolean>;
  /** Absent for manual steps. Returns `waiting` if the user must act first. */
  run?(step: Step, context: ApplyContext): Promise<void> | Promise<'waiting' | undefined>;
}

/** Returns the planned and the current state of a step. */
export function stateOf(
  context: Pick<ApplyContext, 'plan' | 'live'>,
  step: Pick<Step, 'state'>,
): { planned: PlanState; live: LiveState } {
  const planned = context.plan.states.find(({ name }) => name === step.state);
  const live = context.live.get(step.state);
  // parsing a plan checks these names
  if (planned === undefined || live === undefined) throw new TypeError(`no state ${step.state}`);
  return { planned, live };
}

/** Returns the options that run Terraform in the folder of a step's state. */
export function terraformOf(context: ApplyContext, step: Step): TerraformOptions {
  return { ...context.terraform, dir: join(context.folder, stateOf(context, step).planned.dir) };
}

/** Subcommands that a step may run. `apply` is missing because it runs only a judged plan. */
const allowed = new Set(['state rm', 'import', 'init', 'plan']);

/**
 * Splits a command into its subcommand and the arguments after it.
 * @throws MigrationError `PLAN_INVALID` if a step may not run the command
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
 * @throws MigrationError `PLAN_INVALID` if a step may not run the command, and those of `runTerraform`
 */
export async function runArgv(run: Run, options: TerraformOptions): Promise<void> {
  const { subcommand, rest } = terraformFlags(run);
  const flags = subcommand === 'init' ? rest : withLockTimeout(rest);
  await runTerraform([...subcommand.split(' '), ...flags], options);
}
