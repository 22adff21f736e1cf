import { type Finding } from '../../core/finding';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/json';
import { type DeclaredRuleset } from '../../core/ruleset';
import { renderRule } from '../../ruleset/parse-ruleset';
import {
  type AdaptedField,
  attributesOf,
  type Dialect,
  type SchemaAttributes,
  type SchemaNode,
  type SchemaObject,
} from './dialect';

/** The arguments of a `cloudflare_ruleset`, and what could not be declared. */
export interface BuiltResource {
  /** Plain values in the shape of Terraform JSON; strings are not yet escaped as templates. */
  readonly attributes: JsonObject;
  readonly findings: readonly Finding[];
}

/** Fields of the ruleset that the service sets alone: leaving them out loses nothing. */
const COMPUTED_OF_RULESET = new Set(['version', 'last_updated', 'source']);

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
    if (value !== null && !COMPUTED_OF_RULESET.has(field)) findings.push(fieldLost(field, dialect));
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

/** Answered by the service, set by no configuration: leaving them out loses nothing. */
const COMPUTED_OF_RULE = new Set(['id', 'version', 'last_updated', 'categories']);
const computedAt: Readonly<Record<string, (name: string) => boolean>> = {
  rule: (name) => COMPUTED_OF_RULE.has(name),
  action_parameters: (name) => name === 'version',
};

/** Where the value stands, for findings and for what is computed there. */
interface Place {
  readonly path: string;
  /** `rule`, or the name of the field that holds the object. */
  readonly holder: string;
}

/**
 * Brings what the service answered into the form that one provider major takes: only fields of
 * its schema, blocks as lists. A field that the schema does not know is lost, and says so: provider
 * 5 ignores unknown keys inside `rules` without a word, so nothing else would.
 */
export function conformObject(
  value: JsonObject,
  attributes: SchemaAttributes,
  dialect: Dialect,
  place: Place,
  findings: Finding[],
): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [field, answered] of Object.entries(value)) {
    if (answered === null) continue;
    const path = `${place.path}.${field}`;
    if (computedAt[place.holder]?.(field)) {
      if (isPin(place.holder, answered)) findings.push(pinNotDeclared(path));
      continue;
    }
    const given = withoutNulls(answered, dialect, path, findings);
    const adapted = dialect.adapt(field, given, ownNode(attributes, field));
    if (adapted?.value === null) continue;
    const entry =
      adapted && conformField(adapted, attributes, dialect, { path, holder: field }, findings);
    if (entry === undefined) findings.push(fieldLost(path, dialect));
    else result[entry[0]] = entry[1];
  }
  return result;
}

/** A null in a list is lost alone: without the other entries, what they switch off would be on. */
function withoutNulls(
  value: JsonValue,
  dialect: Dialect,
  path: string,
  findings: Finding[],
): JsonValue {
  if (!isJsonArray(value)) return value;
  return value.filter((item, index) => {
    if (item === null) findings.push(fieldLost(`${path}[${index}]`, dialect));
    return item !== null;
  });
}

function conformField(
  { name, value }: AdaptedField,
  attributes: SchemaAttributes,
  dialect: Dialect,
  place: Place,
  findings: Finding[],
): [name: string, value: JsonValue] | undefined {
  const node = ownNode(attributes, name);
  const conformed = node && conform(value, node, dialect, place, findings);
  return conformed === undefined ? undefined : [name, conformed];
}

function ownNode(attributes: SchemaAttributes, name: string): SchemaNode | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}

function conform(
  value: JsonValue,
  node: SchemaNode,
  dialect: Dialect,
  place: Place,
  findings: Finding[],
): JsonValue | undefined {
  if (typeof node === 'string') return fitsType(value, node) ? value : undefined;
  const object = (item: JsonValue, path: string): JsonObject | undefined => {
    if (!isJsonObject(item)) return undefined;
    return conformObject(item, node.attributes, dialect, { ...place, path }, findings);
  };
  if (isSequence(node) && isJsonArray(value)) {
    const items = value.map((item, index) => object(item, `${place.path}[${index}]`));
    return items.includes(undefined) ? undefined : items.filter((item) => item !== undefined);
  }
  if (node.nesting === 'block') {
    const block = object(value, place.path);
    return block && [block];
  }
  if (node.nesting === 'map' && isJsonObject(value)) {
    const entries = Object.entries(value).map(
      ([key, item]) => [key, object(item, `${place.path}.${key}`)] as const,
    );
    const whole = entries.flatMap(([key, item]) => (item ? [[key, item] as const] : []));
    return whole.length === entries.length ? Object.fromEntries(whole) : undefined;
  }
  return node.nesting === 'single' ? object(value, place.path) : undefined;
}

function isSequence(node: SchemaObject): boolean {
  return node.nesting === 'block' || node.nesting === 'list' || node.nesting === 'set';
}

/** Whether a value has a type in words, e.g. `map of list of string`. */
function fitsType(value: JsonValue, type: string): boolean {
  const [outer, ...inner] = type.split(' of ');
  const rest = inner.join(' of ');
  switch (outer) {
    case 'list':
    case 'set':
      return isJsonArray(value) && value.every((item) => fitsType(item, rest));
    case 'map':
      return isJsonObject(value) && Object.values(value).every((item) => fitsType(item, rest));
    case 'bool':
      return typeof value === 'boolean';
    default:
      return typeof value === outer;
  }
}

/** Of what is executed: not what the service says where nobody chose a version. Blank is none. */
function isPin(holder: string, version: JsonValue): boolean {
  return holder === 'action_parameters' && version !== 'latest' && version !== '';
}

/** Measured: the plan is empty without it, under each major. */
function pinNotDeclared(path: string): Finding {
  return {
    code: 'VERSION_NOT_DECLARED',
    severity: 'info',
    subject: path,
    message:
      'the managed ruleset is deployed in a version that somebody chose, which the stack does not declare',
    remedy: 'expect the latest version once a change of the ruleset is applied',
  };
}

/** A field that the stack cannot hold. */
export function fieldLost(path: string, dialect: Dialect): Finding {
  return {
    code: 'FIELD_NOT_SUPPORTED',
    severity: 'decision',
    subject: path,
    message: `provider ${dialect.major} cannot declare this field of the service, so it is not in the stack`,
    remedy:
      'check whether the setting matters; if it does, manage this rule with another provider version or by hand',
  };
}
