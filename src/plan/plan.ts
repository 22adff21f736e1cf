import { type FileEdit } from '../tfconfig/plan-edit';
import { type Finding } from '../core/finding';

/** A migration plan: plain JSON, the contract of docs/plan-format.md. */
export interface Plan {
  readonly format: 'cf-waf-migrate/plan';
  readonly formatVersion: 1;
  /** Sha256 of the plan without this field: a plan that was edited by hand is refused. */
  readonly digest: string;
  readonly zones: readonly PlanZone[];
  readonly states: readonly PlanState[];
  readonly steps: readonly Step[];
  readonly findings: readonly Finding[];
}

/** A zone of the plan and the entry point ruleset that stands in for its old resources. */
export interface PlanZone {
  readonly zoneId: string;
  readonly ruleset: {
    readonly id: string;
    readonly address: string;
    readonly importId: string;
    /** Name of the state that will own the ruleset. */
    readonly state: string;
  };
}

/** A Terraform state that the plan changes, as it was when the plan was made. */
export interface PlanState {
  readonly name: string;
  /** Folder of its configuration, relative to the folder of the plan. */
  readonly dir: string;
  readonly workspace: string;
  /** `TF_DATA_DIR` as it was, where it was set. */
  readonly dataDir?: string;
  readonly lineage: string;
  readonly serial: number;
  readonly terraformVersion: string;
  readonly provider: { readonly from: string; readonly to: string };
  readonly method: Method;
  /** The facts by which the order of the steps was chosen. */
  readonly because: string;
}

/** How the state is changed: by subcommands of Terraform, or by blocks in the configuration. */
export type Method = 'commands' | 'blocks';

/** What a step does; see docs/plan-format.md. */
export type StepKind =
  | 'backup'
  | 'edit'
  | 'import'
  | 'remove-dry-run'
  | 'remove'
  | 'apply-blocks'
  | 'upgrade-provider'
  | 'check'
  | 'manual';

/** One step; only the fields that its kind needs are there. */
export interface Step {
  readonly id: string;
  readonly kind: StepKind;
  readonly state: string;
  /** Of an edit of files that several states share: all of them, each of which has to let go first. */
  readonly states?: readonly string[];
  readonly title: string;
  readonly why: string;
  readonly runs?: readonly Run[];
  readonly edits?: readonly FileEdit[];
  readonly addresses?: readonly string[];
  readonly importId?: string;
  /** What to add to a program, in TypeScript; of other configurations, a diff to make. */
  readonly code?: string;
  /** Version of the provider that the step installs. */
  readonly provider?: string;
  readonly expects?: Expects;
}

/** A command as an argument vector, never a shell string. */
export interface Run {
  readonly argv: readonly string[];
  /** File that receives the output: a state, so it is written with mode 0600. */
  readonly saveTo?: string;
}

/** What holds when the step is done: the one definition that apply, verify, resume and tests share. */
export interface Expects {
  /** Addresses that the state no longer has. */
  readonly gone?: readonly string[];
  /** Addresses that the state has. */
  readonly present?: readonly string[];
  readonly plan?: 'empty' | 'target-empty' | 'import-and-forget';
}

/** A step before it has its number. */
export type StepDraft = Omit<Step, 'id' | 'state' | 'states'>;
