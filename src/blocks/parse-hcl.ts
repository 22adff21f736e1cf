import { type Node, type Tree } from 'web-tree-sitter';
import { type MigrationError } from '../model/migration-error';
import { configFault } from './config-fault';
import { type HclGrammar } from './hcl-grammar';
import { LineIndex } from './line-index';

/**
 * A number with an exponent and no decimal point (`2e10`): valid, and refused by the grammar
 * (1.2.0).
 */
const exponent = /(?<![\w.])\d+[eE][+-]?\d+(?![\w.])/g;

/**
 * More signs before an escaped brace (`$$${`): to HCL they stand for themselves, the grammar
 * (1.2.0) takes them two by two and finds a template where there is none.
 */
const signs = /(?<!\$)\$+(?=\$\$\{)|(?<!%)%+(?=%%\{)/g;

/**
 * As another text to the grammar, of the same length: every other character stays in its place. The text
 * of a node is of that one, so what a file says is read from the file, by the place of the node.
 */
function mask(text: string, pattern: RegExp, by: string): string {
  return text.replace(pattern, (found) => by.repeat(found.length));
}

/** Takes a text apart; whether it could, the tree says. */
function parseLeniently(text: string, grammar: HclGrammar): Tree {
  const masked = mask(text, signs, '.');
  const tree = grammar.parse(masked);
  if (!tree.rootNode.hasError) return tree;
  const maskedTwice = mask(masked, exponent, '1');
  if (maskedTwice === masked) return tree;
  tree.delete();
  return grammar.parse(maskedTwice);
}

/**
 * Takes the text of a `.tf` file apart.
 *
 * @throws MigrationError `CONFIG_INVALID` with the place, when it is no HCL
 */
export function parseHcl(path: string, text: string, grammar: HclGrammar): Tree {
  const tree = parseLeniently(text, grammar);
  if (!tree.rootNode.hasError) return tree;
  const fault = syntaxFault(path, text, tree);
  tree.delete();
  throw fault;
}

/**
 * Takes a template apart that stands in a JSON string: by way of a heredoc, in which, as there,
 * nothing but `${` and `%{` is special. Undefined when it is no template.
 */
export function parseTemplate(
  template: string,
  grammar: HclGrammar,
): { tree: Tree; text: string } | undefined {
  const runs = template.match(/T+/g) ?? [];
  const mark = 'T'.repeat(1 + runs.reduce((most, { length }) => Math.max(most, length), 0));
  const text = `t = <<${mark}\n${template}\n${mark}\n`;
  const tree = parseLeniently(text, grammar);
  if (!tree.rootNode.hasError) return { tree, text };
  tree.delete();
  return undefined;
}

function syntaxFault(path: string, text: string, tree: Tree): MigrationError {
  return configFault(path, new LineIndex(text), faultOffset(tree.rootNode), 'syntax error');
}

/** Where the grammar lost its way, as near as it tells. */
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
