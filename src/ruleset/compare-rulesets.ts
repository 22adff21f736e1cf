import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../core/json';
import {
  type DeclaredRule,
  type DeclaredRuleset,
  deployedBy,
  type RulesetRule,
} from '../core/ruleset';
import { canonicalExpression } from './compare-expressions';
import { renderRule } from './parse-ruleset';

/** Fields of a rule that the service sets alone. */
const READ_ONLY = new Set(['version', 'last_updated', 'categories']);
/** How a rule is called, which changes nothing of what it does. */
const NAMES = new Set(['id', 'ref', 'description']);

/** A rule as it is sent: without what the service sets alone (spec: "Ruleset rule"). */
export function renderRuleToSend(rule: RulesetRule): JsonObject {
  return without(renderRule(rule), READ_ONLY);
}

/**
 * What a rule does, as text that is the same for the same thing: the order of keys counts for
 * nothing, that of lists for something; what the service adds (`version: latest`) counts for
 * nothing either.
 */
export function ruleContent(rule: DeclaredRule): string {
  const content = without(renderRuleToSend(rule), NAMES);
  return canonical({
    // a skip rule logs unless it says otherwise (provider issue 2418)
    ...(rule.action === 'skip' ? { logging: { enabled: true } } : {}),
    ...content,
    action_parameters: withoutLatest(content['action_parameters']),
  });
}

function without(object: JsonObject, fields: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.has(field)));
}

function withoutLatest(parameters: JsonValue = {}): JsonValue {
  if (!isJsonObject(parameters) || parameters['version'] !== 'latest') return parameters;
  return without(parameters, new Set(['version']));
}

function canonical(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`);
  return `{${entries.join(',')}}`;
}

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

/** How the second of two rulesets differs from the first, in one rule. */
interface RuleDifference {
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

/**
 * Each rule of a configuration, in its order, and its match: found by all that is
 * set, else by what they do, else by what they deploy and for which requests, else, where that was
 * changed, by name.
 */
export function matchRules(
  before: readonly DeclaredRule[],
  proposed: readonly DeclaredRule[],
): Map<DeclaredRule, DeclaredRule | undefined> {
  const matches = new Map<DeclaredRule, DeclaredRule | undefined>(
    proposed.map((rule) => [rule, undefined]),
  );
  let open = before;
  for (const keyOf of [setting, purpose, deployment, ({ ref }: DeclaredRule) => ref]) {
    const byKey = new Map<string | undefined, DeclaredRule[]>();
    for (const rule of open) {
      const key = keyOf(rule);
      byKey.set(key, [...(byKey.get(key) ?? []), rule]);
    }
    for (const rule of proposed) {
      const key = keyOf(rule);
      if (key === undefined || matches.get(rule) !== undefined) continue;
      matches.set(rule, byKey.get(key)?.shift());
    }
    const taken = new Set(matches.values());
    open = open.filter((rule) => !taken.has(rule));
  }
  return matches;
}

/** All that is set of a rule; how its expression is written does not count. */
export function setting(rule: DeclaredRule): string {
  return ruleContent({ ...rule, expression: canonicalExpression(rule.expression) });
}

/** What a rule does where it is on; that it logs so is no part of it. */
function purpose(rule: DeclaredRule): string {
  return setting({ ...rule, fields: { ...rule.fields, logging: null }, enabled: true });
}

/** A managed ruleset, and the requests that a rule deploys it for. */
function deployment(rule: DeclaredRule): string | undefined {
  const ruleset = deployedBy(rule);
  return ruleset && `${ruleset} ${canonicalExpression(rule.expression)}`;
}
