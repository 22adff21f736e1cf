import { type StepDraft } from '../plan';
import { backup, checkAll, declareRulesets, importRulesets, type OrderInput } from './draft-steps';

/** A state that holds nothing old and is to own rulesets: the first half of *two states*. */
export function newState(input: OrderInput): StepDraft[] {
  return [
    ...(input.exists ? [backup(input)] : []),
    ...declareRulesets(input),
    ...importRulesets(input),
    checkAll(input),
  ];
}
