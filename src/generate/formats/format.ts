import { type JsonObject, type JsonValue } from '../../core/json';
import { printable } from '../../core/printable';
import { rulesetName } from '../../ruleset/known-rulesets';
import { builtInCatalogue } from '../../translate/catalogue/catalogue';
import { type Dialect } from '../dialects/dialects';
import { type StackNames } from '../stack-names';

/** A stack, ready to be written in any format. */
export interface StackDocument {
  readonly names: StackNames;
  /** The comment at the top: single lines without control characters. */
  readonly comment: readonly string[];
  readonly dialect: Dialect;
  readonly constraint: string;
  readonly resourceName: string;
  /** The arguments of the resource: plain values in the shape of Terraform JSON, with unescaped strings. */
  readonly attributes: JsonObject;
  /** Whether to configure the provider next to the ruleset; false in a called module. */
  readonly configuresProvider: boolean;
  /** The package of the CDK that a program imports. */
  readonly flavor: string;
  /** The import path of the bindings, with `ruleset` and `provider` below it. */
  readonly bindings: string;
  /** The provider configuration if it is not the default one. */
  readonly providerReference: string | undefined;
  /** The `count` in HCL, if only one of several states has the ruleset. */
  readonly count: string | undefined;
}

/** A file of a generated stack, with its path relative to the output folder. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/** An output format, which renders the tree that all formats share. */
export interface Format {
  /** The path of the file that declares the ruleset of a zone, relative to the output folder. */
  pathOf(names: StackNames): string;
  /** The text of that file. */
  render(document: StackDocument): string;
  /** The file with provider and version constraint, for formats that have one. */
  providersFile?(document: StackDocument): GeneratedFile;
}

let ruleTitles: ReadonlyMap<string, string> | undefined;

/** What a value identifies, as the end of its line: ` // Cloudflare Managed Ruleset`. Empty if it is no known id. */
export function idComment(value: JsonValue, mark: '//' | '#'): string {
  if (typeof value !== 'string') return '';
  ruleTitles ??= new Map(
    builtInCatalogue().managedRules.flatMap(({ id, title }) => (id ? [[id, title]] : [])),
  );
  // only texts of this package, none of the API
  const name = ruleTitles.get(value) ?? rulesetName(value);
  return name === value || name === '' ? '' : ` ${mark} ${printable(name, 60)}`;
}
