import { type MigrationError } from '../core/migration-error';
import { type ConfigSyntax, type LineIndex } from './config-source';

/** An argument whose value only Terraform can compute; the text is the expression as it is written. */
export class Expression {
  /**
   * Keeps an expression.
   * @param text as it is written in the file
   */
  constructor(readonly text: string) {}
}

/** A value of the configuration, as far as it can be read without Terraform. */
export type ConfigValue =
  null | boolean | number | string | Expression | readonly ConfigValue[] | ConfigObject;

/** Arguments by name. A nested block is a list of objects, even if there is only one. */
export type ConfigObject = ReadonlyMap<string, ConfigValue>;

/** Whether a value is a list: `Array.isArray` does not narrow read-only lists. */
export function isList(value: ConfigValue | undefined): value is readonly ConfigValue[] {
  return Array.isArray(value);
}

export function isObject(value: ConfigValue | undefined): value is ConfigObject {
  return value instanceof Map;
}

/** The objects of a nested block or argument: one, many, or none. */
export function objectsOf(value: ConfigValue | undefined): readonly ConfigObject[] {
  return (isList(value) ? value : [value]).filter(isObject);
}

/** A literal string; undefined for anything else. */
export function stringOf(value: ConfigValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A reference as it is written: JSON has it in quotes, HCL bare. */
export function referenceOf(value: ConfigValue | undefined): string | undefined {
  return value instanceof Expression ? value.text : stringOf(value);
}

/** A part of a text. */
export interface SourceRange {
  /** UTF-16 offset that counts a byte order mark. */
  readonly start: number;
  /** The offset after the last character. */
  readonly end: number;
  /** Counted from 1. */
  readonly startLine: number;
  /** The line of the last character. */
  readonly endLine: number;
}

/** A top-level block. Blocks are compared by identity. */
export interface ConfigBlock {
  readonly file: string;
  readonly type: string;
  readonly labels: readonly string[];
  /**
   * Its address inside its module: `cloudflare_waf_rule.a`, `data.cloudflare_zones.z`, `module.zones`, `output.o`; the type if it has no label.
   */
  readonly address: string;
  /** Exactly the block; in JSON the property, or the item of an array. */
  readonly range: SourceRange;
  /** Arguments and nested blocks, parsed on first access. */
  readonly body: ConfigObject;
}

/** The file and line where a block begins: `main.tf:12`. */
export function placeOfBlock({ file, range }: ConfigBlock): string {
  return `${file}:${range.startLine}`;
}

export function textOfBlock({ text }: ConfigFile, { range }: ConfigBlock): string {
  return text.slice(range.start, range.end);
}

/** A block for a message, with its place: `cloudflare_waf_rule.a (main.tf:12)`. */
export function namedBlock(block: ConfigBlock): string {
  return `${block.address} (${placeOfBlock(block)})`;
}

/** Returns the block between two offsets of a file; its body is parsed on first access. */
export function configBlock(
  file: string,
  lines: LineIndex,
  [type = '', ...labels]: readonly string[],
  { start, end }: Pick<SourceRange, 'start' | 'end'>,
  readBody: () => ConfigObject,
): ConfigBlock {
  let body: ConfigObject | undefined;
  return {
    file,
    type,
    labels,
    address: type === 'resource' ? labels.join('.') : [type, ...labels].join('.'),
    range: { start, end, startLine: lines.line(start), endLine: lines.line(end - 1) },
    get body() {
      return (body ??= readBody());
    },
  };
}

/** A reference in an expression: `module.zones["a"].ids[0]` has the names `module`, `zones`, `ids`. */
export interface FileReference {
  readonly block: ConfigBlock;
  /** The address of the block; `local.<name>` inside of `locals`. */
  readonly owner: string;
  /** The names, without keys and indexes; at least two. */
  readonly names: readonly string[];
  /** The offset of the reference, or in JSON of its string. */
  readonly offset: number;
  readonly text: string;
  /** Whether it is in `depends_on`, which reads nothing. */
  readonly isDependsOn: boolean;
  /** What a `for` over it reads of each item; undefined if it is no collection of a `for`, or if whole items are read. */
  readonly itemAttributes?: readonly string[] | undefined;
}

/** Replaces a part of a text; with an empty `text` it removes it. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with all splices made, which are in order and do not overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const splice of splices) {
    parts.push(text.slice(at, splice.start), splice.text);
    at = splice.end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** A text as lines, each with its line end. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** A parsed configuration file; HCL and JSON have the same form. */
export interface ConfigFile {
  readonly path: string;
  readonly syntax: ConfigSyntax;
  /** Of the bytes, in hexadecimal. */
  readonly sha256: string;
  /** With byte order mark and line ends: encoding it returns the same bytes. */
  readonly text: string;
  /** In the order of the text. */
  readonly blocks: readonly ConfigBlock[];
  /**
   * Every reference whose first name is one of the roots.
   * @throws MigrationError `CONFIG_INVALID` if a JSON string is not a valid template
   */
  readonly references: (roots: ReadonlySet<string>) => readonly FileReference[];
  /** The parts of the text to cut, in order, to remove blocks (docs/plan-format.md). */
  readonly cuts: (removed: ReadonlySet<ConfigBlock>) => readonly Splice[];
}

/** A `resource` or `data` block. */
export interface ResourceBlock {
  readonly mode: 'managed' | 'data';
  readonly type: string;
  readonly name: string;
  readonly block: ConfigBlock;
  readonly file: ConfigFile;
}

/** A call of another module. */
export interface ModuleCall {
  readonly name: string;
  /** The folder of its module, relative to the folder of the plan; undefined for a remote module. */
  readonly folder: string | undefined;
  /** Whether it has `count` or `for_each`. */
  readonly isRepeated: boolean;
  readonly block: ConfigBlock;
}

/** A `provider` block. */
export interface ProviderBlock {
  readonly name: string;
  readonly alias: string | undefined;
}

/** An entry of `required_providers`. */
export interface ProviderRequirement {
  /** The local name: `cloudflare`. */
  readonly name: string;
  readonly source: string | undefined;
  readonly version: string | undefined;
  /** `configuration_aliases`, as references. */
  readonly aliases: readonly string[];
  readonly block: ConfigBlock;
}

/** An `import`, `moved` or `removed` block; the addresses as they are written. */
export interface StateBlock {
  readonly kind: 'import' | 'moved' | 'removed';
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly id: string | undefined;
  /** Whether a `removed` block has `destroy = false`. */
  readonly isDestroyFalse: boolean;
  readonly block: ConfigBlock;
}

/** The configuration of one folder, which is what Terraform calls a module. */
export interface ConfigModule {
  /** Relative to the folder of the plan, which is `.`. */
  readonly dir: string;
  readonly files: readonly ConfigFile[];
  readonly resources: readonly ResourceBlock[];
  /** The resources by mode, type and name. */
  readonly declarations: ReadonlyMap<string, readonly ResourceBlock[]>;
  readonly calls: readonly ModuleCall[];
  readonly providers: readonly ProviderBlock[];
  readonly requirements: readonly ProviderRequirement[];
  readonly stateBlocks: readonly StateBlock[];
}

/** A configuration with its local modules. */
export interface ConfigProject {
  /** The folder that Terraform runs in, relative to the folder of the plan. */
  readonly root: string;
  readonly rootModule: ConfigModule;
  /** All modules by folder, the root first. */
  readonly modules: ReadonlyMap<string, ConfigModule>;
  /** Modules by their path from the root: `''` for the root, `module.zones`, `module.a.module.b`. */
  readonly paths: ReadonlyMap<string, ReachedModule>;
  /** Calls whose module is remote, missing or an expression: its blocks cannot be edited. */
  readonly unread: ReadonlySet<ModuleCall>;
  readonly unreadFiles: readonly UnreadFile[];
}

/** A module, and the calls by which the root reaches it. */
export interface ReachedModule {
  readonly module: ConfigModule;
  readonly calls: readonly ModuleCall[];
}

/** A file that cannot be parsed, so that its declarations are unknown. */
export interface UnreadFile {
  /** Relative to the folder of the plan. */
  readonly file: string;
  readonly error: MigrationError;
}
