import { readFile } from 'node:fs/promises';
import { type Node, type Query, type Tree } from 'web-tree-sitter';
import { MigrationError } from '../core/migration-error';
import { configFault } from './config-source';

/** The HCL grammar, compiled to WebAssembly, with the exact position of every node. */
export interface HclGrammar {
  /** Parses a text; if it is not HCL, the tree has an error. */
  parse(text: string): Tree;
  /** Captures the variable at the start of each reference: `var` in `var.zone_id`. */
  readonly variables: Query;
  /** Captures the name of each argument `depends_on`. */
  readonly orderings: Query;
}

let loading: Promise<HclGrammar> | undefined;

/** Loads the grammar, once. */
export function loadHclGrammar(): Promise<HclGrammar> {
  loading ??= load();
  return loading;
}

/**
 * What the grammar (1.2.0) misreads: a number with an exponent and no decimal point (`2e10`), and more signs before an
 * escaped brace (`$$${`).
 */
const misread = /(?<![\w.])\d+[eE][+-]?\d+(?![\w.])|(?<!\$)\$+(?=\$\$\{)|(?<!%)%+(?=%%\{)/g;

async function load(): Promise<HclGrammar> {
  const { Language, Parser, Query } = await import('web-tree-sitter');
  await Parser.init();
  const file = '@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-terraform.wasm';
  const language = await Language.load(await readFile(require.resolve(file)));
  const parser = new Parser().setLanguage(language);
  return {
    parse(text) {
      let read = text.replace(misread, ({ length }) => '1'.repeat(length));
      const tree = parser.parse((index) => read.slice(index));
      // nodes return the text of the file
      read = text;
      if (tree === null) throw new MigrationError('CONFIG_INVALID', 'the parser failed');
      return tree;
    },
    variables: new Query(language, '(variable_expr) @variable'),
    orderings: new Query(
      language,
      '(attribute (identifier) @ordering (#eq? @ordering "depends_on"))',
    ),
  };
}

/**
 * Parses the text of a `.tf` file.
 *
 * @throws MigrationError `CONFIG_INVALID` with the place, if it is not HCL
 */
export function parseHcl(path: string, text: string, grammar: HclGrammar): Tree {
  const tree = grammar.parse(text);
  if (!tree.rootNode.hasError) return tree;
  const offset = faultOffset(tree.rootNode);
  tree.delete();
  throw configFault(path, text, offset, 'syntax error');
}

/**
 * Parses the template of a JSON string as a heredoc, in which only `${` and `%{` are special too.
 * @returns undefined if it is not a valid template
 */
export function parseTemplate(template: string, grammar: HclGrammar): Tree | undefined {
  const runs = template.match(/T+/g) ?? [];
  const mark = 'T'.repeat(1 + runs.reduce((most, { length }) => Math.max(most, length), 0));
  const tree = grammar.parse(`t = <<${mark}\n${template}\n${mark}\n`);
  if (!tree.rootNode.hasError) return tree;
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
