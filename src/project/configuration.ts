import { type ConfigProject } from '../tfconfig/config-module';
import { type HclGrammar } from '../tfconfig/hcl-grammar';

/** The configuration of a state's folder, read from its files. */
export interface Configuration {
  readonly project: ConfigProject;
  readonly grammar: HclGrammar;
  /** Where the files that a link leads to, and the folder, really are, by their names in the plan. */
  readonly linkedFiles?: ReadonlyMap<string, string> | undefined;
}

/** A `cloudflare_ruleset` of the managed phase that the configuration declares. */
export interface DeclaredRulesetAddress {
  readonly address: string;
  /** The folder of its module, relative to that of the plan; that of the state unless told. */
  readonly dir?: string | undefined;
  /** Undefined where an expression tells it, or the phase. */
  readonly zoneId: string | undefined;
  /** Where `zoneId` is not told: the one zone that it can be of, null where an account has it; undefined for any. */
  readonly mayBeOf?: string | null | undefined;
  /** Whether it, or a call on the way to its module, has `count` or `for_each`, and its instances a key. */
  readonly isRepeated?: boolean | undefined;
  /** Literal arguments, a change of which replaces the ruleset. */
  readonly name?: string | undefined;
  readonly kind?: string | undefined;
  readonly phase?: string | undefined;
  /** The providers that take it as it is written. */
  readonly majors?: readonly number[] | undefined;
}
