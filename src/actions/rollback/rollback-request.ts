import { type Plan } from '../../plan/plan';
import { type TerraformOptions } from '../../terraform/run-terraform';
import { type FaultPoint } from '../apply/fault-points';

/** What to undo. */
export interface RollbackRequest {
  readonly journal: string;
  readonly plan: Plan;
  /** The folder of the plan. */
  readonly folder: string;
  readonly terraform: Omit<TerraformOptions, 'dir'>;
  /** Go on although somebody else has written since. */
  readonly force: boolean;
  readonly fault?: (point: FaultPoint) => void;
}
