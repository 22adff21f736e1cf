import { type Node, type Tree, type TreeCursor } from 'web-tree-sitter';
import { unquoteHcl } from '../core/terraform-syntax';
import {
  blockAddress,
  type ConfigBlock,
  type ConfigFile,
  type ConfigObject,
  type ConfigValue,
  Expression,
  objectsOf,
} from './config';
import { configFault, isOverrideFile, LineIndex, sha256 } from './config-source';
import { type HclGrammar, parseHcl } from './hcl-grammar';
import { findHclReferences } from './hcl-references';
import { cutBlocks } from './remove-blocks';

/** Deeper, the second parser may not return (measured: at some 5,000 brackets). */
const DEEPEST_PROVABLE = 1_500;

/**
 * Parses a `.tf` file.
 * @throws MigrationError `CONFIG_INVALID`
 */
export function parseHclFile(path: string, text: string, grammar: HclGrammar): ConfigFile {
  const tree = parseHcl(path, text, grammar);
  const blocks = readBlocks(path, text, tree, grammar);
  return {
    path,
    syntax: 'hcl',
    override: isOverrideFile(path),
    sha256: sha256(text),
    text,
    blocks,
    references: (roots) => findHclReferences({ tree, text, blocks }, grammar, roots),
    cuts: (removed) => cutBlocks(text, blocks, removed),
    unprovable: () =>
      treeDepth(tree) > DEEPEST_PROVABLE ? 'its expressions are nested too deeply' : undefined,
    withText: (other) => parseHclFile(path, other, grammar),
  };
}

/** The blocks at the top of a file, in its order. */
function readBlocks(path: string, text: string, tree: Tree, grammar: HclGrammar): ConfigBlock[] {
  const lines = new LineIndex(text);
  const blocks: ConfigBlock[] = [];
  const cursor = tree.walk();
  if (enter(cursor, grammar.kind('body'))) {
    const [block, comment] = [grammar.kind('block'), grammar.kind('comment')];
    cursor.gotoFirstChild();
    do {
      const { nodeTypeId: kind, startIndex: start, endIndex: end } = cursor;
      if (kind === comment) continue;
      if (kind !== block) throw configFault(path, text, start, 'an argument outside of a block');
      const [type = '', ...labels] = readHeader(path, text, cursor, grammar);
      const range = { start, end, startLine: lines.line(start), endLine: lines.line(end - 1) };
      let body: ConfigObject | undefined;
      blocks.push({
        ...{ file: path, type, labels, address: blockAddress(type, labels), range },
        get body() {
          return (body ??= bodyOf(blockNode(tree, start, end), text, 0));
        },
      });
    } while (cursor.gotoNextSibling());
  }
  cursor.delete();
  return blocks;
}

/** Moves to the first child of a kind; says whether there is one. */
function enter(cursor: TreeCursor, kind: number): boolean {
  let exists = cursor.gotoFirstChild();
  while (exists && cursor.nodeTypeId !== kind) exists = cursor.gotoNextSibling();
  return exists;
}

/** The words before the opening brace. */
function readHeader(path: string, text: string, cursor: TreeCursor, grammar: HclGrammar): string[] {
  const [open, comment] = [grammar.kind('block_start'), grammar.kind('comment')];
  const words: string[] = [];
  cursor.gotoFirstChild();
  for (let kind = cursor.nodeTypeId; kind !== open; kind = cursor.nodeTypeId) {
    const { startIndex: start, endIndex: end } = cursor;
    const word = text.slice(start, end);
    const value = word.startsWith('"') ? unquoteHcl(word) : word;
    if (value === undefined) throw configFault(path, text, start, 'invalid label of a block');
    if (kind !== comment) words.push(value);
    if (!cursor.gotoNextSibling()) break;
  }
  cursor.gotoParent();
  return words;
}

/** The block of a range: the smallest node that reaches from one end of it to the other. */
function blockNode(tree: Tree, start: number, end: number): Node {
  return tree.rootNode.descendantForIndex(start, end) ?? tree.rootNode;
}

/** Expressions nested deeper are not parsed. */
const DEEPEST = 64;

function bodyOf(block: Node, text: string, depth: number): ConfigObject {
  const values = new Map<string, ConfigValue>();
  for (const child of childrenOf(block)) {
    const [name, ...labels] = headerOf(child, text);
    if (name === undefined) continue;
    if (child.type === 'attribute') {
      const expression = child.lastNamedChild;
      if (expression !== null) values.set(name, valueOf(expression, text, depth));
    } else if (depth < DEEPEST) {
      // as Terraform JSON has it: every label is a level
      const nested = labels.reduceRight<ConfigObject>(
        (inner, label) => new Map([[label, inner]]),
        bodyOf(child, text, depth + 1),
      );
      values.set(name, [...objectsOf(values.get(name)), nested]);
    }
  }
  return values;
}

/** Arguments and nested blocks. */
function childrenOf(block: Node): Node[] {
  return block.namedChildren.find(({ type }) => type === 'body')?.namedChildren ?? [];
}

/** The name of an argument, or type and labels of a block. */
function headerOf(node: Node, text: string): string[] {
  const end = node.namedChildren.findIndex(
    ({ type }) => type !== 'identifier' && type !== 'string_lit' && type !== 'comment',
  );
  return node.namedChildren
    .slice(0, end)
    .filter(({ type }) => type !== 'comment')
    .map((word) => unquoted(sourceOf(word, text)));
}

/** A name or a label, with quotes around it or without. */
function unquoted(word: string): string {
  return unquoteHcl(word) ?? word;
}

/** A literal as its value, everything else as the text of the expression. */
function valueOf(node: Node, text: string, depth: number): ConfigValue {
  const source = sourceOf(node, text);
  const inner = onlyChild(node);
  if (depth > DEEPEST || inner === undefined) return new Expression(source);
  // without the parentheses that may be around it
  const literal = sourceOf(inner, text);
  switch (inner.type) {
    case 'string_lit':
      return unquoteHcl(literal) ?? new Expression(source);
    case 'numeric_lit':
      return Number(literal);
    case 'bool_lit':
      return literal === 'true';
    case 'null_lit':
      return null;
    case 'tuple':
      return inner.namedChildren
        .filter(({ type }) => type === 'expression')
        .map((item) => valueOf(item, text, depth + 1));
    case 'object':
      return new Map(
        inner.namedChildren.flatMap((element): [string, ConfigValue][] => {
          const [key, value] = [element.childForFieldName('key'), element.childForFieldName('val')];
          if (key === null || value === null) return [];
          return [[unquoted(sourceOf(key, text)), valueOf(value, text, depth + 1)]];
        }),
      );
    default:
      return new Expression(source);
  }
}

/** Down through nodes that only wrap another one. */
function onlyChild(node: Node): Node | undefined {
  let inner = node;
  while (['expression', 'literal_value', 'collection_value'].includes(inner.type)) {
    const [child, another] = inner.namedChildren;
    if (child === undefined || another !== undefined) return undefined;
    inner = child;
  }
  return inner;
}

/** The text of the file in the range of a node; `node.text` is that of the grammar's input (hcl-grammar.ts). */
function sourceOf({ startIndex, endIndex }: Node, text: string): string {
  return text.slice(startIndex, endIndex);
}

/** How deep the nodes of a tree are nested; walks it without recursion. */
function treeDepth(tree: Tree): number {
  const cursor = tree.walk();
  let depth = 0;
  let deepest = 0;
  for (;;) {
    if (cursor.gotoFirstChild()) {
      depth += 1;
      deepest = Math.max(deepest, depth);
      continue;
    }
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) {
        cursor.delete();
        return deepest;
      }
      depth -= 1;
    }
  }
}
