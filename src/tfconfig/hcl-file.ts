import { type Node } from 'web-tree-sitter';
import { unquoteHcl } from '../core/terraform-syntax';
import {
  configBlock,
  type ConfigBlock,
  type ConfigFile,
  type ConfigObject,
  type ConfigValue,
  Expression,
  objectsOf,
  type Splice,
  splitLines,
} from './config';
import { configFault, LineIndex, MOST_NESTED } from './config-source';
import { type HclGrammar, hclReferences, parseHcl } from './hcl-grammar';

/**
 * Parses the text of a `.tf` file.
 * @throws MigrationError `CONFIG_INVALID`
 */
export function parseHclText(
  path: string,
  text: string,
  grammar: HclGrammar,
): Pick<ConfigFile, 'blocks' | 'references' | 'cuts'> {
  const lines = new LineIndex(text);
  const nodes = new Map<ConfigBlock, Node>();
  const root = parseHcl(path, text, grammar).rootNode;
  for (const node of bodyNodes(root)) {
    const { type, startIndex: start, endIndex: end } = node;
    if (type !== 'block') throw configFault(path, text, start, 'an argument outside of a block');
    if (isTooDeep(text.slice(start, end)))
      throw configFault(path, text, start, `nested more than ${MOST_NESTED} deep`);
    const words = plainHeader(text, start) ?? readHeader(path, text, node);
    nodes.set(
      configBlock(path, lines, words, { start, end }, () => bodyOf(node)),
      node,
    );
  }
  const blocks = [...nodes.keys()];
  return {
    blocks,
    references: (roots) => {
      const owners = [...nodes].flatMap(([block, node]) => ownersIn(block, node));
      let at = 0;
      // both lists are in the order of the text
      return hclReferences(root, grammar, roots).flatMap((one) => {
        while (at < owners.length && (owners[at]?.end ?? 0) <= one.offset) at += 1;
        const owner = owners[at];
        return owner === undefined ? [] : { ...one, block: owner.block, owner: owner.address };
      });
    },
    cuts: (removed) => cutBlocks(text, blocks, removed),
  };
}

/** Whether the second parser could overflow its stack (measured: from 1,000 to 2,000 nested brackets). */
function isTooDeep(block: string): boolean {
  let depth = 0;
  for (const [bracket] of block.matchAll(/[([{}\])]/g)) {
    depth = Math.max(depth + ('([{'.includes(bracket) ? 1 : -1), 0);
    if (depth > MOST_NESTED) return true;
  }
  return false;
}

/** The words of a header in its usual form; reading them from the tree is much slower. */
function plainHeader(text: string, start: number): string[] | undefined {
  const header = /[\w-]+(?: "[\w-]+")* \{/y;
  header.lastIndex = start;
  return header.exec(text)?.[0].match(/[\w-]+/g) ?? undefined;
}

function readHeader(path: string, text: string, node: Node): string[] {
  return headerNodes(node).map((word) => {
    const value = word.type === 'string_lit' ? unquoteHcl(word.text) : word.text;
    if (value !== undefined) return value;
    throw configFault(path, text, word.startIndex, 'invalid label of a block');
  });
}

function bodyNodes(node: Node): Node[] {
  const body = node.namedChildren.find(({ type }) => type === 'body');
  return body?.namedChildren.filter(({ type }) => type !== 'comment') ?? [];
}

/** The name of an argument, or type and labels of a block. */
function headerNodes(node: Node): Node[] {
  return node.namedChildren.filter(({ type }) => type === 'identifier' || type === 'string_lit');
}

/** The owners of references: the block, or each value of `locals`. */
function ownersIn(block: ConfigBlock, node: Node) {
  const { type, address, range } = block;
  if (type !== 'locals') return [{ block, address, end: range.end }];
  return bodyNodes(node).map((value) => ({
    block,
    address: `local.${headerNodes(value)[0]?.text ?? ''}`,
    end: value.endIndex,
  }));
}

function bodyOf(block: Node): ConfigObject {
  const values = new Map<string, ConfigValue>();
  for (const child of bodyNodes(block)) {
    const [name, ...labels] = headerNodes(child).map(unquoted);
    if (name === undefined) continue;
    if (child.type === 'attribute') {
      const expression = child.lastNamedChild;
      if (expression !== null) values.set(name, valueOf(expression));
    } else {
      // as Terraform JSON has it: every label is a level
      const nested = labels.reduceRight<ConfigObject>(
        (inner, label) => new Map([[label, inner]]),
        bodyOf(child),
      );
      values.set(name, [...objectsOf(values.get(name)), nested]);
    }
  }
  return values;
}

function unquoted({ text }: Node): string {
  return unquoteHcl(text) ?? text;
}

/** A literal as its value, everything else as the text of the expression. */
function valueOf(node: Node): ConfigValue {
  const inner = onlyChild(node);
  if (inner === undefined) return new Expression(node.text);
  // the value inside parentheses, if there are any
  const { type, text, namedChildren } = inner;
  switch (type) {
    case 'string_lit':
      return unquoteHcl(text) ?? new Expression(node.text);
    case 'numeric_lit':
      return Number(text);
    case 'bool_lit':
      return text === 'true';
    case 'null_lit':
      return null;
    case 'tuple':
      return namedChildren.filter((item) => item.type === 'expression').map(valueOf);
    case 'object':
      return new Map(
        namedChildren.flatMap((element): [string, ConfigValue][] => {
          const [key, value] = [element.childForFieldName('key'), element.childForFieldName('val')];
          return key === null || value === null ? [] : [[unquoted(key), valueOf(value)]];
        }),
      );
    default:
      return new Expression(node.text);
  }
}

/** Descends through nodes that only wrap another node. */
function onlyChild(node: Node): Node | undefined {
  let inner = node;
  while (['expression', 'literal_value', 'collection_value'].includes(inner.type)) {
    const [child, another] = inner.namedChildren;
    if (child === undefined || another !== undefined) return undefined;
    inner = child;
  }
  return inner;
}

/**
 * The lines to cut from a `.tf` file to remove blocks, with the comments right above them, and the blank lines that
 * would be doubled. HCL cannot have two blocks on one line. If a comment shares a line with a block in
 * another way, the edit is not proven.
 *
 * @param blocks all of the file, in its order
 */
function cutBlocks(
  text: string,
  blocks: readonly ConfigBlock[],
  removed: ReadonlySet<ConfigBlock>,
): readonly Splice[] {
  const lines = splitLines(text);
  const gone = new Set<number>();
  blocks.forEach((block, index) => {
    if (!removed.has(block)) return;
    const { startLine, endLine } = block.range;
    const first = startLine - commentLines(text, blocks[index - 1], block);
    for (let line = first; line <= endLine; line += 1) gone.add(line - 1);
  });
  addBlankLines(lines, gone);
  return spliceLines(lines, gone);
}

const comment = /(?:#|\/\/)[^\n]*|\/\*[\s\S]*?\*\//g;

/** The number of comment lines directly above a block. Comments at the top of a file stay: they can be a licence. */
function commentLines(text: string, before: ConfigBlock | undefined, block: ConfigBlock): number {
  const from = before === undefined ? 0 : text.indexOf('\n', before.range.end) + 1;
  const above = text.slice(from, text.lastIndexOf('\n', block.range.start) + 1);
  let start = above.length;
  for (const { 0: found, index } of [...above.matchAll(comment)].reverse()) {
    if (above.slice(index + found.length, start).split('\n').length > 2) break;
    start = index;
  }
  const isTop = before === undefined && above.slice(0, start).trim() === '';
  return isTop ? 0 : above.slice(start).split('\n').length - 1;
}

/** Adds blank lines beside removed lines: all but the first group of a stretch, or all at an end of the file. */
function addBlankLines(lines: readonly string[], gone: Set<number>): void {
  const isKept = (line: number): boolean => !gone.has(line) && lines[line]?.trim() !== '';
  const kept = lines.flatMap((_, line) => (isKept(line) ? line : []));
  // what lies between two kept lines, or beside the first and the last one
  [-1, ...kept].forEach((before, at) => {
    const after = kept[at] ?? lines.length;
    const stretch = Array.from({ length: after - before - 1 }, (_, index) => before + 1 + index);
    const isInside = before >= 0 && after < lines.length;
    const blank = stretch.filter((line) => !gone.has(line));
    if (blank.length === stretch.length) return;
    const added = isInside ? blank.filter((line, at) => line - at !== blank[0]) : blank;
    for (const line of added) gone.add(line);
  });
}

/** Neighbouring lines as one splice each; a byte order mark stays. */
function spliceLines(lines: readonly string[], gone: ReadonlySet<number>): Splice[] {
  const splices: Splice[] = [];
  let start = lines[0]?.startsWith('\ufeff') === true ? 1 : 0;
  let end = 0;
  lines.forEach((line, at) => {
    end += line.length;
    if (!gone.has(at)) start = end;
    else if (!gone.has(at + 1)) splices.push({ start, end, text: '' });
  });
  return splices;
}
