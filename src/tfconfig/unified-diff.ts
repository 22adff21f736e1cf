import { type StructuredPatchHunk } from 'diff';
import { createTwoFilesPatch, FILE_HEADERS_ONLY, formatPatch } from 'diff/lib/patch/create.js';
import { applySplices, type Splice, splitLines } from './config';

const CONTEXT = 3;
/** A line that cannot have a credential: blank, the start of a block or an empty one, or brackets that end one. */
const WITHOUT_SECRET =
  /^[ \t]*(?:[\w-]+(?:[ \t]+"[\w.-]+")*[ \t]*\{[ \t]*\}?|"[\w-]+":[ \t]*[[{]+|[\])}]+,?)?[ \t]*\r?\n?$/;
/** In characters. To search a longer line takes quadratic time: it counts as one with a credential. */
const LONGEST = 200;

/**
 * Renders splices as a unified diff; empty if they change nothing. It uses the known places, because
 * comparing the texts takes 20 s for 2,000 removed blocks (measured with `diff`).
 * Hostile characters of the file are kept, so that the diff can be applied.
 *
 * @param before the text; undefined if the file does not exist
 */
export function renderDiff(
  path: string,
  before: string | undefined,
  splices: readonly Splice[],
): string {
  const lines = diffLines(before ?? '', splices);
  const shown = linesToShow(lines, CONTEXT);
  if (shown.size === 0) return '';
  return formatPatch(
    {
      oldFileName: before === undefined ? '/dev/null' : `a/${path}`,
      newFileName: `b/${path}`,
      oldHeader: undefined,
      newHeader: undefined,
      hunks: hunksOf(lines, shown),
    },
    FILE_HEADERS_ONLY,
  );
}

/** One hunk for each stretch of shown lines. */
function hunksOf(lines: readonly DiffLine[], shown: ReadonlySet<number>): StructuredPatchHunk[] {
  const hunks: StructuredPatchHunk[] = [];
  let [oldStart, newStart] = [1, 1];
  for (let from = 0, to = 0; from < lines.length; from = to) {
    const isShown = shown.has(from);
    while (to < lines.length && shown.has(to) === isShown) to += 1;
    const stretch = lines.slice(from, to);
    const oldLines = stretch.filter(({ sign }) => sign !== '+').length;
    const newLines = stretch.filter(({ sign }) => sign !== '-').length;
    if (isShown) {
      hunks.push({ oldStart, oldLines, newStart, newLines, lines: stretch.flatMap(patchLines) });
    }
    oldStart += oldLines;
    newStart += newLines;
  }
  return hunks;
}

const patchLines = ({ sign, line }: DiffLine): string | string[] =>
  line.endsWith('\n') ? sign + line.slice(0, -1) : [sign + line, '\\ No newline at end of file'];

/** A unified diff of a file; undefined if its texts are too large, or take too long to compare. */
export function textDiff(path: string, before: string, after: string): string | undefined {
  if (before.length > 1_000_000) return undefined;
  const options = { context: CONTEXT, timeout: 1_000, headerOptions: FILE_HEADERS_ONLY };
  const names = [`a/${path}`, `b/${path}`] as const;
  return createTwoFilesPatch(...names, before, after, undefined, undefined, options);
}

/**
 * The changed lines, and as many around them as can have no credential, because plans are shared. The number is the same
 * before and after a change: `patch` takes fewer lines after it as the end of the file.
 */
function linesToShow(lines: readonly DiffLine[], context: number): ReadonlySet<number> {
  const shown = new Set<number>();
  lines.forEach(({ sign }, at) => {
    if (sign === ' ') return;
    for (let near = Math.max(at - context, 0); near <= at + context; near += 1) shown.add(near);
  });
  const isPlain = ({ sign, line }: DiffLine, at: number): boolean =>
    sign !== ' ' || !shown.has(at) || (line.length <= LONGEST && WITHOUT_SECRET.test(line));
  return lines.every(isPlain) ? shown : linesToShow(lines, context - 1);
}

interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  /** With its line end. */
  readonly line: string;
}

function diffLines(text: string, splices: readonly Splice[]): DiffLine[] {
  const mark = (sign: DiffLine['sign'], lines: readonly string[]): DiffLine[] =>
    lines.map((line) => ({ sign, line }));
  let at = 0;
  const marked = wholeLines(text, splices).flatMap((splice) => {
    const kept = splitLines(text.slice(at, splice.start));
    const gone = splitLines(text.slice(splice.start, splice.end));
    const added = splitLines(splice.text);
    at = splice.end;
    const most = Math.min(gone.length, added.length);
    let tail = 0;
    while (tail < most && gone.at(-1 - tail) === added.at(-1 - tail)) tail += 1;
    let head = 0;
    while (head < most - tail && gone[head] === added[head]) head += 1;
    return [
      ...mark(' ', [...kept, ...gone.slice(0, head)]),
      ...mark('-', gone.slice(head, gone.length - tail)),
      ...mark('+', added.slice(head, added.length - tail)),
      ...mark(' ', gone.slice(gone.length - tail)),
    ];
  });
  return [...marked, ...mark(' ', splitLines(text.slice(at)))];
}

/** Extends splices to whole lines, and joins those that touch the same line. */
function wholeLines(text: string, splices: readonly Splice[]): Splice[] {
  const groups: { start: number; end: number; inner: Splice[] }[] = [];
  for (const splice of splices) {
    const start = text.slice(0, splice.start).lastIndexOf('\n') + 1;
    const end = text.indexOf('\n', splice.end) + 1 || text.length;
    const last = groups.at(-1);
    if (last !== undefined && start < last.end) {
      last.inner.push(splice);
      last.end = end;
    } else groups.push({ start, end, inner: [splice] });
  }
  return groups.map(({ start, end, inner }) => {
    const shift = (one: Splice) => ({ ...one, start: one.start - start, end: one.end - start });
    return { start, end, text: applySplices(text.slice(start, end), inner.map(shift)) };
  });
}
