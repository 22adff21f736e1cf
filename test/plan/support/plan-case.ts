import { type Method } from '../../../src/plan/plan';
import { type StateFacts, type PlannedZone } from '../../../src/plan/facts/facts';

/** The facts from which is planned. */
export interface PlanCase {
  readonly zones?: readonly PlannedZone[];
  readonly states: readonly StateFacts[];
  readonly method?: Method;
}
