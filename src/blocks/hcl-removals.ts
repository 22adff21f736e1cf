import { type ConfigBlock, type HclFile } from './config-file';
import { type Splice } from './splice';
import { blankLinesBefore, commentsBetween, endOfLine, skipBlankLines } from './trivia';

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * What leaves a `.tf` file with some of its blocks: the blocks, the comments that belong to them,
 * the rest of their lines, and the blank lines that would stand twice.
 */
export function hclRemovals(
  { text, blocks }: HclFile,
  gone: ReadonlySet<ConfigBlock>,
): readonly Splice[] {
  const first = text.startsWith('\ufeff') ? 1 : 0;
  const runs: Span[][] = [];
  let before: number | undefined;
  for (const block of blocks) {
    if (gone.has(block)) {
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
 * The lines of a block and of the comments right above it. What stands at the very top of the
 * file stays: a licence, or a note about all of it.
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

/** Removes neighbours, between which only blank lines stand, and all blank lines but one group. */
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
