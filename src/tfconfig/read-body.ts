import { type Node, type Tree } from 'web-tree-sitter';
import { unquoteHcl } from '../core/terraform-syntax';
import {
  type ConfigBlock,
  type ConfigFile,
  type HclFile,
  type JsonFile,
  type ConfigObject,
  type ConfigValue,
  Expression,
  objectsOf,
} from './config';
import { type JsonNode } from './json-tree';

/** What stands in a block, as far as it can be read without Terraform. */
export function readBody(file: ConfigFile, block: ConfigBlock): ConfigObject {
  return file.syntax === 'hcl' ? hclBody(file, block) : jsonBody(file, block);
}

/** Expressions nested deeper are not taken apart. */
const DEEPEST = 64;

/** The body of a block of a `.tf` file. */
function hclBody({ tree, text }: HclFile, block: ConfigBlock): ConfigObject {
  return bodyOf(blockNode(tree, block), text, 0);
}

/** The node of a block that stands at the top of a file. */
function blockNode(tree: Tree, { range }: ConfigBlock): Node {
  // the smallest node that reaches from one end of a block to the other is the block
  return tree.rootNode.descendantForIndex(range.start, range.end) ?? tree.rootNode;
}

function bodyOf(block: Node, text: string, depth: number): ConfigObject {
  const values = new Map<string, ConfigValue>();
  const body = block.namedChildren.find(({ type }) => type === 'body');
  for (const child of body?.namedChildren ?? []) {
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
      const before = values.get(name);
      values.set(name, [...objectsOf(before), nested]);
    }
  }
  return values;
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
      return objectOf(inner, text, depth);
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

function objectOf(object: Node, text: string, depth: number): ConfigObject {
  const values = new Map<string, ConfigValue>();
  for (const element of object.namedChildren) {
    const key = element.childForFieldName('key');
    const value = element.childForFieldName('val');
    if (key === null || value === null) continue;
    values.set(unquoted(sourceOf(key, text)), valueOf(value, text, depth + 1));
  }
  return values;
}

/** The body of a block of a `.tf.json` file. */
function jsonBody({ bodies }: JsonFile, block: ConfigBlock): ConfigObject {
  const members = bodies.get(block)?.members ?? [];
  return new Map(members.map(({ name, value }) => [name, toValue(value)]));
}

function toValue(node: JsonNode): ConfigValue {
  switch (node.kind) {
    case 'object':
      return new Map(node.members.map(({ name, value }) => [name, toValue(value)]));
    case 'array':
      return node.items.map(toValue);
    case 'string':
      return literalOf(node.value);
    case 'scalar':
      return node.value;
  }
}

/** Every string is a template: one without `${` and `%{` is what it says, the rest is not known. */
function literalOf(template: string): string | Expression {
  return /[$%]\{/.test(template) ? new Expression(template) : template;
}

/** What a file says at the place of a node: `text` of a node is of what the grammar was given (hcl-grammar.ts). */
export function sourceOf({ startIndex, endIndex }: Node, text: string): string {
  return text.slice(startIndex, endIndex);
}

/** A local value: its name and where its definition stands. */
interface LocalValue {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The values that a `locals` block defines, in its order. */
export function localValues(file: ConfigFile, block: ConfigBlock): readonly LocalValue[] {
  if (file.syntax === 'json') {
    return file.bodies.get(block)?.members.filter(({ name }) => name !== '//') ?? [];
  }
  const { text, tree } = file;
  const body = blockNode(tree, block).namedChildren.find(({ type }) => type === 'body');
  return (body?.namedChildren ?? []).flatMap((child) => {
    const name = child.firstNamedChild;
    if (child.type !== 'attribute' || name === null) return [];
    const { startIndex: start, endIndex: end } = child;
    return [{ name: sourceOf(name, text), start, end }];
  });
}

/** Tells which local value of a block an offset belongs to. */
export function localNames(file: ConfigFile, block: ConfigBlock): (offset: number) => string {
  const values = localValues(file, block);
  return (offset) => itemAt(values, (value) => value, offset)?.name ?? '';
}

/** The block that stands at an offset of a file. */
export function blockAt({ blocks }: ConfigFile, offset: number): ConfigBlock | undefined {
  return itemAt(blocks, ({ range }) => range, offset);
}

/** The item that stands at an offset, of items that are in order. */
function itemAt<Item>(
  items: readonly Item[],
  rangeOf: (item: Item) => { readonly start: number; readonly end: number },
  offset: number,
): Item | undefined {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && rangeOf(item).start <= offset) low = middle + 1;
    else high = middle;
  }
  const item = items[low - 1];
  return item !== undefined && offset < rangeOf(item).end ? item : undefined;
}
