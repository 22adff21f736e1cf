import { type Node } from 'web-tree-sitter';
import { unquoteHcl } from '../model/unquote-hcl';
import { blockAt } from './block-at';
import { type HclFile } from './config-file';
import { type HclGrammar } from './hcl-grammar';
import { sourceOf } from './source-of';
import { quotedNames, type Traversal } from './traversal';
import { type NamesAt, treeNames } from './tree-names';

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
