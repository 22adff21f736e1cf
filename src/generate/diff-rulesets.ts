import { type DeclaredRuleset } from '../model/ruleset';
import { ruleContent } from './rule-content';

/** How the second of two rulesets differs from the first, in one rule. */
export interface RuleDifference {
  readonly ref: string;
  readonly change: 'added' | 'removed' | 'changed' | 'moved';
}

/**
 * Compares what two rulesets do, rule by rule, found by their refs. Names and what the service sets
 * alone do not count; the order does, because the rules of a phase run in it.
 */
export function diffRulesets(one: DeclaredRuleset, other: DeclaredRuleset): RuleDifference[] {
  const before = new Map(one.rules.map((rule) => [rule.ref, rule]));
  const after = new Map(other.rules.map((rule) => [rule.ref, rule]));
  const removed = one.rules
    .filter(({ ref }) => !after.has(ref))
    .map(({ ref }) => ({ ref, change: 'removed' as const }));
  const rest = other.rules.flatMap((rule): RuleDifference[] => {
    const { ref } = rule;
    const found = before.get(ref);
    if (found === undefined) return [{ ref, change: 'added' }];
    return ruleContent(found) === ruleContent(rule) ? [] : [{ ref, change: 'changed' }];
  });
  const order = (refs: Iterable<string>, shared: ReadonlyMap<string, unknown>): string[] =>
    [...refs].filter((ref) => shared.has(ref));
  const [first, second] = [order(before.keys(), after), order(after.keys(), before)];
  const moved = second
    .filter((ref, index) => first[index] !== ref)
    .map((ref) => ({ ref, change: 'moved' as const }));
  return [...removed, ...rest, ...moved];
}

/** A difference in words. */
export function describeDifference({ ref, change }: RuleDifference): string {
  return `rule ${ref} ${change === 'moved' ? 'stands elsewhere' : `was ${change}`}`;
}
