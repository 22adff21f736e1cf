import { type Finding } from '../../core/finding';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/json';
import { listed } from '../../core/lists';
import { type ProviderMajor } from '../../core/provider-majors';
import { parametersOf, type Ruleset } from '../../core/ruleset';
import schema3 from './schemas/v3.json';
import schema4 from './schemas/v4.json';
import schema5 from './schemas/v5.json';

/** How one provider major represents a ruleset; core/provider-majors.ts has its other properties. */
export interface Dialect {
  readonly major: ProviderMajor;
  /** The configurable attributes of `cloudflare_ruleset`. */
  readonly schema: SchemaAttributes;
  /**
   * Converts a field of the API to the name and form of this major; undefined if this is not possible.
   * @param value not null
   */
  adapt(name: string, value: JsonValue, node: SchemaNode | undefined): AdaptedField | undefined;
  /** Reports what this major cannot declare, or can never plan without a difference. */
  judge(ruleset: Ruleset): Finding[];
}

/** A field with the name and form of one provider major. */
export interface AdaptedField {
  readonly name: string;
  /** Null to leave it out, which loses nothing or is a finding of `judge`. */
  readonly value: JsonValue;
}

/** The configurable part of a provider schema, derived by scripts/derive-ruleset-schema.mjs. */
export interface SchemaObject {
  /** `block` is written without `=` and can repeat; `list`, `set`, `single` and `map` are attributes. */
  readonly nesting: string;
  /** 1 for a block that occurs once, which the CDKTF bindings take without a list. */
  readonly max?: number;
  readonly attributes: SchemaAttributes;
}

/** A leaf is the name of a type: `string`, `bool`, `number`, `list of string`, `map of list of string`. */
export type SchemaNode = string | SchemaObject;

export interface SchemaAttributes {
  readonly [name: string]: SchemaNode;
}

/** The attributes and blocks of an object; empty for a leaf. */
export function attributesOf(node: SchemaNode | undefined): SchemaAttributes {
  return typeof node === 'object' ? node.attributes : {};
}

/** The attributes of an object with fixed keys; undefined if the keys are data. */
export function namedKeys(node: SchemaNode | undefined): SchemaAttributes | undefined {
  return typeof node === 'object' && node.nesting !== 'map' ? node.attributes : undefined;
}

/** The schema of one item of a collection, whose keys are attributes. */
export function itemOf(node: SchemaNode | undefined): SchemaNode | undefined {
  return typeof node === 'object' ? { nesting: 'single', attributes: node.attributes } : undefined;
}

/** Provider 3 (measured with 3.35.0, the last version with the legacy resources). */
const v3: Dialect = {
  major: 3,
  schema: schema3,
  adapt(name, value, node) {
    // it writes `enabled` of overrides and logging as `status`, so a `status` of the API is another field
    if (name === 'status') return undefined;
    // it accepts `enabled` inside overrides and logging, but drops it from the request
    if (name === 'enabled' && node === undefined && typeof value === 'boolean') {
      return { name: 'status', value: value ? 'enabled' : 'disabled' };
    }
    return adaptForBlocks(name, value, node);
  },
  // it sends no ref, and an id only for unchanged rules: a changed rule and the neighbours of a moved rule
  // get new ids
  judge: () => [
    {
      code: 'REFS_NOT_SUPPORTED',
      severity: 'info',
      subject: 'rules',
      message: 'provider 3 cannot declare refs: every change of a rule gives it a new id',
      remedy: 'import with provider 3, and change rules only after the upgrade to provider 4',
    },
  ],
};

/** Provider 4 (measured with 4.52.8): blocks, and comma-separated lists for the rules of a skip rule. */
const v4: Dialect = {
  major: 4,
  schema: schema4,
  adapt: adaptForBlocks,
  judge: findWithoutRef,
};

/** Rules without ref get new ids when one of them changes (measured for 4 and 5). */
function findWithoutRef({ id, rules }: Ruleset): Finding[] {
  const places = rules.flatMap(({ ref }, index) => (ref === undefined ? `rules[${index}]` : []));
  if (id === undefined || places.length === 0) return [];
  return [
    {
      code: 'REFS_NOT_SUPPORTED',
      severity: 'info',
      subject: listed(places),
      message: 'the API returns no ref: a change of one of these rules gives all of them new ids',
      remedy: 'import them as they are; to change one, first give each of them a ref',
    },
  ];
}

/**
 * Converts a map of lists to a map of comma-separated strings, as provider 3 and 4 write it. They cannot
 * distinguish a score of 0 or an empty set from none. Neither sends them and provider 4 reads none, so every
 * plan would show a difference (measured with the score).
 */
function adaptForBlocks(
  name: string,
  value: JsonValue,
  node: SchemaNode | undefined,
): AdaptedField | undefined {
  if (name === 'score_threshold' && value === 0) return undefined;
  if (isJsonArray(value) && value.length === 0 && typeof node === 'string') {
    return { name, value: null };
  }
  return {
    name,
    value: node === 'map of string' && isJsonObject(value) ? joinLists(value) : value,
  };
}

/**
 * Joins lists without spaces. A list that would be read back differently (empty, or a comma in an item) stays
 * unchanged, and does not fit the schema.
 */
function joinLists(lists: JsonObject): JsonObject {
  const joined = Object.entries(lists).map(([key, list]): [string, JsonValue] => [
    key,
    isJsonArray(list) && list.length > 0 && list.every(isJoinable) ? list.join(',') : list,
  ]);
  return Object.fromEntries(joined);
}

function isJoinable(item: JsonValue): item is string {
  return typeof item === 'string' && item !== '' && !item.includes(',');
}

/** Objects that provider 5 refuses if empty. Of these, only `logging` can be left out with an empty plan. */
const mayBeEmpty = new Set(['overrides', 'rules', 'logging']);

const PARAMETERS = schema5.rules.attributes.action_parameters.attributes;

/** Provider 5 (measured with 5.22.0): attributes instead of blocks, and lists in the order of the API. */
const v5: Dialect = {
  major: 5,
  schema: schema5,
  // it refuses empty lists too (SizeAtLeast 1)
  adapt(name, value, node) {
    if (node !== undefined && isEmpty(value)) return { name, value: null };
    if (!mayBeEmpty.has(name) || !isJsonObject(value)) return { name, value };
    const kept = Object.entries(value).filter(([, inner]) => !isEmpty(inner));
    return { name, value: kept.length === 0 ? null : Object.fromEntries(kept) };
  },
  judge(ruleset) {
    const { id, description, rules } = ruleset;
    if (id === undefined) return [];
    const empty = rules.flatMap((rule, index) =>
      Object.entries(parametersOf(rule))
        .filter(([name, value]) => hasPermanentDifference(name, value))
        .map(([name, value]) => {
          const subject = `rules[${index}].action_parameters.${name}`;
          const what = isEmptyList(value) ? 'an empty' : 'an empty object or list in';
          return neverPlansEmpty(subject, `${what} \`${name}\``);
        }),
    );
    const undescribed =
      description === undefined
        ? [neverPlansEmpty('description', 'a ruleset without a description')]
        : [];
    return [...undescribed, ...empty, ...findWithoutRef(ruleset)];
  },
};

function hasPermanentDifference(name: string, value: JsonValue): boolean {
  if (isEmptyList(value)) return Object.hasOwn(PARAMETERS, name);
  return ['overrides', 'rules'].includes(name) && hasEmpty(value);
}

function neverPlansEmpty(subject: string, what: string): Finding {
  return {
    code: 'NEVER_PLANS_EMPTY',
    severity: 'decision',
    subject,
    message: `the API returns ${what}, which provider 5 can neither declare nor plan without a difference`,
    remedy: 'expect this difference in the first plan, or first set it in the Cloudflare dashboard',
  };
}

/** The dialect of each provider major in core/provider-majors.ts. */
export const dialects: Readonly<Record<ProviderMajor, Dialect>> = { 3: v3, 4: v4, 5: v5 };

function hasEmpty(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value)) return false;
  const inner = Object.values(value);
  return inner.every(isEmpty) || inner.some(isEmptyList);
}

const isEmptyList = (value: JsonValue): boolean => isJsonArray(value) && value.length === 0;

const isEmpty = (value: JsonValue = null): boolean => value === null || isEmptyList(value);
