import { isIdentifier } from '../core/identifier';
import { type JsonObject, type JsonValue, objectOf, objectsOf, sha256, textOf } from '../core/json';
import { firstFree } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import {
  type DeclaredRule,
  type DeclaredRuleset,
  deployedBy,
  type Ruleset,
  type RulesetRule,
} from '../core/ruleset';

/**
 * Sets every field that a provider would otherwise default. Without `ref`, provider 4 and 5 assign new ids
 * to all rules at the next change. Without `enabled`, provider 3 switches the rule off. Without `logging`
 * on skip rules, provider 3 and 4 never converge. The stack and `finish` both use the result, so they are
 * the same, except that the stack of a live ruleset adds no refs.
 *
 * @throws MigrationError `RULESET_INVALID` if two rules have the same ref, or two overrides the same id:
 *   the providers accept both and mix them up (provider 5.22 gives two rules one id)
 */
export function normaliseRuleset(ruleset: Ruleset): DeclaredRuleset {
  const isLive = ruleset.id !== undefined;
  const refs = allocateRefs(ruleset.rules);
  const rules = ruleset.rules.map((rule, index): DeclaredRule => ({
    ...rule,
    ref: refs[index] ?? '',
    enabled: rule.enabled ?? true,
    fields: declaredFields(rule, `rules[${index}]`, isLive),
  }));
  return { ...ruleset, rules };
}

function declaredFields(rule: RulesetRule, subject: string, isLive: boolean): JsonObject {
  const { logging, ...fields } = rule.fields;
  requireUniqueOverrides(fields['action_parameters'], subject);
  if (logging !== undefined && logging !== null) return { ...fields, logging };
  // The API enables logging for a skip rule that is written without it (provider issue 2418). A live rule
  // without it stays so: measured, all provider versions would otherwise plan a difference.
  return rule.action === 'skip' && !isLive ? { ...fields, logging: { enabled: true } } : fields;
}

/** The ref of each rule, or its id, or a stable and readable ref made from what the rule does. */
function allocateRefs(rules: readonly RulesetRule[]): string[] {
  const explicit = rules.map((rule) => rule.ref ?? rule.id);
  const taken = requireUnique(
    explicit,
    (ref, index) => `rules[${index}].ref: two rules have the ref "${ref}"`,
    'give each rule its own ref, then fetch the ruleset again',
  );
  return rules.map((rule, index) => explicit[index] ?? firstFree(derivedRef(rule), taken));
}

function derivedRef(rule: RulesetRule): string {
  const deployed = deployedBy(rule);
  if (deployed !== undefined && isIdentifier(deployed)) return executeRef(deployed);
  const parameters = rule.fields['action_parameters'] ?? null;
  const content = JSON.stringify([rule.action, rule.expression, parameters]);
  const digest = sha256(content).slice(0, 8);
  return `${rule.action.replace(/[^a-z0-9_]/g, '_').slice(0, 32)}_${digest}`;
}

export const executeRef = (rulesetId: string): string => `execute_${rulesetId}`;

function requireUniqueOverrides(parameters: JsonValue | undefined, subject: string): void {
  const overrides = objectOf(objectOf(parameters)['overrides']);
  for (const [list, key] of [
    ['rules', 'id'],
    ['categories', 'category'],
  ] as const) {
    requireUnique(
      objectsOf(overrides[list]).map(({ [key]: name }) => textOf(name) || undefined),
      (name) => `${subject}.action_parameters.overrides.${list}: two overrides of "${name}"`,
      'keep one override of each rule or category, then fetch the ruleset again',
    );
  }
}

/**
 * Refuses equal names after Unicode normalisation, because Terraform does not distinguish them (measured,
 * 1.11.4).
 * @returns the names as Terraform reads them
 */
function requireUnique(
  names: readonly (string | undefined)[],
  messageOf: (name: string, index: number) => string,
  hint: string,
): Set<string> {
  const taken = new Set<string>();
  for (const [index, name] of names.entries()) {
    if (name === undefined) continue;
    const read = name.toWellFormed().normalize('NFC');
    if (taken.has(read)) {
      const message = messageOf(printable(name, 80), index);
      throw new MigrationError('RULESET_INVALID', message, { hint });
    }
    taken.add(read);
  }
  return taken;
}
