/** Where a comment stands; the line end behind a `#` comment is no part of it. */
export interface Comment {
  readonly start: number;
  readonly end: number;
}

const comment = /(?:#|\/\/)[^\n]*|\/\*[\s\S]*?\*\//g;
// a comment ends at its first end also where the rest does not fit: else there are ever more ways to try
const lineRest = /(?:[ \t]|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:(?:#|\/\/)[^\n]*)?(?:\r?\n|(?![\s\S]))/y;
const blankLine = /[ \t]*\r?\n|[ \t]+(?![\s\S])/y;

/** The comments between two blocks, where besides them there are only blanks. */
export function commentsBetween(text: string, start: number, end: number): Comment[] {
  return [...text.slice(start, end).matchAll(comment)].map(({ index, 0: { length } }) => ({
    start: start + index,
    end: start + index + length - (text[start + index + length - 1] === '\r' ? 1 : 0),
  }));
}

/**
 * Behind the line in which a block ends, the comments on it included; where the block ends when
 * something else follows on that line.
 */
export function endOfLine(text: string, blockEnd: number): number {
  lineRest.lastIndex = blockEnd;
  return lineRest.test(text) ? lineRest.lastIndex : blockEnd;
}

/** Behind the blank lines that begin at an offset. */
export function skipBlankLines(text: string, start: number): number {
  let at = start;
  for (;;) {
    blankLine.lastIndex = at;
    if (!blankLine.test(text)) return at;
    at = blankLine.lastIndex;
  }
}

/** Where the blank lines begin that end at the beginning of a line, at or behind `first`. */
export function blankLinesBefore(text: string, lineStart: number, first: number): number {
  let at = lineStart;
  while (at > first) {
    // a negative offset would find a line end at the very beginning
    const previous = at < 2 ? first : Math.max(text.lastIndexOf('\n', at - 2) + 1, first);
    if (text.slice(previous, at).trim() !== '') break;
    at = previous;
  }
  return at;
}
