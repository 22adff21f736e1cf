import { type StepDraft } from '../plan';
import {
  backup,
  checkAll,
  declareRulesets,
  deleteBlocks,
  importRulesets,
  type OrderInput,
  remove,
  upgradeProvider,
} from './draft-steps';

/** Remove first: works with every provider, and with a state that no longer plans. */
export function commandsRemovingFirst(input: OrderInput): StepDraft[] {
  return [
    backup(input),
    ...remove(input),
    ...deleteBlocks(input),
    ...declareRulesets(input),
    ...upgradeProvider(input),
    ...importRulesets(input),
    checkAll(input),
  ];
}
