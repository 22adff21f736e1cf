import { join } from 'node:path';
import { type Plan, plannedState, type PlanState, type Run, type Step } from '../plan/plan-schema';
import { subcommandOf } from '../plan/steps/terraform-flags';
import { type PlannedChange } from '../terraform/judge-plan';
import {
  runTerraform,
  type TerraformOptions,
  type TerraformSettings,
} from '../terraform/run-terraform';
import { withLockTimeout } from '../terraform/subcommands';
import { type Journal } from './journal/journal';
import { type LiveState } from './live-state';

/** Progress of a step, for `cli` to show. */
export interface StepEvent {
  readonly step: string;
  readonly title: string;
  /** `found`: already done before this run; `waiting`: the user must act first. */
  readonly status: 'started' | 'done' | 'found' | 'waiting' | 'failed';
}

export interface AcceptedChange extends PlannedChange {
  /** The value of `--accept`; empty if it needs none. */
  readonly by: readonly string[];
}

export interface ApplyRequest {
  readonly plan: Plan;
  /** The folder of the plan, to which its paths are relative. */
  readonly folder: string;
  /** The same, relative to the working directory, for commands in hints. */
  readonly place?: string;
  readonly terraform: TerraformSettings;
  readonly report?: (event: StepEvent) => void;
  /** Called after each write, and before the first one of a step: tests kill the tool there. */
  readonly fault?: (point: string) => void;
  /** `edits`: leave the state unchanged, and refuse edits after which the next apply would destroy a resource. */
  readonly only?: 'edits' | undefined;
  /** Addresses of the differences to accept in checks. In a plan that is applied, only outputs can be accepted. */
  readonly accept?: readonly string[] | undefined;
  /** Checks the rulesets of the plan with the Cloudflare API, before anything is changed. */
  readonly checkRulesets?: (() => Promise<void>) | undefined;
  /** The folder of which `folder` is a copy. A copy has its own workspace and data folder. */
  readonly original?: string;
}

/** What all steps share. */
export interface ApplyContext extends Pick<
  ApplyRequest,
  'plan' | 'folder' | 'original' | 'place' | 'terraform'
> {
  readonly report: (event: StepEvent) => void;
  readonly journal: Journal;
  readonly live: ReadonlyMap<string, LiveState>;
  readonly accept: readonly string[];
  /** Differences that the checks of this run accepted. */
  readonly accepted: AcceptedChange[];
  readonly fault: (point: string) => void;
}

/** Runs steps of one kind, and detects those that are already done. */
export interface StepExecutor {
  /** Checks state and files as well as the journal, because a run can end before it writes to the journal. */
  isDone(context: StepContext): boolean | Promise<boolean>;
  /** What the user has left to do: addresses, or places of version constraints. Only for manual steps. */
  findOpen?(place: StepPlace): Promise<readonly string[]>;
  /** Absent if only the user can do the step. Returns `waiting` if the user must act first. */
  run?(context: StepContext): Promise<void> | Promise<'waiting' | undefined>;
  /** How to undo a step that is still done after a rollback. Absent if a rollback always undoes it. */
  undo?(place: StepPlace): Undo | undefined | Promise<Undo | undefined>;
}

/** A step and where it runs, without a run of `apply`. */
export interface StepPlace extends Pick<ApplyContext, 'plan' | 'folder'> {
  readonly step: Step;
  /** The state of the step when the plan was made. */
  readonly planned: PlanState;
  /** To run Terraform in the folder of that state. */
  readonly options: TerraformOptions;
}

/** A step in a run of `apply`. */
export interface StepContext extends StepPlace, ApplyContext {
  /** The present state of the step. */
  readonly current: LiveState;
}

/** What the user must undo. */
export interface Undo {
  /** A sentence in the imperative. */
  readonly undo: string;
  readonly addresses: readonly string[];
  /** The file of each block to restore, by address. */
  readonly places?: Readonly<Record<string, string>>;
}

export function placeOf(
  step: Step,
  { plan, folder, terraform }: Pick<ApplyContext, 'plan' | 'folder' | 'terraform'>,
): StepPlace {
  const planned = plannedState(plan, step.state);
  const options = { ...terraform, dir: join(folder, planned.dir) };
  return { plan, folder, step, planned, options };
}

export function contextOf(step: Step, context: ApplyContext): StepContext {
  const current = context.live.get(step.state);
  if (current === undefined) throw new TypeError(`no state ${step.state}`);
  return { ...context, ...placeOf(step, context), current };
}

export function restOf({ argv }: Run): readonly string[] {
  return argv.slice(subcommandOf(argv).end);
}

/** Runs a command of the plan, whose steps `parsePlan` has checked. */
export async function runArgv(run: Run, options: TerraformOptions): Promise<void> {
  const { subcommand } = subcommandOf(run.argv);
  await runTerraform([subcommand, ...withLockTimeout(restOf(run))], options);
}
