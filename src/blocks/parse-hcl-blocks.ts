import { type Tree, type TreeCursor } from 'web-tree-sitter';
import { blockAddress } from './block-address';
import { configFault } from './config-fault';
import { type ConfigBlock } from './config-file';
import { type HclGrammar } from './hcl-grammar';
import { type LineIndex } from './line-index';
import { unquoteHcl } from './unquote-hcl';

/**
 * The blocks at the top of a `.tf` file, in its order.
 *
 * @throws MigrationError `CONFIG_INVALID` when an argument stands outside of a block
 */
export function parseHclBlocks(
  path: string,
  text: string,
  lines: LineIndex,
  tree: Tree,
  grammar: HclGrammar,
): ConfigBlock[] {
  const blocks: ConfigBlock[] = [];
  const cursor = tree.walk();
  const body = grammar.kind('body');
  if (enter(cursor, body)) {
    const block = grammar.kind('block');
    const comment = grammar.kind('comment');
    cursor.gotoFirstChild();
    do {
      const kind = cursor.nodeTypeId;
      const start = cursor.startIndex;
      if (kind === block) blocks.push(readBlock(path, text, lines, cursor, start, grammar));
      else if (kind !== comment)
        throw configFault(path, lines, start, 'an argument outside of a block');
    } while (cursor.gotoNextSibling());
  }
  cursor.delete();
  return blocks;
}

/** Moves to the first child of a kind; says whether there is one. */
function enter(cursor: TreeCursor, kind: number): boolean {
  let there = cursor.gotoFirstChild();
  while (there && cursor.nodeTypeId !== kind) there = cursor.gotoNextSibling();
  return there;
}

function readBlock(
  file: string,
  text: string,
  lines: LineIndex,
  cursor: TreeCursor,
  start: number,
  grammar: HclGrammar,
): ConfigBlock {
  const end = cursor.endIndex;
  const [open, comment] = [grammar.kind('block_start'), grammar.kind('comment')];
  const header: string[] = [];
  cursor.gotoFirstChild();
  for (let kind = cursor.nodeTypeId; kind !== open; kind = cursor.nodeTypeId) {
    const from = cursor.startIndex;
    const word = text.slice(from, cursor.endIndex);
    if (kind !== comment) header.push(word.startsWith('"') ? label(file, lines, from, word) : word);
    if (!cursor.gotoNextSibling()) break;
  }
  cursor.gotoParent();
  const [type = '', ...labels] = header;
  const range = { start, end, startLine: lines.line(start), endLine: lines.line(end - 1) };
  return { file, type, labels, address: blockAddress(type, labels), range };
}

function label(file: string, lines: LineIndex, offset: number, word: string): string {
  const value = unquoteHcl(word);
  if (value === undefined) throw configFault(file, lines, offset, 'invalid label of a block');
  return value;
}
