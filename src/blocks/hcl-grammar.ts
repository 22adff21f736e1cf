import { readFile } from 'node:fs/promises';
import { type Query, type Tree } from 'web-tree-sitter';
import { MigrationError } from '../model/migration-error';

/** The grammar of HCL, compiled to WebAssembly: exact places of everything, and nothing lost. */
export interface HclGrammar {
  /** Takes a text apart; where it is no HCL, the tree has an error and still holds every byte. @internal */
  parse(text: string): Tree;
  /** The number by which a tree knows a kind of node. @internal */
  kind(name: string): number;
  /** Every variable at the head of an expression: `var` in `var.zone_id`. @internal */
  readonly variables: Query;
}

let loading: Promise<HclGrammar> | undefined;

/**
 * Loads the grammar, once. Found as a dependency is found, so that it works from a checkout and
 * from the installed package alike.
 *
 * @example
 * const grammar = await loadHclGrammar();
 * const file = parseConfig({ path: 'main.tf', bytes }, grammar);
 */
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
