import { type JsonObject } from '../../core/json';
import { type Dialect } from '../dialects/dialect';

/** The names that a generated stack gets from its zone. */
export interface StackNames {
  /** File name without its ending, and the id of the stack: `[a-z0-9_-]`, unique to the zone. */
  readonly slug: string;
  /** Class of the CDKTF stack, unique to the zone. */
  readonly className: string;
  /** Class of the construct for a stack that exists. */
  readonly constructName: string;
}

/** A stack, ready to be written in any format. */
export interface StackDocument {
  readonly names: StackNames;
  /** Head comment: single lines, already free of control characters. */
  readonly comment: readonly string[];
  readonly dialect: Dialect;
  /** The version constraint of the provider. */
  readonly constraint: string;
  /** Name of the `cloudflare_ruleset` resource. */
  readonly resourceName: string;
  /** Its arguments: plain values in the shape of Terraform JSON, strings not yet escaped. */
  readonly attributes: JsonObject;
  /** Whether the provider is configured beside the ruleset: not in a module that is called. */
  readonly configuresProvider: boolean;
  /** Package of `TerraformStack`. */
  readonly core: string;
  /** Where the bindings are: `ruleset` and `provider` are below it. */
  readonly bindings: string;
  /** Whether `lifecycle.prevent_destroy` guards the entry point. */
  readonly preventDestroy: boolean;
  /** The provider configuration if it is not the default one. */
  readonly providerReference: string | undefined;
}

/** A file of a generated stack, its path relative to the output folder. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/** One output format: renders the one tree that all formats share. */
export interface Format {
  /** The file that declares the ruleset of the zone. */
  resourceFile(document: StackDocument): GeneratedFile;
  /** The file with provider and version constraint, for formats that have it. */
  providersFile?(document: StackDocument): GeneratedFile;
}
