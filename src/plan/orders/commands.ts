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

/** Import first: needs an installed provider 3.35 and no old data source (spec: "Infrastructure-as-code"). */
export function commands(input: OrderInput): StepDraft[] {
  return [
    ...backup(input),
    ...declareRulesets(input),
    ...importRulesets(input),
    ...checkRulesets(input, input.imports),
    ...remove(input),
    ...deleteBlocks(input),
    ...(input.staying === undefined ? [checkAll(input)] : lastOfStaying(input, input.staying)),
  ];
}

/** Where nothing has left, the check behind the import was the last. */
function lastOfStaying(input: OrderInput, rulesets: readonly { address: string }[]): StepDraft[] {
  return input.leaving.length === 0 ? [] : checkRulesets(input, rulesets);
}
