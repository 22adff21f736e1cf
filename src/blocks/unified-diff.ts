import { type StructuredPatchHunk } from 'diff';
// alone: all of the package takes as long to load as all of this program
import { FILE_HEADERS_ONLY, formatPatch } from 'diff/lib/patch/create.js';
import { lineChanges, type LineChange, splitLines } from './line-changes';
import { LineIndex } from './line-index';
import { type Splice } from './splice';

const CONTEXT = 3;

/**
 * What splices change in a file, as a unified diff; empty when they change nothing. It is written
 * from the known places: to compare the texts would take minutes where thousands of blocks leave.
 * Hostile characters of the file are in it as they are, so that it can be applied.
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
