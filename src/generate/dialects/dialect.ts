import { type Finding } from '../../core/finding';
import { type JsonValue } from '../../core/json';
import { type ProviderMajor } from '../../core/provider-majors';
import { type DeclaredRuleset } from '../../core/ruleset';

/** How one provider major takes a ruleset; core/provider-majors.ts has what else is known of it. */
export interface Dialect {
  readonly major: ProviderMajor;
  /** What `cloudflare_ruleset` can be configured with. */
  readonly schema: SchemaAttributes;
  /** Fields of `action_parameters` that the provider has and its CDKTF bindings do not. */
  readonly unboundFields: readonly string[];
  /** Whether a rule can be declared with its ref. */
  readonly hasRefs: boolean;
  /**
   * A field of the API as this major names and writes it; undefined if it cannot.
   * @param value not null
   */
  adapt(name: string, value: JsonValue, node: SchemaNode | undefined): AdaptedField | undefined;
  /** What this major cannot say, or can never plan empty, as findings. */
  judge(ruleset: DeclaredRuleset): Finding[];
}

/** A field under the name and in the form of one provider major. */
export interface AdaptedField {
  readonly name: string;
  /** Null if it is left out, which loses nothing or is a finding of `judge`. */
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

/** The attributes that name the keys of an object; undefined if the keys are data. */
export function namedKeys(node: SchemaNode | undefined): SchemaAttributes | undefined {
  return typeof node === 'object' && node.nesting !== 'map' ? node.attributes : undefined;
}

/** One of several: the keys of an item are attributes. */
export function itemOf(node: SchemaNode | undefined): SchemaNode | undefined {
  return typeof node === 'object' ? { nesting: 'single', attributes: node.attributes } : undefined;
}
