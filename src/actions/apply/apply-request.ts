import { type Plan } from '../../plan/plan';
import { type Acceptance } from './accept-changes';
import { type TerraformOptions } from '../../terraform/run-terraform';
import { type StepEvent } from './apply-context';
import { type FaultPoint } from './fault-points';

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
  /** Differences of the checks that the user named; what is applied may hold none of them. */
  readonly accept?: readonly Acceptance[] | undefined;
  /** Asks the service about the rulesets of the plan, before anything is changed. */
  readonly checkRulesets?: (() => Promise<void>) | undefined;
  /** Whether the folder is a copy, whose places are its own. */
  readonly isCopy?: boolean;
}
