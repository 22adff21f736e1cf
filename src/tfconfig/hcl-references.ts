import { type Node, type Tree } from 'web-tree-sitter';
import { unquoteHcl } from '../core/terraform-syntax';
import { type ConfigBlock, type FileReference } from './config';
import { type HclGrammar, parseTemplate } from './hcl-grammar';

/** A `.tf` file as its references are found in it. */
interface HclText {
  readonly tree: Tree;
  readonly text: string;
  /** In the order of the text. */
  readonly blocks: readonly ConfigBlock[];
}

/** Arguments that took their references in quotes before Terraform 0.12, and still do. */
const quoting = /\b(?:depends_on|providers?)\s*=/g;

/** Every reference of a `.tf` file whose first name is one of the roots. */
export function findHclReferences(
  { tree, text, blocks }: HclText,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): FileReference[] {
  const quoted = [...text.matchAll(quoting)]
    .flatMap(({ index }) => stringsOf(tree.rootNode, index))
    .map((node): Names => {
      const reference = unquoteHcl(text.slice(node.startIndex, node.endIndex)) ?? '';
      const offset = node.startIndex;
      return { names: quotedNames(reference), offset, text: reference, orders: true };
    })
    .filter(({ names }) => roots.has(names[0] ?? ''));
  const ownerOf = ownerIn(tree, text);
  return [...namesInTree(tree, text, grammar, roots), ...quoted].flatMap((found) => {
    const block = blockAt(blocks, found.offset);
    if (block === undefined || found.names.length < 2) return [];
    return [{ ...found, block, owner: ownerOf(block, found.offset) }];
  });
}

/** The strings of the argument whose name is at an offset. */
function stringsOf(root: Node, offset: number): Node[] {
  const name = root.descendantForIndex(offset, offset);
  // a comment or a string may look like the beginning of an argument
  return name?.type === 'identifier' ? (name.parent?.descendantsOfType('string_lit') ?? []) : [];
}

/** The block at an offset, of blocks that are in order. */
function blockAt(blocks: readonly ConfigBlock[], offset: number): ConfigBlock | undefined {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((blocks[middle]?.range.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const block = blocks[low - 1];
  return block !== undefined && offset < block.range.end ? block : undefined;
}

/** Gives the address of a block; in `locals` that of the value at an offset. */
function ownerIn(tree: Tree, text: string): (block: ConfigBlock, offset: number) => string {
  const read = new Map<ConfigBlock, readonly Node[]>();
  return (block, offset) => {
    if (block.type !== 'locals') return block.address;
    const { start, end } = block.range;
    const node = tree.rootNode.descendantForIndex(start, end);
    const values =
      read.get(block) ?? node?.lastNamedChild?.previousNamedSibling?.namedChildren ?? [];
    read.set(block, values);
    const name = values.findLast(({ startIndex }) => startIndex <= offset)?.firstNamedChild;
    return `local.${name ? text.slice(name.startIndex, name.endIndex) : ''}`;
  };
}

/** Names that an expression refers to, without its block. */
export type Names = Pick<FileReference, 'names' | 'offset' | 'text' | 'orders'>;

/** Keys and indexes in a reference that is in quotes. */
const keys = /\[(?:\*|\d+|"(?:[^"\\]|\\.)*")\]|\.\*/gsu;

/** The names of a reference in quotes: `depends_on` in JSON, and in HCL before Terraform 0.12. */
export function quotedNames(text: string): readonly string[] {
  return text.replace(keys, '').split('.');
}

/** What a template in a JSON string refers to, which has no escapes of HCL; undefined when it is none. */
export function namesInTemplate(
  template: string,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): readonly Names[] | undefined {
  const parsed = parseTemplate(template, grammar);
  if (parsed === undefined) return undefined;
  const names = namesInTree(parsed.tree, parsed.text, grammar, roots);
  parsed.tree.delete();
  return names;
}

/**
 * Every reference in a tree whose first name is one of the roots. The variable of a loop (`for data in …`) counts too:
 * a block is kept that could be removed, which is safe.
 */
function namesInTree(
  tree: Tree,
  text: string,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): Names[] {
  return grammar.variables.captures(tree.rootNode).flatMap(({ node }) => {
    const offset = node.startIndex;
    const root = text.slice(offset, node.endIndex);
    if (!roots.has(root)) return [];
    const { names, end } = namesBehind(node, text);
    // only a whole module is ordered by and read under the same name
    const orders = root === 'module' && names.length === 1 && isOrdering(node);
    return [{ names: [root, ...names], offset, text: text.slice(offset, end), orders }];
  });
}

/** Attributes that follow each other and nothing more: what nearly all references are. */
const plain = /((?:\.[A-Za-z_][\w-]*)+)[ \t]*[\r\n,)}\]]/y;

/** The names of the attributes that follow; indexes and splats between them are passed over. */
function namesBehind(node: Node, text: string): { names: string[]; end: number } {
  let end = node.endIndex;
  plain.lastIndex = end;
  const chain = plain.exec(text)?.[1];
  // to ask the tree for each of them takes far longer
  if (chain !== undefined) return { names: chain.slice(1).split('.'), end: end + chain.length };
  const names: string[] = [];
  for (let next = node.nextNamedSibling; next !== null; next = next.nextNamedSibling) {
    if (next.type === 'comment') continue;
    if (!['get_attr', 'splat', 'index'].includes(next.type)) break;
    names.push(...attributeNames(next, text));
    end = next.endIndex;
  }
  return { names, end };
}

/** The attributes in a part of a reference; what is in an index is an expression of its own. */
function attributeNames(part: Node, text: string): string[] {
  if (part.type === 'index') return [];
  // a comment may be between the dot and the name
  return part.namedChildren.flatMap((child) =>
    child.type === 'identifier'
      ? [text.slice(child.startIndex, child.endIndex)]
      : attributeNames(child, text),
  );
}

/** Whether the argument around the node is `depends_on`. */
function isOrdering(node: Node): boolean {
  let outer: Node | null = node;
  while (outer !== null && outer.type !== 'attribute') outer = outer.parent;
  return outer?.firstNamedChild?.text === 'depends_on';
}
