import { isJsonArray } from '../model/json';
import { isRulesetOfFive, rulesOf } from './is-ruleset-of-five';
import { type StateInstance } from './state';

/**
 * Whether an entry of a `cloudflare_ruleset` was written by a provider 3, or is as old: provider 5 cannot
 * read it ("unsupported attribute", 5.22.0 measured), and then plans and imports nothing in that state. Blocks
 * of schema version 0, which a 4 can have written as well, are no better: 5 reads that version as one of its
 * own (provider issue 7135).
 */
export function isRulesetOfThree(instance: StateInstance): boolean {
  const hasOldBlocks = rulesOf(instance).some((rule) => isJsonArray(rule['action_parameters']));
  return hasMarksOfThree(instance) || (instance.schemaVersion === 0 && hasOldBlocks);
}

/**
 * Whether an entry has what no 4.52 writes. That has the same schema version (1); 5 wrote a version of each
 * rule, too, before 5.19.
 */
export function hasMarksOfThree(instance: StateInstance): boolean {
  if (isRulesetOfFive(instance)) return false;
  return (
    'shareable_entitlement_name' in instance.attributes ||
    rulesOf(instance).some((rule) => 'version' in rule)
  );
}
