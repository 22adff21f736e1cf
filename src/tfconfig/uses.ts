import { type Node, type Tree } from 'web-tree-sitter';
import { unquoteHcl } from '../core/terraform-syntax';
import {
  type ConfigBlock,
  type ConfigFile,
  type HclFile,
  type JsonFile,
  type ConfigModule,
  type ConfigProject,
} from './config';
import { type HclGrammar, parseTemplate } from './hcl-grammar';
import { type JsonNode } from './json-tree';
import { configFault, LineIndex } from './line-index';
import { blockAt, localNames, sourceOf } from './read-body';

/** A reference, and who makes it. */
export interface Use extends Traversal {
  readonly dir: string;
  /** The address of the block; `local.<name>` inside of `locals`. */
  readonly owner: string;
}

/** Every reference in a configuration whose first name is one of the roots. */
export function findUses(
  project: ConfigProject,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): Use[] {
  return [...project.modules.values()].flatMap((module) =>
    module.files.flatMap((file) => fileUses(module, file, grammar, roots)),
  );
}

function fileUses(
  { dir }: ConfigModule,
  file: ConfigFile,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): Use[] {
  const traversals =
    file.syntax === 'hcl'
      ? hclTraversals(file, grammar, roots)
      : jsonTraversals(file, grammar, roots);
  const locals = new Map<ConfigBlock, (offset: number) => string>();
  return traversals.map((traversal) => {
    const { block, offset } = traversal;
    if (block.type !== 'locals') return { ...traversal, dir, owner: block.address };
    const nameAt = locals.get(block) ?? localNames(file, block);
    locals.set(block, nameAt);
    return { ...traversal, dir, owner: `local.${nameAt(offset)}` };
  });
}

/** Arguments that took their references in quotes before Terraform 0.12, and still do. */
const quoting = /\b(?:depends_on|providers?)\s*=/g;

/** Every reference of a `.tf` file whose first name is one of the roots. */
export function hclTraversals(
  file: HclFile,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): Traversal[] {
  const { text, tree } = file;
  const quoted = [...text.matchAll(quoting)]
    .flatMap(({ index }) => stringsOf(tree.rootNode, index))
    .map((node): NamesAt => {
      const reference = unquoteHcl(sourceOf(node, text)) ?? '';
      const names = quotedNames(reference);
      return { names, offset: node.startIndex, text: reference, orders: true };
    })
    .filter(({ names }) => roots.has(names[0] ?? ''));
  return [...treeNames(tree, text, grammar, roots), ...quoted].flatMap((found) => {
    const block = blockAt(file, found.offset);
    return block === undefined || found.names.length < 2 ? [] : [{ file, block, ...found }];
  });
}

/** The strings of the argument whose name stands at an offset. */
function stringsOf(root: Node, offset: number): Node[] {
  const name = root.descendantForIndex(offset, offset);
  // a comment or a string may read like the beginning of an argument
  return name?.type === 'identifier' ? (name.parent?.descendantsOfType('string_lit') ?? []) : [];
}

type Named = Pick<Traversal, 'names' | 'text' | 'orders'>;

/** Arguments that hold bare references where others hold templates. */
const referring = new Set(['depends_on', 'provider', 'providers', 'replace_triggered_by']);
const stateBlocks = new Set(['import', 'moved', 'removed']);

/**
 * Every reference of a `.tf.json` file whose first name is one of the roots.
 *
 * @throws MigrationError `CONFIG_INVALID` where a string is no template
 */
export function jsonTraversals(
  file: JsonFile,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): Traversal[] {
  const templates = new Map<string, readonly Named[]>();

  function namesIn(template: string, offset: number): readonly Named[] {
    const names = templates.get(template) ?? templateNames(template, grammar, roots);
    if (names === undefined) {
      throw configFault(file.path, new LineIndex(file.text), offset, 'syntax error in a template');
    }
    templates.set(template, names);
    return names;
  }

  function visit(node: JsonNode, refers: boolean, block: ConfigBlock): Traversal[] {
    if (node.kind === 'scalar') return [];
    if (node.kind === 'array') return node.items.flatMap((item) => visit(item, refers, block));
    if (node.kind === 'object') {
      return node.members.flatMap(({ name, value }) =>
        name === '//' ? [] : visit(value, refers || isReferring(name, block), block),
      );
    }
    const { value, start } = node;
    // an address may hold a key with `$${` in it, and is no template
    const isTemplate = /[$%]\{/.test(value) && !(refers && stateBlocks.has(block.type));
    const quoted = refers ? [{ names: quotedNames(value), text: value, orders: true }] : [];
    const found = isTemplate ? namesIn(value, start) : quoted;
    return found
      .filter(({ names }) => names.length > 1 && roots.has(names[0] ?? ''))
      .map(({ names, text, orders }) => ({ file, block, names, text, orders, offset: start }));
  }

  return [...file.bodies].flatMap(([block, body]) => visit(body, false, block));
}

function isReferring(name: string, { type }: ConfigBlock): boolean {
  return referring.has(name) || (stateBlocks.has(type) && (name === 'from' || name === 'to'));
}

/**
 * What a template refers to that stands in a JSON string, which is one without any escapes of its
 * own; undefined when it is none.
 */
function templateNames(
  template: string,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): readonly NamesAt[] | undefined {
  const parsed = parseTemplate(template, grammar);
  if (parsed === undefined) return undefined;
  const names = treeNames(parsed.tree, parsed.text, grammar, roots);
  parsed.tree.delete();
  return names;
}

/** A name that an expression refers to: `module.zones["a"].ids[0]` is `module`, `zones`, `ids`. */
interface Traversal {
  readonly file: ConfigFile;
  /** The block in which it stands. */
  readonly block: ConfigBlock;
  /** The names, without keys and indexes; at least two. */
  readonly names: readonly string[];
  /** Where it stands in the file; in JSON the string that holds it. */
  readonly offset: number;
  /** Whether it stands in `depends_on`, which reads nothing. */
  readonly orders: boolean;
  /** The reference itself, as it is written. */
  readonly text: string;
}

/** Words and their keys, as in a reference that stands in quotes. */
const keys = /\[(?:\*|\d+|"(?:[^"\\]|\\.)*")\]|\.\*/gsu;

/** The names of a reference in quotes: `depends_on` in JSON, and in HCL before Terraform 0.12. */
export function quotedNames(text: string): readonly string[] {
  return text.replace(keys, '').split('.');
}

/** Names that an expression refers to, and where the first of them stands. */
interface NamesAt {
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
