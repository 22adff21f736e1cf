import { type Splice } from './splice';

/** The line end that most lines of a text have; `\n` where there is none. */
function lineEndOf(text: string): string {
  const all = text.split('\n').length - 1;
  const windows = text.split('\r\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}

/**
 * Appends blocks to a `.tf` file, behind a blank line and with the line ends of the file.
 *
 * @param end where the text ends that stays; what is behind it is replaced
 */
export function appendText(text: string, end: number, blocks: string): Splice {
  const lineEnd = lineEndOf(text);
  const kept = text.slice(0, end);
  const isEmpty = kept.trim() === '';
  const gap = isEmpty ? '' : kept.endsWith('\n') ? lineEnd : lineEnd + lineEnd;
  const body = `${blocks.trimEnd()}\n`.replaceAll('\r\n', '\n').replaceAll('\n', lineEnd);
  return { start: end, end: text.length, text: gap + body };
}
