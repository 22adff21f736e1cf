import { type ConfigBlock, type Splice } from './config';

/** The text with all splices made, which are in order and do not overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const splice of splices) {
    parts.push(text.slice(at, splice.start), splice.text);
    at = splice.end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** A text as lines, each with its line end. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/**
 * The lines to cut from a `.tf` file to remove blocks, with the comments right above them, and the blank lines that
 * would be doubled. HCL cannot have two blocks on one line. If a comment shares a line with a block in
 * another way, the edit is not proven.
 *
 * @param blocks all of the file, in its order
 */
export function cutBlocks(
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
  for (let from = 0; from < lines.length; from += 1) {
    let to = from;
    while (to < lines.length && !isKept(to)) to += 1;
    const stretch = Array.from({ length: to - from }, (_, at) => from + at);
    const isInside = from > 0 && to < lines.length;
    from = to;
    if (!stretch.some((line) => gone.has(line))) continue;
    const first = stretch.find((line) => !gone.has(line)) ?? to;
    const end = stretch.find((line) => line > first && gone.has(line)) ?? to;
    for (const line of stretch) if (!isInside || line < first || line >= end) gone.add(line);
  }
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
