import { readFile } from 'node:fs/promises';
import { type Node, type Query, type Tree } from 'web-tree-sitter';
import { MigrationError } from '../core/migration-error';
import { configFault } from './config-source';

/** The grammar of HCL, compiled to WebAssembly, with the exact place of everything. */
export interface HclGrammar {
  /** Parses a text; if it is no HCL, the tree has an error. */
  parse(text: string): Tree;
  /** The number by which a tree knows a kind of node. */
  kind(name: string): number;
  /** Every variable at the head of an expression: `var` in `var.zone_id`. */
  readonly variables: Query;
}

let loading: Promise<HclGrammar> | undefined;

/** Loads the grammar, once. */
export function loadHclGrammar(): Promise<HclGrammar> {
  loading ??= load();
  return loading;
}

async function load(): Promise<HclGrammar> {
  const { Language, Parser, Query } = await import('web-tree-sitter');
  await Parser.init();
  const file = '@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-terraform.wasm';
  const language = await Language.load(await readFile(require.resolve(file)));
  const parser = new Parser().setLanguage(language);
  const kinds = new Map<string, number>();
  return {
    parse(text) {
      const tree = parser.parse(text);
      if (tree === null) throw new MigrationError('CONFIG_INVALID', 'the parser gave up');
      return tree;
    },
    kind(name) {
      const known = kinds.get(name) ?? language.idForNodeType(name, true) ?? -1;
      kinds.set(name, known);
      return known;
    },
    variables: new Query(language, '(variable_expr) @variable'),
  };
}

/**
 * Parses the text of a `.tf` file.
 *
 * @throws MigrationError `CONFIG_INVALID` with the place, when it is no HCL
 */
export function parseHcl(path: string, text: string, grammar: HclGrammar): Tree {
  const tree = parseMasked(text, grammar);
  if (!tree.rootNode.hasError) return tree;
  const offset = faultOffset(tree.rootNode);
  tree.delete();
  throw configFault(path, text, offset, 'syntax error');
}

/**
 * Parses the template of a JSON string as a heredoc, in which also only `${` and `%{` are special.
 * @returns undefined when it is no template
 */
export function parseTemplate(
  template: string,
  grammar: HclGrammar,
): { tree: Tree; text: string } | undefined {
  const runs = template.match(/T+/g) ?? [];
  const mark = 'T'.repeat(1 + runs.reduce((most, { length }) => Math.max(most, length), 0));
  const text = `t = <<${mark}\n${template}\n${mark}\n`;
  const tree = parseMasked(text, grammar);
  if (!tree.rootNode.hasError) return { tree, text };
  tree.delete();
  return undefined;
}

/** A number with an exponent and no decimal point (`2e10`): valid, and refused by the grammar (1.2.0). */
const exponent = /(?<![\w.])\d+[eE][+-]?\d+(?![\w.])/g;

/**
 * More signs before an escaped brace (`$$${`): HCL reads them as text, the grammar (1.2.0) takes them two by two and
 * finds a template where there is none.
 */
const signs = /(?<!\$)\$+(?=\$\$\{)|(?<!%)%+(?=%%\{)/g;

/**
 * Gives the grammar another text of the same length where it would misread the real one. So `node.text` is not the
 * text of the file: read that by the range of the node.
 */
function parseMasked(text: string, grammar: HclGrammar): Tree {
  const masked = mask(text, signs, '.');
  const tree = grammar.parse(masked);
  if (!tree.rootNode.hasError) return tree;
  const maskedTwice = mask(masked, exponent, '1');
  if (maskedTwice === masked) return tree;
  tree.delete();
  return grammar.parse(maskedTwice);
}

function mask(text: string, pattern: RegExp, by: string): string {
  return text.replace(pattern, (found) => by.repeat(found.length));
}

/** Where the grammar found an error, as near as it shows. */
function faultOffset(root: Node): number {
  let node = root;
  for (;;) {
    const next = node.children.find(({ hasError }) => hasError);
    if (next === undefined) break;
    node = next;
  }
  // an error begins with all that was read before it
  return (node.isError ? node.lastChild : null)?.startIndex ?? node.startIndex;
}
