import { type Tree, type TreeCursor } from 'web-tree-sitter';
import { unquoteHcl } from '../model/unquote-hcl';
import { blockAddress } from './block-address';
import { configFault } from './config-fault';
import { type ConfigBlock } from './config-file';
import { type HclGrammar } from './hcl-grammar';
import { type LineIndex } from './line-index';

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
  const header =
    plainHeader(text, start) ??
    readHeader(text, cursor, grammar).map(({ word, offset }) =>
      word.startsWith('"') ? label(file, lines, offset, word) : word,
    );
  const [type = '', ...labels] = header;
  const range = { start, end, startLine: lines.line(start), endLine: lines.line(end - 1) };
  return { file, type, labels, address: blockAddress(type, labels), range };
}

/** Type and labels as nearly all blocks have them; to ask the tree for each takes far longer. */
const plain = /([\w-]+)(?: +"([\w-]+)")?(?: +"([\w-]+)")? *\{/y;

function plainHeader(text: string, start: number): string[] | undefined {
  plain.lastIndex = start;
  const words = plain.exec(text)?.slice(1);
  return words?.filter((word) => typeof word === 'string');
}

/** The words before the opening brace, as they stand in the text. */
function readHeader(
  text: string,
  cursor: TreeCursor,
  grammar: HclGrammar,
): { word: string; offset: number }[] {
  const [open, comment] = [grammar.kind('block_start'), grammar.kind('comment')];
  const words: { word: string; offset: number }[] = [];
  cursor.gotoFirstChild();
  for (let kind = cursor.nodeTypeId; kind !== open; kind = cursor.nodeTypeId) {
    const offset = cursor.startIndex;
    if (kind !== comment) words.push({ word: text.slice(offset, cursor.endIndex), offset });
    if (!cursor.gotoNextSibling()) break;
  }
  cursor.gotoParent();
  return words;
}

function label(file: string, lines: LineIndex, offset: number, word: string): string {
  const value = unquoteHcl(word);
  if (value === undefined) throw configFault(file, lines, offset, 'invalid label of a block');
  return value;
}
