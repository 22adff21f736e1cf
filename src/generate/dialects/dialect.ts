import { type Finding } from '../../core/finding';
import { type JsonValue } from '../../core/json';
import { type ProviderMajor } from '../../core/provider-majors';
import { type DeclaredRuleset } from '../../core/ruleset';

/** How one provider major represents a ruleset; core/provider-majors.ts has its other properties. */
export interface Dialect {
  readonly major: ProviderMajor;
  /** The configurable attributes of `cloudflare_ruleset`. */
  readonly schema: SchemaAttributes;
  /** Whether a rule can be declared with its ref. */
  readonly hasRefs: boolean;
  /**
   * Converts a field of the API to the name and form of this major; undefined if this is not possible.
   * @param value not null
   */
  adapt(name: string, value: JsonValue, node: SchemaNode | undefined): AdaptedField | undefined;
  /** Reports what this major cannot declare, or can never plan without a difference. */
  judge(ruleset: DeclaredRuleset): Finding[];
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

/** The attributes and blocks of one object, by name. */
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
