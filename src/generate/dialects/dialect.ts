import { type Finding } from '../../model/finding';
import { type JsonValue } from '../../model/json';
import { type ProviderMajor } from '../../model/provider-majors';
import { type DeclaredRuleset } from '../../model/ruleset';
import { type SchemaAttributes, type SchemaNode } from './schema';

/** How one provider major takes a ruleset; model/provider-majors.ts has what else is known of it. */
export interface Dialect {
  readonly major: ProviderMajor;
  /** The version constraint that a generated stack carries. */
  readonly constraint: string;
  /** What `cloudflare_ruleset` can be configured with. */
  readonly schema: SchemaAttributes;
  /** The last release of `@cdktf/provider-cloudflare` that is made from this major. */
  readonly bindings: string;
  /** The release of CDKTF that those ask for as a peer, as its npm page says; they work with later ones. */
  readonly bindingsCore: string;
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
  /** Null where it is left out, which loses nothing or is told by `judge`. */
  readonly value: JsonValue;
}
