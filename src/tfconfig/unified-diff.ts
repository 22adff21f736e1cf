import { type StructuredPatchHunk } from 'diff';
import { FILE_HEADERS_ONLY, formatPatch } from 'diff/lib/patch/create.js';
import { LineIndex } from './config-source';
import { type Splice } from './config';
import { applySplices } from './remove-blocks';

const CONTEXT = 3;

/**
 * What splices change in a file, as a unified diff; empty when they change nothing. It is written from the known
 * places: comparing the texts takes 20 s when 2,000 blocks are removed (measured with `diff`).
 * Hostile characters of the file are kept, so that the diff can be applied.
 *
 * @param missing when the file does not exist
 */
export function renderDiff(
  path: string,
  text: string,
  splices: readonly Splice[],
  missing?: 'before' | 'after',
): string {
  const lines = new LineIndex(text);
  const changes = lineChanges(text, lines, splices).filter(
    ({ from, to, added }) => to > from || added.length > 0,
  );
  if (changes.length === 0) return '';
  let shift = 0;
  const hunks = groupNear(changes).map((group) => {
    const hunk = renderHunk(text, lines, group, shift);
    shift += hunk.newLines - hunk.oldLines;
    return hunk;
  });
  return formatPatch(
    {
      oldFileName: missing === 'before' ? '/dev/null' : `a/${path}`,
      newFileName: missing === 'after' ? '/dev/null' : `b/${path}`,
      oldHeader: undefined,
      newHeader: undefined,
      hunks,
    },
    FILE_HEADERS_ONLY,
  );
}

/** Changes whose lines of context touch are shown together. */
function groupNear(changes: readonly LineChange[]): LineChange[][] {
  const groups: LineChange[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && change.from - last.to <= 2 * CONTEXT) groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups;
}

function renderHunk(
  text: string,
  lines: LineIndex,
  changes: readonly LineChange[],
  shift: number,
): StructuredPatchHunk {
  const first = Math.max(1, (changes[0]?.from ?? 1) - CONTEXT);
  const last = Math.min(lines.count + 1, (changes.at(-1)?.to ?? 1) + CONTEXT);
  const shown: string[] = [];
  const counts = { ' ': 0, '-': 0, '+': 0 };
  const show = (sign: ' ' | '-' | '+', all: readonly string[]): void => {
    counts[sign] += all.length;
    for (const line of all) {
      if (line.endsWith('\n')) shown.push(sign + line.slice(0, -1));
      else shown.push(sign + line, '\\ No newline at end of file');
    }
  };
  const between = (from: number, to: number): string[] =>
    splitLines(text.slice(lines.start(from), lines.start(to)));
  let at = first;
  for (const { from, to, added } of changes) {
    show(' ', between(at, from));
    show('-', between(from, to));
    show('+', added);
    at = to;
  }
  show(' ', between(at, last));
  return {
    oldStart: first,
    oldLines: counts[' '] + counts['-'],
    newStart: first + shift,
    newLines: counts[' '] + counts['+'],
    lines: shown,
  };
}

/** Whole lines that are replaced by others. */
interface LineChange {
  /** The first removed line, counted from 1. */
  readonly from: number;
  /** Behind the last removed line; the same as `from` where lines are only added. */
  readonly to: number;
  /** What replaces them, each line with its line end. */
  readonly added: readonly string[];
}

/** A text as lines, each with its line end. */
function splitLines(text: string): string[] {
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
