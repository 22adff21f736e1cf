import { type StepDraft } from '../plan';
import { rewriteRulesets, upgradeProvider } from './draft-provider-steps';
import {
  backup,
  checkAll,
  declareRulesets,
  deleteBlocks,
  importRulesets,
  remove,
} from './draft-steps';
import { type OrderInput } from './order';

/**
 * To 5 where the state holds other rulesets that provider 3 or an early 4 wrote: over 4.52, which reads
 * them and writes them anew. The new ruleset is declared for provider 5, so it comes after that.
 */
export function commandsViaFour(input: OrderInput): StepDraft[] {
  return [
    ...backup(input),
    ...remove(input),
    ...deleteBlocks(input),
    ...upgradeProvider(input, input.via),
    rewriteRulesets(input),
    ...upgradeProvider(input, input.upgradeTo),
    ...declareRulesets(input),
    ...importRulesets(input),
    checkAll(input),
  ];
}
