import { type StepDraft } from '../plan';
import { backup, checkAll, declareRulesets, deleteBlocks, importRulesets } from './draft-steps';
import { type OrderInput } from './order';

/**
 * A state that holds nothing old and is to own rulesets: the first half of *two states*, or one that
 * the old resources have left before, whose files may declare them still.
 */
export function newState(input: OrderInput): StepDraft[] {
  return [
    ...(input.exists ? [backup(input)] : []),
    ...deleteBlocks(input),
    ...declareRulesets(input),
    ...importRulesets(input),
    checkAll(input),
  ];
}
