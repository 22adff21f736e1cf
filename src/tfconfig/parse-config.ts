import { type Tree, type TreeCursor } from 'web-tree-sitter';
import { unquoteHcl } from '../core/terraform-syntax';
import { type ConfigBlock, type ConfigFile } from './config';
import {
  type ConfigSource,
  configSyntax,
  decodeConfig,
  isOverrideFile,
  sha256,
} from './config-source';
import { type HclGrammar, parseHcl } from './hcl-grammar';
import { type JsonMember, type JsonNode, type JsonObjectNode, parseJsonTree } from './json-tree';
import { configFault, LineIndex } from './line-index';

/**
 * Takes a configuration file apart without loss: every block with its exact place.
 *
 * @param source a file for which `configSyntax` gives a language; any other is read as HCL
 * @throws MigrationError `CONFIG_INVALID` with file, line and column, when it cannot be read:
 * what is not understood is not edited
 * @example
 * const file = parseConfig({ path: 'main.tf', bytes }, await loadHclGrammar());
 * file.blocks.map(({ address, range }) => `${address} at line ${range.startLine}`);
 */
export function parseConfig(source: ConfigSource, grammar: HclGrammar): ConfigFile {
  const text = decodeConfig(source);
  const { path } = source;
  const lines = new LineIndex(text);
  const shared = { path, override: isOverrideFile(path), sha256: sha256(source.bytes), text };
  if (configSyntax(path) === 'json') {
    const root = parseJsonTree(text, (offset, what) => {
      throw configFault(path, lines, offset, what);
    });
    const bodies = parseJsonBlocks(path, lines, root);
    return { ...shared, syntax: 'json', root, bodies, blocks: [...bodies.keys()] };
  }
  const tree = parseHcl(path, text, grammar);
  return {
    ...shared,
    syntax: 'hcl',
    tree,
    blocks: parseHclBlocks(path, text, lines, tree, grammar),
  };
}

/**
 * The blocks at the top of a `.tf` file, in its order.
 *
 * @throws MigrationError `CONFIG_INVALID` when an argument stands outside of a block
 */
function parseHclBlocks(
  path: string,
  text: string,
  lines: LineIndex,
  tree: Tree,
  grammar: HclGrammar,
): ConfigBlock[] {
  const blocks: ConfigBlock[] = [];
  const cursor = tree.walk();
  const body = grammar.kind('body');
  if (enter(cursor, body)) {
    const block = grammar.kind('block');
    const comment = grammar.kind('comment');
    cursor.gotoFirstChild();
    do {
      const kind = cursor.nodeTypeId;
      const start = cursor.startIndex;
      if (kind === block) blocks.push(readBlock(path, text, lines, cursor, start, grammar));
      else if (kind !== comment)
        throw configFault(path, lines, start, 'an argument outside of a block');
    } while (cursor.gotoNextSibling());
  }
  cursor.delete();
  return blocks;
}

/** Moves to the first child of a kind; says whether there is one. */
function enter(cursor: TreeCursor, kind: number): boolean {
  let there = cursor.gotoFirstChild();
  while (there && cursor.nodeTypeId !== kind) there = cursor.gotoNextSibling();
  return there;
}

function readBlock(
  file: string,
  text: string,
  lines: LineIndex,
  cursor: TreeCursor,
  start: number,
  grammar: HclGrammar,
): ConfigBlock {
  const end = cursor.endIndex;
  const header =
    plainHeader(text, start) ??
    readHeader(text, cursor, grammar).map(({ word, offset }) =>
      word.startsWith('"') ? label(file, lines, offset, word) : word,
    );
  const [type = '', ...labels] = header;
  const range = { start, end, startLine: lines.line(start), endLine: lines.line(end - 1) };
  return { file, type, labels, address: blockAddress(type, labels), range };
}

/** Type and labels as nearly all blocks have them; to ask the tree for each takes far longer. */
const plain = /([\w-]+)(?: +"([\w-]+)")?(?: +"([\w-]+)")? *\{/y;

function plainHeader(text: string, start: number): string[] | undefined {
  plain.lastIndex = start;
  const words = plain.exec(text)?.slice(1);
  return words?.filter((word) => typeof word === 'string');
}

/** The words before the opening brace, as they stand in the text. */
function readHeader(
  text: string,
  cursor: TreeCursor,
  grammar: HclGrammar,
): { word: string; offset: number }[] {
  const [open, comment] = [grammar.kind('block_start'), grammar.kind('comment')];
  const words: { word: string; offset: number }[] = [];
  cursor.gotoFirstChild();
  for (let kind = cursor.nodeTypeId; kind !== open; kind = cursor.nodeTypeId) {
    const offset = cursor.startIndex;
    if (kind !== comment) words.push({ word: text.slice(offset, cursor.endIndex), offset });
    if (!cursor.gotoNextSibling()) break;
  }
  cursor.gotoParent();
  return words;
}

function label(file: string, lines: LineIndex, offset: number, word: string): string {
  const value = unquoteHcl(word);
  if (value === undefined) throw configFault(file, lines, offset, 'invalid label of a block');
  return value;
}

/** How many labels the blocks of a type have; those not named here have none. */
const labelCounts: ReadonlyMap<string, number> = new Map([
  ['resource', 2],
  ['data', 2],
  ['ephemeral', 2],
  ['action', 2],
  ['list', 2],
  ['module', 1],
  ['variable', 1],
  ['output', 1],
  ['provider', 1],
  ['check', 1],
]);

interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * The blocks of a `.tf.json` file with their bodies, in its order. At every level an object may be an array of
 * objects; `null` and an empty array declare nothing (1.11.4, measured).
 *
 * @throws MigrationError `CONFIG_INVALID` when a level is neither object nor array of objects
 */
function parseJsonBlocks(
  path: string,
  lines: LineIndex,
  root: JsonNode,
): Map<ConfigBlock, JsonObjectNode> {
  const bodies = new Map<ConfigBlock, JsonObjectNode>();

  /** Calls back for every member of an object, or of the objects of an array. */
  function eachMember(node: JsonNode, visit: (member: JsonMember) => void): void {
    if (node.kind === 'object') node.members.forEach(visit);
    else if (node.kind === 'array') {
      for (const item of node.items) eachMember(item, visit);
    } else throw configFault(path, lines, node.start, 'expected an object');
  }

  function descend(node: JsonNode, place: Place, type: string, labels: readonly string[]): void {
    if (labels.length < (labelCounts.get(type) ?? 0)) {
      eachMember(node, (member) => {
        descend(member.value, member, type, [...labels, member.name]);
      });
    } else if (node.kind === 'array') {
      for (const item of node.items) descend(item, item, type, labels);
    } else if (node.kind === 'object') {
      const { start, end } = place;
      const range = { start, end, startLine: lines.line(start), endLine: lines.line(end - 1) };
      const address = blockAddress(type, labels);
      bodies.set({ file: path, type, labels, address, range }, node);
    } else if (node.kind === 'string' || node.value !== null) {
      throw configFault(path, lines, node.start, 'expected the body of a block');
    }
  }

  eachMember(root, (member) => {
    if (member.name !== '//') descend(member.value, member, member.name, []);
  });
  return bodies;
}

/** How a block is called inside its module; the type alone where there is no label. */
function blockAddress(type: string, labels: readonly string[]): string {
  return type === 'resource' ? labels.join('.') : [type, ...labels].join('.');
}
