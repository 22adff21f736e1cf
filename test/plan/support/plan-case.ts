import { type Method } from '../../../src/plan/plan';
import { type PlannedState, type PlannedZone } from '../../../src/plan/facts';

/** The facts from which is planned. */
export interface PlanCase {
  readonly zones?: readonly PlannedZone[];
  readonly states: readonly PlannedState[];
  readonly method?: Method;
}
