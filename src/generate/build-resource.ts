import { type Finding } from '../core/finding';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../core/json';
import { type DeclaredRuleset } from '../core/ruleset';
import { conformObject, fieldLost } from './dialects/conform';
import { attributesOf, type Dialect } from './dialects/dialect';
import { renderRule } from '../ruleset/parse-ruleset';

/** The arguments of a `cloudflare_ruleset`, and what could not be declared. */
export interface BuiltResource {
  /** Plain values in the shape of Terraform JSON; strings are not yet escaped as templates. */
  readonly attributes: JsonObject;
  readonly findings: readonly Finding[];
}

/** Fields of the ruleset that the service sets alone: leaving them out loses nothing. */
const COMPUTED = new Set(['version', 'last_updated', 'source']);

/**
 * The ruleset as arguments of `cloudflare_ruleset` under one provider major: name, kind, phase and
 * description exactly the live ones (any other name *replaces* the entry point in all majors).
 */
export function buildResource(
  ruleset: DeclaredRuleset,
  zoneId: string,
  dialect: Dialect,
): BuiltResource {
  const findings: Finding[] = [...dialect.judge(ruleset)];
  const ruleAttributes = attributesOf(dialect.schema['rules']);
  const rules = ruleset.rules.map((rule, index): JsonObject => {
    const subject = `rules[${index}]`;
    const { ref, ...withoutRef } = renderRule(rule);
    const declared: JsonObject = dialect.ruleFields.includes('ref')
      ? { ref: ref ?? null, ...withoutRef }
      : withoutRef;
    const conformed = conformObject(
      declared,
      ruleAttributes,
      dialect,
      { path: subject, holder: 'rule' },
      findings,
    );
    return inOrder(conformed, dialect.ruleFields);
  });
  const attributes: JsonObject = {
    zone_id: zoneId,
    name: ruleset.name,
    kind: ruleset.kind,
    phase: ruleset.phase,
    ...(ruleset.description ? { description: ruleset.description } : {}),
    rules,
  };
  for (const [field, value] of Object.entries(ruleset.fields)) {
    if (value !== null && !COMPUTED.has(field)) findings.push(fieldLost(field, dialect));
  }
  return {
    attributes,
    findings: [...findings, ...findInexact(attributes, 'ruleset')],
  };
}

function inOrder(rule: JsonObject, fields: readonly string[]): JsonObject {
  const ordered = [...fields, ...Object.keys(rule)].flatMap((field): [string, JsonValue][] => {
    const value = rule[field];
    return value === undefined ? [] : [[field, value]];
  });
  return Object.fromEntries(ordered);
}

/**
 * What Terraform changes in a text: what is not well-formed or not in NFC, marks beside characters beyond
 * U+FFFF, which it composes by their lowest 16 bits, and more than thirty marks in a row (measured with 1.11.4).
 */
function isChanged(text: string): boolean {
  if (/^[\0-\x7f]*$/.test(text)) return false;
  return (
    !text.isWellFormed() ||
    text !== text.normalize('NFC') ||
    /(?:[\u{10000}-\u{10ffff}]|.(?=[\u{10000}-\u{10ffff}]))(?!\p{Variation_Selector})\p{M}/su.test(
      text,
    ) ||
    /\p{Mn}{31}/u.test(text.normalize('NFD'))
  );
}

/** Names every text that Terraform cannot carry exactly, and every number that was not read exactly. */
export function findInexact(value: JsonValue, subject: string): Finding[] {
  if (typeof value === 'string') return isChanged(value) ? [inexactText(subject)] : [];
  if (typeof value === 'number') {
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? [inexactNumber(subject)] : [];
  }
  if (isJsonArray(value)) {
    return value.flatMap((item, index) => findInexact(item, `${subject}[${index}]`));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...findInexact(key, `${subject}.${key}`),
    ...findInexact(inner, `${subject}.${key}`),
  ]);
}

function inexactText(subject: string): Finding {
  return {
    code: 'STRING_NOT_EXACT',
    severity: 'decision',
    subject,
    message:
      'Terraform normalises Unicode text, and would change this one: the plan after the import will show a difference',
    remedy: 'rewrite the text in the service, then generate again',
  };
}

function inexactNumber(subject: string): Finding {
  return {
    code: 'NUMBER_NOT_EXACT',
    severity: 'decision',
    subject,
    message:
      'is a whole number beyond 2^53, of which the last digits may not be those of the service',
    remedy: 'set a smaller number in the service, then generate again',
  };
}
