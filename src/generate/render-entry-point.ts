import { type JsonObject } from '../model/json';
import { type DeclaredRuleset } from '../model/ruleset';
import { renderRuleToSend } from './rule-content';

/**
 * The body of the PUT that saves an entry point (spec: "Update zone entry point ruleset"): exactly
 * what a stack declares of the same ruleset, refs included.
 */
export function renderEntryPoint({ name, description, rules }: DeclaredRuleset): JsonObject {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    rules: rules.map(renderRuleToSend),
  };
}
