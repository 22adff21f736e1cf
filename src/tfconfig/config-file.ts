import { type Tree } from 'web-tree-sitter';
import { type JsonNode, type JsonObjectNode } from './json-tree';

/** A part of a text. */
export interface SourceRange {
  /** UTF-16 offset, a byte order mark counted. */
  readonly start: number;
  /** Behind the last character. */
  readonly end: number;
  /** Counted from 1. */
  readonly startLine: number;
  /** The line of the last character. */
  readonly endLine: number;
}

/** A block that stands by itself in a file; two blocks are the same when the object is. */
export interface ConfigBlock {
  readonly file: string;
  readonly type: string;
  readonly labels: readonly string[];
  /**
   * How the block is called inside its module: `cloudflare_waf_rule.a`, `data.cloudflare_zones.z`,
   * `module.zones`, `output.o`; the type alone where there is no label.
   */
  readonly address: string;
  /** The block and no byte around it; in JSON the property, or the item of an array. */
  readonly range: SourceRange;
}

interface ParsedFile {
  readonly path: string;
  readonly override: boolean;
  /** Of the bytes, in hexadecimal. */
  readonly sha256: string;
  /** With byte order mark and line ends as they are: encoded again it gives the same bytes. */
  readonly text: string;
  /** In the order of the text. */
  readonly blocks: readonly ConfigBlock[];
}

/** A `.tf` file. */
export interface HclFile extends ParsedFile {
  readonly syntax: 'hcl';
  /** @internal Types of a dependency, which are no part of this library. */
  readonly tree: Tree;
}

/** A `.tf.json` file. */
export interface JsonFile extends ParsedFile {
  readonly syntax: 'json';
  /** @internal */
  readonly root: JsonNode;
  /** @internal */
  readonly bodies: ReadonlyMap<ConfigBlock, JsonObjectNode>;
}

/** A configuration file, taken apart without loss. */
export type ConfigFile = HclFile | JsonFile;
