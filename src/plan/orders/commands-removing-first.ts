import { type StepDraft } from '../plan';
import {
  backup,
  checkAll,
  checkRulesets,
  declareRulesets,
  deleteBlocks,
  importRulesets,
  remove,
} from './draft-steps';
import { type OrderInput } from './order';
import { upgradeProvider } from './upgrade-provider';

/**
 * Remove first: works with every provider, with a state that no longer plans, and with one that holds
 * nothing old: the first half of *two states*, or one that the old resources have left before.
 */
export function commandsRemovingFirst(input: OrderInput): StepDraft[] {
  return [
    ...backup(input),
    ...remove(input),
    ...deleteBlocks(input),
    ...inTurn(input),
    ...importRulesets(input),
    ...(input.staying ? checkRulesets(input, input.imports) : [checkAll(input)]),
  ];
}

/** A program compiles with the bindings of one provider: what is declared for the next one waits for its own. */
function inTurn(input: OrderInput): readonly StepDraft[] {
  const declared = declareRulesets(input);
  const upgraded = upgradeProvider(input);
  return input.isSynthesised ? [...upgraded, ...declared] : [...declared, ...upgraded];
}
