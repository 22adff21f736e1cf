import { type Finding } from '../../core/finding';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/json';
import { type ProviderMajor } from '../../core/provider-majors';
import { type DeclaredRuleset } from '../../core/ruleset';

/** How one provider major takes a ruleset; core/provider-majors.ts has what else is known of it. */
export interface Dialect {
  readonly major: ProviderMajor;
  /** What `cloudflare_ruleset` can be configured with. */
  readonly schema: SchemaAttributes;
  /** Fields of `action_parameters` that the provider has and its CDKTF bindings do not. */
  readonly unboundFields: readonly string[];
  /** Fields of a rule that this major takes, in the order in which they are written. */
  readonly ruleFields: readonly string[];
  /**
   * A field of the service as this major names and writes it; undefined where it cannot say that.
   * @param value not null
   */
  adapt(name: string, value: JsonValue, node: SchemaNode | undefined): AdaptedField | undefined;
  /** What this major cannot say, or can never plan empty, as findings. */
  judge(ruleset: DeclaredRuleset): Finding[];
}

/** A field under the name and in the form of one provider major. */
export interface AdaptedField {
  readonly name: string;
  /** Null where it is left out, which loses nothing or is a finding of `judge`. */
  readonly value: JsonValue;
}

/** What a provider can be configured with: derived from its own schema, see scripts/derive-ruleset-schema.mjs. */
export interface SchemaObject {
  /** `block` is written without `=` and repeats; `list`, `set`, `single` and `map` are attributes. */
  readonly nesting: string;
  /** 1 for a block that occurs once, which the bindings for CDKTF take without a list. */
  readonly max?: number;
  readonly attributes: SchemaAttributes;
}

/** A leaf is a type in words: `string`, `bool`, `number`, `list of string`, `map of list of string`. */
export type SchemaNode = string | SchemaObject;

/** The attributes and blocks of one object, by name. */
export interface SchemaAttributes {
  readonly [name: string]: SchemaNode;
}

/** The attributes and blocks of an object; a type in words has none. */
export function attributesOf(node: SchemaNode | undefined): SchemaAttributes {
  return typeof node === 'object' ? node.attributes : {};
}

/** The attributes that name the keys of an object; undefined where the keys are data. */
export function namedKeys(node: SchemaNode | undefined): SchemaAttributes | undefined {
  return typeof node === 'object' && node.nesting !== 'map' ? node.attributes : undefined;
}

/** One of several: the keys of an item are attributes. */
export function itemOf(node: SchemaNode | undefined): SchemaNode | undefined {
  return typeof node === 'object' ? { nesting: 'single', attributes: node.attributes } : undefined;
}

/**
 * What provider 3 and 4 write otherwise than the service: a map of lists as a map of comma-separated
 * strings. A score of 0 and an empty set they cannot tell from none: neither of them sends it, and 4 reads
 * none, so that to declare it is a difference in every plan (measured with the score).
 */
export function adaptForBlocks(
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
 * Joined without spaces. A list that would not be read back as it is (empty, a comma in an item) is left,
 * and does not fit the schema.
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
