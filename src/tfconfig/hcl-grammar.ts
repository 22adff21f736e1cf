import { readFile } from 'node:fs/promises';
import { type Node, type Query, type Tree } from 'web-tree-sitter';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type FileReference } from './config';
import { configFault } from './config-source';

/** The HCL grammar, compiled to WebAssembly, with the exact position of every node. */
export interface HclGrammar {
  /** Parses a text; if it is not HCL, the tree has an error. Undefined if it is too large. */
  parse(text: string): Tree | undefined;
  /** Captures the variable at the start of each reference: `var` in `var.zone_id`. */
  readonly variables: Query;
}

let loading: Promise<HclGrammar> | undefined;

export function loadHclGrammar(): Promise<HclGrammar> {
  loading ??= load();
  return loading;
}

/** In MiB; 10,000 blocks have 1.6. The parser needs up to 300 times the size, has 2 GiB, and cannot be interrupted. */
const LARGEST_TEXT = 3;

/** Version 1.2.0 takes `2e10` and `%%%{` for errors, and `$$${` for a template: both keep the file as it is. */
async function load(): Promise<HclGrammar> {
  const { Language, Parser, Query } = await import('web-tree-sitter');
  await Parser.init();
  const file = '@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-terraform.wasm';
  const language = await Language.load(await readFile(require.resolve(file)));
  const parser = new Parser().setLanguage(language);
  return {
    parse(text) {
      if (text.length > LARGEST_TEXT * 1024 * 1024) return undefined;
      return parser.parse(text) ?? undefined;
    },
    variables: new Query(language, '(variable_expr) @variable'),
  };
}

/**
 * Parses the text of a `.tf` file.
 *
 * @throws MigrationError `CONFIG_INVALID` with the place, if it is not HCL
 */
export function parseHcl(path: string, text: string, grammar: HclGrammar): Tree {
  const tree = grammar.parse(text);
  if (tree === undefined) {
    const message = `${printable(path)} is larger than ${LARGEST_TEXT} MiB`;
    throw new MigrationError('CONFIG_INVALID', message, { hint: 'split the file' });
  }
  if (!tree.rootNode.hasError) return tree;
  const offset = faultOffset(tree.rootNode);
  tree.delete();
  throw configFault(path, text, offset, 'syntax error');
}

/**
 * Parses the template of a JSON string as a heredoc, in which only `${` and `%{` are special too.
 * @returns undefined if it is not a valid template
 */
function parseTemplate(template: string, grammar: HclGrammar): Tree | undefined {
  const runs = template.match(/T+/g) ?? [];
  const mark = 'T'.repeat(1 + runs.reduce((most, { length }) => Math.max(most, length), 0));
  const tree = grammar.parse(`t = <<${mark}\n${template}\n${mark}\n`);
  if (tree?.rootNode.hasError !== true) return tree;
  tree.delete();
  return undefined;
}

/** The approximate offset of a syntax error. */
function faultOffset(root: Node): number {
  let node = root;
  for (;;) {
    const next = node.children.find(({ hasError }) => hasError);
    if (next === undefined) break;
    node = next;
  }
  // an error node begins with the text before the error
  return (node.isError ? node.lastChild : null)?.startIndex ?? node.startIndex;
}

/** A reference, without the block that it is in. */
export type FoundReference = Omit<FileReference, 'block' | 'owner'>;

/**
 * Finds every reference below a node whose first name is one of the roots, in the order of the text. A
 * loop variable (`for data in …`) counts too: this keeps a block that could be removed, which is safe.
 */
export function hclReferences(
  node: Node,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): FoundReference[] {
  return grammar.variables
    .captures(node)
    .filter((one) => roots.has(one.node.text))
    .map((one) => variableReference(one.node, grammar))
    .filter(({ names }) => names.length > 1)
    .sort((one, other) => one.offset - other.offset);
}

/** Finds the references of a template in a JSON string; undefined if it is not a valid template. */
export function templateReferences(
  template: string,
  grammar: HclGrammar,
  roots: ReadonlySet<string>,
): readonly FoundReference[] | undefined {
  const tree = parseTemplate(template, grammar);
  const references = tree && hclReferences(tree.rootNode, grammar, roots);
  tree?.delete();
  return references;
}

/** A reference that begins with a variable; indexes and splats are not names. */
function variableReference(variable: Node, grammar: HclGrammar): FoundReference {
  const { text: root, startIndex: offset } = variable;
  const names = [root];
  let end = variable.endIndex;
  for (let next = variable.nextNamedSibling; next !== null; next = next.nextNamedSibling) {
    if (next.type === 'comment') continue;
    if (!['get_attr', 'splat', 'index'].includes(next.type)) break;
    names.push(...attributeNames(next));
    end = next.endIndex;
  }
  const expression = variable.parent ?? variable;
  const start = offset - expression.startIndex;
  const text = expression.text.slice(start, start + end - offset);
  // only a reference to a whole module looks the same in both
  const isWhole = root === 'module' && names.length === 2;
  const isDependsOn = isWhole && isOrdering(variable);
  const itemAttributes = isWhole ? attributesOfItems(expression, grammar) : undefined;
  return { names, offset, text, isDependsOn, itemAttributes };
}

function attributesOfItems(collection: Node, grammar: HclGrammar): string[] | undefined {
  const intro = collection.parent;
  // `module.zone` alone: an index would make the items outputs
  if (intro?.type !== 'for_intro' || intro.parent === null || collection.namedChildCount !== 2)
    return undefined;
  const item = intro.namedChildren.filter(({ type }) => type === 'identifier').at(-1)?.text;
  const read = grammar.variables
    .captures(intro.parent)
    .flatMap(({ node }) => (node.text === item ? [node.nextNamedSibling] : []));
  const attributes = read.map((next) => (next?.type === 'get_attr' ? attributeNames(next) : []));
  return attributes.every(({ length }) => length === 1) ? attributes.flat() : undefined;
}

/** The attributes in a part of a reference; an index has none: its expression is read separately. */
function attributeNames(part: Node): string[] {
  if (part.type === 'index') return [];
  // a comment may be between the dot and the name
  return part.namedChildren.flatMap((child) =>
    child.type === 'identifier' ? [child.text] : attributeNames(child),
  );
}

/** Whether the argument around the node is `depends_on`. */
function isOrdering(node: Node): boolean {
  let outer: Node | null = node;
  while (outer !== null && outer.type !== 'attribute') outer = outer.parent;
  return outer?.firstNamedChild?.text === 'depends_on';
}
