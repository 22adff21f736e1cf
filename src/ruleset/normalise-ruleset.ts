import { createHash } from 'node:crypto';
import { type Finding } from '../core/finding';
import { isIdentifier } from '../core/identifier';
import { type JsonObject, type JsonValue, objectOf, objectsOf } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import {
  type DeclaredRule,
  type DeclaredRuleset,
  deployedBy,
  type Ruleset,
  type RulesetRule,
} from '../core/ruleset';
import { MAX_EXPRESSION } from './expressions';

/** The declared ruleset and what the user should know about how it was made. */
export interface NormalisedRuleset {
  readonly ruleset: DeclaredRuleset;
  readonly findings: readonly Finding[];
}

/**
 * Makes everything explicit that a provider would otherwise default: `ref` (left out, provider 4
 * and 5 mint new ids for all rules at the next change), `enabled` (left out, provider 3 switches
 * the rule off), `logging` of skip rules (left out, provider 3 and 4 never converge). What the
 * stack declares and what `finish` sends both come from here, so that they are the same.
 *
 * @throws MigrationError `RULESET_INVALID` when two rules have one ref, or two overrides one id:
 *   the providers accept both and mix them up (provider 5.22: two rules get one id)
 */
export function normaliseRuleset(ruleset: Ruleset): NormalisedRuleset {
  const findings: Finding[] = [];
  const isLive = ruleset.id !== undefined;
  const refs = allocateRefs(ruleset.rules);
  const rules = ruleset.rules.map((rule, index): DeclaredRule => {
    const subject = `rules[${index}]`;
    if (rule.enabled === undefined) findings.push(enabledAssumed(subject, isLive));
    if (isLive && rule.ref === undefined) findings.push(refMade(subject, rule.id !== undefined));
    const size = Buffer.byteLength(rule.expression);
    if (size > MAX_EXPRESSION) findings.push(expressionLong(subject, size, isLive));
    return {
      ...rule,
      ref: refs[index] ?? '',
      enabled: rule.enabled ?? true,
      fields: declaredFields(rule, subject, isLive),
    };
  });
  return { ruleset: { ...ruleset, rules }, findings };
}

function declaredFields(rule: RulesetRule, subject: string, isLive: boolean): JsonObject {
  const { logging, ...fields } = rule.fields;
  requireUniqueOverrides(fields['action_parameters'], subject);
  if (logging !== undefined && logging !== null) return { ...fields, logging };
  // The service switches logging on for a skip rule that does not say, when it writes it (provider
  // issue 2418). Of a live rule that has none, none is declared: measured, all majors would plan a
  // difference.
  return rule.action === 'skip' && !isLive ? { ...fields, logging: { enabled: true } } : fields;
}

/** The ref that each rule has, or its id, or one made from what the rule does: stable, readable. */
function allocateRefs(rules: readonly RulesetRule[]): string[] {
  const explicit = rules.map((rule) => rule.ref ?? rule.id);
  const taken = new Set<string>();
  for (const [index, ref] of explicit.entries()) {
    if (ref === undefined) continue;
    const read = asTerraformReads(ref);
    if (taken.has(read)) {
      throw new MigrationError(
        'RULESET_INVALID',
        `rules[${index}].ref: two rules have the ref "${printable(ref, 80)}"`,
        {
          hint: 'give each rule a ref of its own, then fetch the ruleset again',
        },
      );
    }
    taken.add(read);
  }
  return rules.map((rule, index) => explicit[index] ?? firstFree(derivedRef(rule), taken));
}

function derivedRef(rule: RulesetRule): string {
  const deployed = deployedBy(rule);
  if (deployed !== undefined && isIdentifier(deployed)) return `execute_${deployed}`;
  const parameters = rule.fields['action_parameters'] ?? null;
  const content = JSON.stringify([rule.action, rule.expression, parameters]);
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 8);
  return `${rule.action.replace(/[^a-z0-9_]/g, '_').slice(0, 32)}_${digest}`;
}

function firstFree(name: string, taken: Set<string>): string {
  let candidate = name;
  for (let number = 2; taken.has(candidate); number += 1) candidate = `${name}_${number}`;
  taken.add(candidate);
  return candidate;
}

function requireUniqueOverrides(parameters: JsonValue | undefined, subject: string): void {
  const overrides = objectOf(objectOf(parameters)['overrides']);
  for (const [list, key] of [
    ['rules', 'id'],
    ['categories', 'category'],
  ] as const) {
    const seen = new Set<string>();
    for (const { [key]: name } of objectsOf(overrides[list])) {
      if (typeof name !== 'string') continue;
      const read = asTerraformReads(name);
      if (seen.has(read)) {
        throw new MigrationError(
          'RULESET_INVALID',
          `${subject}.action_parameters.overrides.${list}: two overrides of "${printable(name, 80)}"`,
          { hint: 'keep one override of each rule or category, then fetch the ruleset again' },
        );
      }
      seen.add(read);
    }
  }
}

/** Two texts that differ in how they are composed alone are one to Terraform (measured, 1.11.4). */
function asTerraformReads(text: string): string {
  return text.toWellFormed().normalize('NFC');
}

function enabledAssumed(subject: string, isLive: boolean): Finding {
  return {
    code: 'ENABLED_ASSUMED',
    // measured: all majors would plan a difference to a live rule that does not say
    severity: isLive ? 'decision' : 'info',
    subject,
    message:
      'the service did not say whether this rule is on; it is declared enabled, the default of the service',
    remedy: 'check the rule, or set its enabled to false',
  };
}

function refMade(subject: string, hasId: boolean): Finding {
  return {
    code: 'REF_MADE',
    severity: 'decision',
    subject,
    message: hasId
      ? 'the live rule has no ref; its id stands for it, which the first plan of provider 4 and 5 will show'
      : 'the live rule has neither ref nor id; a ref was made, which the first plan will show',
    remedy: 'check that the answer is whole, then fetch it again',
  };
}

function expressionLong(subject: string, size: number, isLive: boolean): Finding {
  return {
    code: 'EXPRESSION_LONG',
    // what is live was accepted once
    severity: isLive ? 'info' : 'decision',
    subject: `${subject}.expression`,
    message: `the expression has ${size} bytes, more than the 4 KB that a migration takes; it is carried as it is`,
    remedy: isLive
      ? 'shorten it, if the service refuses the next change'
      : 'ask the support of the service, or shorten what it was made from',
  };
}
