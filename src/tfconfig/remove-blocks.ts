import { type ConfigBlock, type ConfigFile, type Splice } from './config';

/**
 * The text of a file without some of its blocks: every byte outside of them, of their comments and
 * of doubled blank lines is kept.
 *
 * @param blocks of this very file, in any order
 */
export function removeBlocks(file: ConfigFile, blocks: readonly ConfigBlock[]): string {
  return applySplices(file.text, file.cuts(new Set(blocks)));
}

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

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * What to cut from the text of a `.tf` file to remove blocks: with them the comments that belong to them,
 * the rest of their lines, and the blank lines that would be doubled.
 *
 * @param blocks all of the file, in its order
 */
export function cutBlocks(
  text: string,
  blocks: readonly ConfigBlock[],
  removed: ReadonlySet<ConfigBlock>,
): readonly Splice[] {
  const first = text.startsWith('\ufeff') ? 1 : 0;
  const runs: Span[][] = [];
  let before: number | undefined;
  for (const block of blocks) {
    if (removed.has(block)) {
      const span = withComments(text, before ?? first, before === undefined, block);
      const last = runs.at(-1)?.at(-1);
      if (last !== undefined && text.slice(last.end, span.start).trim() === '') {
        runs.at(-1)?.push(span);
      } else runs.push([span]);
    }
    before = endOfLine(text, block.range.end);
  }
  return runs.flatMap((run) => removeRun(text, first, run));
}

/**
 * The lines of a block and of the comments right above it. Comments at the top of the file are kept: a licence, or a
 * note about the whole file.
 */
function withComments(text: string, from: number, isFirst: boolean, block: ConfigBlock): Span {
  const comments = commentsBetween(text, from, block.range.start);
  let start = block.range.start;
  let onItsLine = start;
  let top = isFirst;
  for (const comment of comments.reverse()) {
    const lineEnds = text.slice(comment.end, start).split('\n').length - 1;
    if (lineEnds > 1) {
      top = false;
      break;
    }
    if (lineEnds === 0 && start === onItsLine) onItsLine = comment.start;
    start = comment.start;
  }
  if (top) start = onItsLine;
  return {
    // before the first of them, its line holds nothing but blanks
    start: Math.max(text.lastIndexOf('\n', start - 1) + 1, from),
    end: endOfLine(text, block.range.end),
  };
}

/** Removes neighbours, with only blank lines between, and all blank lines but one group. */
function removeRun(text: string, first: number, run: readonly Span[]): Splice[] {
  const start = run[0]?.start ?? 0;
  const last = run.at(-1)?.end ?? start;
  const above = blankLinesBefore(text, start, first);
  const below = skipBlankLines(text, last);
  if (above === first) return [cut(first, below)];
  if (below === text.length) return [cut(withoutLineEnd(text, above), below)];
  const gaps = run.map(({ end }, index) => ({ start: end, end: run[index + 1]?.start ?? below }));
  const kept =
    above < start ? { start: above, end: start } : gaps.find((gap) => gap.end > gap.start);
  if (kept === undefined) return [cut(start, below)];
  return [cut(above, kept.start), cut(kept.end, below)].filter(
    (splice) => splice.end > splice.start,
  );
}

/** Where the last line then ends: a file without a line end at its end gets none. */
function withoutLineEnd(text: string, end: number): number {
  if (text.endsWith('\n') || text[end - 1] !== '\n') return end;
  return text[end - 2] === '\r' ? end - 2 : end - 1;
}

function cut(start: number, end: number): Splice {
  return { start, end, text: '' };
}

const comment = /(?:#|\/\/)[^\n]*|\/\*[\s\S]*?\*\//g;
// a comment cannot extend beyond its first end: otherwise the expression would backtrack without end
const lineRest = /(?:[ \t]|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:(?:#|\/\/)[^\n]*)?(?:\r?\n|(?![\s\S]))/y;
const blankLine = /[ \t]*\r?\n|[ \t]+(?![\s\S])/y;

/** The comments between two blocks, without the line end behind a `#` comment. */
function commentsBetween(text: string, start: number, end: number): Span[] {
  return [...text.slice(start, end).matchAll(comment)].map(({ index, 0: { length } }) => ({
    start: start + index,
    end: start + index + length - (text[start + index + length - 1] === '\r' ? 1 : 0),
  }));
}

/**
 * Behind the line in which a block ends, the comments on it included; where the block ends when
 * something else follows on that line.
 */
function endOfLine(text: string, blockEnd: number): number {
  lineRest.lastIndex = blockEnd;
  return lineRest.test(text) ? lineRest.lastIndex : blockEnd;
}

/** Behind the blank lines that begin at an offset. */
function skipBlankLines(text: string, start: number): number {
  let at = start;
  for (;;) {
    blankLine.lastIndex = at;
    if (!blankLine.test(text)) return at;
    at = blankLine.lastIndex;
  }
}

/** Where the blank lines begin that end at the beginning of a line, at or behind `first`. */
function blankLinesBefore(text: string, lineStart: number, first: number): number {
  let at = lineStart;
  while (at > first) {
    // a negative offset would find a line end at the very beginning
    const previous = at < 2 ? first : Math.max(text.lastIndexOf('\n', at - 2) + 1, first);
    if (text.slice(previous, at).trim() !== '') break;
    at = previous;
  }
  return at;
}
