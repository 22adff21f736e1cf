import { wrapLines } from '../../model/wrap-lines';

/** A line as several where it is too long, those that follow further in than the first. */
export function folded(line: string): string[] {
  const indent = /^ */.exec(line)?.[0] ?? '';
  return wrapLines(line.slice(indent.length), indent, `${indent}    `);
}
