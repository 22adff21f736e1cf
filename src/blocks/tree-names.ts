import { type Node, type Tree } from 'web-tree-sitter';
import { type HclGrammar } from './hcl-grammar';
import { sourceOf } from './source-of';

/** Names that an expression refers to, and where the first of them stands. */
export interface NamesAt {
  readonly names: readonly string[];
  readonly offset: number;
  readonly text: string;
  /** Whether it stands in `depends_on`. */
  readonly orders: boolean;
}

/** The names that loops bind: inside of a loop they refer to nothing else. */
const loop = /\bfor\s+([^\s,]+)(?:\s*,\s*(\S+))?\s+in\b/g;

/** Attributes that follow each other and nothing more: what nearly all references are. */
const plain = /((?:\.[A-Za-z_][\w-]*)+)[ \t]*[\r\n,)}\]]/y;

/** Every reference in a tree whose first name is one of the roots. */
export function treeNames(
  tree: Tree,
  text: string,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): NamesAt[] {
  const bound = new Set([...text.matchAll(loop)].flatMap(([, one, other]) => [one, other]));
  return grammar.variables.captures(tree.rootNode).flatMap(({ node }) => {
    const offset = node.startIndex;
    const root = text.slice(offset, node.endIndex);
    if (!roots.has(root) || (bound.has(root) && isBound(node, root))) return [];
    const { names, end } = namesBehind(node, text);
    // asked of few: only a whole module is ordered by, and read, under the same name
    const orders = root === 'module' && names.length === 1 && isOrdering(node);
    return [{ names: [root, ...names], offset, text: text.slice(offset, end), orders }];
  });
}

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

/** The attributes in a part of a reference; what stands in an index is an expression of its own. */
function attributeNames(part: Node, text: string): string[] {
  if (part.type === 'index') return [];
  // a comment may stand between the dot and the name
  return part.namedChildren.flatMap((child) =>
    child.type === 'identifier' ? [sourceOf(child, text)] : attributeNames(child, text),
  );
}

/** Whether the argument around the node is `depends_on`. */
function isOrdering(node: Node): boolean {
  let outer: Node | null = node;
  while (outer !== null && outer.type !== 'attribute') outer = outer.parent;
  return outer?.firstNamedChild?.text === 'depends_on';
}

/** Whether a loop around the node binds the name (`for data in …`), as HCL scopes it. */
function isBound(node: Node, name: string): boolean {
  let inner = node;
  for (let outer = node.parent; outer !== null; inner = outer, outer = outer.parent) {
    const head = outer.namedChildren.find(
      ({ type }) => type === 'for_intro' || type === 'template_for_start',
    );
    // the head of a loop is evaluated outside of it
    if (head === undefined || head.id === inner.id) continue;
    const names = head.namedChildren.filter(({ type }) => type === 'identifier');
    if (names.some(({ text }) => text === name)) return true;
  }
  return false;
}
