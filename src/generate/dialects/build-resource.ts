import { type Finding } from '../../core/finding';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/json';
import { normaliseRuleset } from '../../ruleset/normalise-ruleset';
import { type ParsedRuleset, renderRule } from '../../ruleset/parse-ruleset';
import {
  type AdaptedField,
  attributesOf,
  type Dialect,
  type SchemaAttributes,
  type SchemaNode,
} from './dialects';

/** Fields by object that only the API sets, so leaving them out loses nothing. */
const computed: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['ruleset', new Set(['version', 'last_updated', 'source'])],
  ['rule', new Set(['id', 'version', 'last_updated', 'categories'])],
  ['action_parameters', new Set(['version'])],
]);

/**
 * The ruleset as arguments of `cloudflare_ruleset` for one provider major. Keeps the live name, kind, phase
 * and description, because another name replaces the entry point in all majors.
 * @returns plain values in the shape of Terraform JSON; strings are not yet escaped as templates
 */
export function buildResource(
  { origin, ruleset }: ParsedRuleset,
  zoneId: string,
  dialect: Dialect,
): { attributes: JsonObject; findings: Finding[] } {
  const findings = dialect.judge(ruleset);
  const ruleAttributes = attributesOf(dialect.schema['rules']);
  const rules = normaliseRuleset(ruleset).rules.map((rule, index) => {
    const place = { path: `rules[${index}]`, holder: 'rule' };
    const { ref = null, ...fields } = renderRule(rule);
    // a live rule without ref stays so: measured, provider 4 and 5 would otherwise plan a difference
    const isRefAdded = origin === 'live' && ruleset.rules[index]?.ref === undefined;
    const declared = { ref: isRefAdded ? null : ref, ...fields };
    return conformObject(declared, ruleAttributes, place, { dialect, findings });
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
    if (value !== null && !computed.get('ruleset')?.has(field)) {
      findings.push(fieldLost(field, dialect));
    }
  }
  return { attributes, findings: [...findings, ...findInexact(attributes, 'ruleset')] };
}

/** The provider major that values are written for, and the findings about values that it cannot declare. */
interface Target {
  readonly dialect: Dialect;
  readonly findings: Finding[];
}

/** The position of a value: its path for findings, and `rule` or the field that contains it. */
interface Place {
  readonly path: string;
  readonly holder: string;
}

/**
 * Converts an object of the API for a provider major: keeps only fields of its schema, and writes blocks as
 * lists. Every other field becomes a finding, because provider 5 silently ignores unknown keys inside
 * `rules`.
 */
function conformObject(
  object: JsonObject,
  attributes: SchemaAttributes,
  place: Place,
  target: Target,
): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [field, value] of Object.entries(object)) {
    const conformed = conformField(field, value, attributes, place, target);
    if (conformed === 'lost') {
      target.findings.push(fieldLost(`${place.path}.${field}`, target.dialect));
    } else if (conformed !== 'omitted') result[conformed.name] = conformed.value;
  }
  return result;
}

/** Converts a field of an object. To omit a field loses nothing that `judge` does not report; a lost one cannot be declared. */
function conformField(
  field: string,
  answered: JsonValue,
  attributes: SchemaAttributes,
  { path, holder }: Place,
  target: Target,
): AdaptedField | 'omitted' | 'lost' {
  const nodeOf = (name: string): SchemaNode | undefined =>
    Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (answered === null) return 'omitted';
  if (computed.get(holder)?.has(field)) {
    // otherwise a user chose the version of a managed ruleset
    const isOfApi = holder !== 'action_parameters' || answered === 'latest' || answered === '';
    return isOfApi ? 'omitted' : 'lost';
  }
  // provider 3 rejects it ("Value for unconfigurable attribute"), which its `judge` reports
  if (holder === 'rule' && field === 'ref' && nodeOf(field) === undefined) return 'omitted';
  const adapted = target.dialect.adapt(field, answered, nodeOf(field));
  if (adapted === undefined) return 'lost';
  if (adapted.value === null) return 'omitted';
  const place = { path: `${path}.${field}`, holder: field };
  const node = nodeOf(adapted.name);
  const value = node && conform(adapted.value, node, place, target);
  return value === undefined ? 'lost' : { name: adapted.name, value };
}

/** Converts a value to the form of its schema; undefined if it does not fit. */
function conform(
  value: JsonValue,
  node: SchemaNode,
  { path, holder }: Place,
  target: Target,
): JsonValue | undefined {
  if (typeof node === 'string') return fitsType(value, node) ? value : undefined;
  const { nesting, attributes } = node;
  const objectAt = (item: JsonValue, at: string): JsonObject | undefined =>
    isJsonObject(item)
      ? conformObject(item, attributes, { path: `${path}${at}`, holder }, target)
      : undefined;
  if (nesting === 'single') return objectAt(value, '');
  if (nesting === 'map') {
    if (!isJsonObject(value)) return undefined;
    const items = allOf(Object.entries(value).map(([key, item]) => objectAt(item, `.${key}`)));
    return items && Object.fromEntries(Object.keys(value).map((key, at) => [key, items[at] ?? {}]));
  }
  if (isJsonArray(value)) return allOf(value.map((item, index) => objectAt(item, `[${index}]`)));
  const block = nesting === 'block' ? objectAt(value, '') : undefined;
  return block && [block];
}

/** The items; undefined if one of them is undefined. */
function allOf<Item>(items: readonly (Item | undefined)[]): Item[] | undefined {
  const whole = items.filter((item) => item !== undefined);
  return whole.length === items.length ? whole : undefined;
}

/** Whether a value has a type such as `map of list of string`. */
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

function fieldLost(path: string, { major }: Dialect): Finding {
  return {
    code: 'FIELD_NOT_SUPPORTED',
    severity: 'decision',
    subject: path,
    message: `provider ${major} cannot declare this field, so the stack does not have it`,
    remedy: 'if the setting matters, use another provider version, or manage this rule by hand',
  };
}

/**
 * What Terraform (1.11.4) or CDKTF (0.21) changes in a JSON string: a leading byte order mark, a lone carriage return
 * before a template, and letters that Unicode joins to the closing quote.
 */
const CHANGED = /^\ufeff|\r(?!\n)|(?=[\u0600-\u08ff])\p{Cf}|\u0d4e|[\u{11000}-\u{11fff}]/u;

/** A number in exponential notation, from its first sign on. CDKTF looks for its own numbers in texts, too. */
const EXPONENTIAL = /(?<![-+|.\d])[-+|.\d]+e[-+|.\deE]+/g;

/** Whether CDKTF (0.21) would change a value, because it looks like a CDKTF reference or is infinity. */
export function isReference(value: string | number): boolean {
  if (typeof value === 'number') return value <= -1e288 || value === Infinity;
  return (
    /\{TfToken\[|^(?:String|Any) Map Token Value$/.test(value) ||
    [...value.matchAll(EXPONENTIAL)].some(([number]) => parseFloat(number) <= -1e288)
  );
}

/** What to do about such a value. */
export const CHANGE_VALUE = 'change it in the Cloudflare dashboard, then generate again';

/** Finds values that Terraform cannot keep exactly. */
export function findInexact(value: JsonValue, subject: string): Finding[] {
  if (typeof value === 'string') {
    const isSame = value.isWellFormed() && value === value.normalize('NFC');
    return isSame && !CHANGED.test(value) && !isReference(value) ? [] : [inexact(subject)];
  }
  if (typeof value === 'number') return isReference(value) ? [inexact(subject)] : [];
  if (isJsonArray(value)) {
    return value.flatMap((item, index) => findInexact(item, `${subject}[${index}]`));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...findInexact(key, `${subject}.${key}`),
    ...findInexact(inner, `${subject}.${key}`),
  ]);
}

function inexact(subject: string): Finding {
  return {
    code: 'STRING_NOT_EXACT',
    severity: 'decision',
    subject,
    message:
      'Terraform or CDKTF changes this unusual text or number: the plan after the import can show a difference, and a later apply sends the changed text',
    remedy: CHANGE_VALUE,
  };
}
