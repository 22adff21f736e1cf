import { isJsonObject, type Json } from '../json';
import { MANAGED_PHASE, type Rule } from '../ruleset';

/** What skip rules have taken out so far. */
export interface Skips {
  /** The rest of the entry point. */
  readonly all: boolean;
  /** Whole managed rulesets. */
  readonly rulesets: ReadonlySet<string>;
  /** Single rules of managed rulesets. */
  readonly rules: ReadonlySet<string>;
}

/** The skips after one more skip rule, in any of its forms (public documentation). */
export function skipsOf({ action_parameters: parameters }: Rule, before: Skips): Skips {
  if (!isJsonObject(parameters)) return before;
  const { ruleset, rulesets, rules, phases } = parameters;
  const single = isJsonObject(rules) ? Object.values(rules).flatMap(textsOf) : [];
  return {
    all: before.all || ruleset === 'current' || textsOf(phases).includes(MANAGED_PHASE),
    rulesets: new Set([...before.rulesets, ...textsOf(rulesets)]),
    rules: new Set([...before.rules, ...single]),
  };
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
