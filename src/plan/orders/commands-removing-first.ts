import { type StepDraft } from '../plan';
import { removeUnreadable, upgradeProvider } from './draft-provider-steps';
import {
  backup,
  checkAll,
  declareRulesets,
  deleteBlocks,
  importRulesets,
  remove,
} from './draft-steps';
import { type OrderInput } from './order';

/** Remove first: works with every provider, and with a state that no longer plans. */
export function commandsRemovingFirst(input: OrderInput): StepDraft[] {
  return [
    backup(input),
    ...remove(input),
    ...removeUnreadable(input),
    ...deleteBlocks(input),
    ...declareRulesets(input),
    ...upgradeProvider(input, input.upgradeTo),
    ...importRulesets(input),
    checkAll(input),
  ];
}
