import { type LineIndex } from './line-index';
import { applySplices, type Splice } from './splice';

/** Whole lines that other lines take the place of. */
export interface LineChange {
  /** The first line that goes, counted from 1. */
  readonly from: number;
  /** Behind the last line that goes; the same as `from` where lines are only added. */
  readonly to: number;
  /** What stands there afterwards, each line with its line end. */
  readonly added: readonly string[];
}

/** A text as lines, each with its line end. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at) + 1 || text.length;
    lines.push(text.slice(at, end));
    at = end;
  }
  return lines;
}

/** The lines that splices touch. */
export function lineChanges(
  text: string,
  lines: LineIndex,
  splices: readonly Splice[],
): LineChange[] {
  const groups: { from: number; to: number; splices: Splice[] }[] = [];
  for (const splice of splices) {
    const from = lines.line(splice.start);
    const to = behindLast(lines, splice, from);
    const last = groups.at(-1);
    if (last !== undefined && from < last.to) {
      last.splices.push(splice);
      last.to = Math.max(last.to, to);
    } else groups.push({ from, to, splices: [splice] });
  }
  return groups.map((group) => {
    const start = lines.start(group.from);
    const shifted = group.splices.map((splice) => ({
      start: splice.start - start,
      end: splice.end - start,
      text: splice.text,
    }));
    const before = text.slice(start, lines.start(group.to));
    return trim(group.from, splitLines(before), splitLines(applySplices(before, shifted)));
  });
}

function behindLast(lines: LineIndex, { start, end }: Splice, from: number): number {
  const line = lines.line(end);
  const isWhole = start === lines.start(from) && end === lines.start(line);
  return Math.min(isWhole ? line : line + 1, lines.count + 1);
}

/** Without the lines at both ends that stay the same. */
function trim(from: number, gone: readonly string[], added: readonly string[]): LineChange {
  const most = Math.min(gone.length, added.length);
  let head = 0;
  while (head < most && gone[head] === added[head]) head += 1;
  let tail = 0;
  while (tail < most - head && gone.at(-1 - tail) === added.at(-1 - tail)) tail += 1;
  return {
    from: from + head,
    to: from + gone.length - tail,
    added: added.slice(head, added.length - tail),
  };
}
