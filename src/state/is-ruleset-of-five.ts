import { isJsonArray, objectsOf } from '../model/json';
import { type StateInstance } from './state';

/**
 * Whether an entry of a `cloudflare_ruleset` was written by a provider 5. Schema version 500 is 5.19 and
 * later (measured); before it, 5 wrote an object or null where 3 and 4 write blocks (provider source).
 */
export function isRulesetOfFive(instance: StateInstance): boolean {
  const hasBlocks = (rule: Readonly<Record<string, unknown>>): boolean =>
    !('action_parameters' in rule) || isJsonArray(rule['action_parameters']);
  return instance.schemaVersion > 1 || !rulesOf(instance).every(hasBlocks);
}

/** The rules of an entry, as far as they are any. */
export function rulesOf({
  attributes: { rules },
}: StateInstance): readonly Readonly<Record<string, unknown>>[] {
  return objectsOf(rules);
}
