import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../core/json';
import { groupBy } from '../core/lists';
import {
  type DeclaredRule,
  type DeclaredRuleset,
  deployedBy,
  type RulesetRule,
} from '../core/ruleset';
import { canonicalExpression } from './expressions';
import { renderRule } from './parse-ruleset';

const READ_ONLY = new Set(['version', 'last_updated', 'categories']);
/** Fields that identify a rule without changing what it does. */
const NAMES = new Set(['id', 'ref', 'description']);

/** The rule without read-only fields, as the Cloudflare API accepts it (spec: "Ruleset rule"). */
function renderRuleToSend(rule: RulesetRule): JsonObject {
  return without(renderRule(rule), READ_ONLY);
}

/**
 * What a rule does, as canonical text. The order of lists matters. The order of keys and the
 * `version: latest` that the API adds do not.
 */
export function ruleContent(rule: DeclaredRule): string {
  const content = without(renderRuleToSend(rule), NAMES);
  return canonicalJson({
    // a skip rule logs by default (provider issue 2418)
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

/**
 * The body of the PUT that saves an entry point (spec: "Update zone entry point ruleset"). It equals what a
 * stack declares for the same ruleset, including refs.
 */
export function renderEntryPoint({ name, description, rules }: DeclaredRuleset): JsonObject {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    rules: rules.map(renderRuleToSend),
  };
}

/**
 * Describes how two rulesets differ in what they do, matching rules by ref. Ignores names and read-only
 * fields, but not the order, because rules run in order.
 */
export function diffRulesets(one: DeclaredRuleset, other: DeclaredRuleset): string[] {
  const before = new Map(one.rules.map((rule) => [rule.ref, rule]));
  const after = new Map(other.rules.map((rule) => [rule.ref, rule]));
  const removed = [...before.keys()].filter((ref) => !after.has(ref));
  const others = [...after].flatMap(([ref, rule]) => {
    const found = before.get(ref);
    if (found === undefined) return [`rule ${ref} was added`];
    return ruleContent(found) === ruleContent(rule) ? [] : [`rule ${ref} was changed`];
  });
  const order = [...before.keys()].filter((ref) => after.has(ref));
  const moved = [...after.keys()]
    .filter((ref) => before.has(ref))
    .filter((ref, index) => order[index] !== ref);
  return [
    ...removed.map((ref) => `rule ${ref} was removed`),
    ...others,
    ...moved.map((ref) => `rule ${ref} has another position`),
  ];
}

/**
 * Maps each proposed rule, in order, to its match in `before`. Tries to match all settings first, then what
 * the rule does, then what it deploys for which requests, then the ref.
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
    const byKey = groupBy<string | undefined, DeclaredRule>(open, keyOf);
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

/** All settings of a rule, with its expression in canonical form. */
export function setting(rule: DeclaredRule): string {
  return ruleContent({ ...rule, expression: canonicalExpression(rule.expression) });
}

/** What a rule does if it is enabled, ignoring its logging. */
function purpose(rule: DeclaredRule): string {
  return setting({ ...rule, fields: { ...rule.fields, logging: null }, enabled: true });
}

function deployment(rule: DeclaredRule): string | undefined {
  const ruleset = deployedBy(rule);
  return ruleset && `${ruleset} ${canonicalExpression(rule.expression)}`;
}
