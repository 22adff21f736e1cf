import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';

/** Turns offsets of one text into lines; a line ends behind its `\n`. */
export class LineIndex {
  readonly #starts: readonly number[];
  readonly #length: number;

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      starts.push(at + 1);
    }
    this.#starts = starts;
    this.#length = text.length;
  }

  /** How many lines there are; behind the last `\n` there is only one when something stands there. */
  get count(): number {
    return this.#starts.length - (this.#starts.at(-1) === this.#length ? 1 : 0);
  }

  /** The line of an offset, counted from 1. */
  line(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The offset at which a line begins, counted from 1; behind the last line, the end of the text. */
  start(line: number): number {
    return this.#starts[line - 1] ?? this.#length;
  }

  /** Line and column, both counted from 1; the column in UTF-16 units. */
  position(offset: number): { line: number; column: number } {
    const line = this.line(offset);
    return { line, column: offset - this.start(line) + 1 };
  }
}

/** Says where and why a file cannot be read; quotes nothing of it, since it may hold a secret. */
export function configFault(
  path: string,
  lines: LineIndex,
  offset: number,
  what: string,
): MigrationError {
  const { line, column } = lines.position(offset);
  return new MigrationError('CONFIG_INVALID', `${printable(path)}:${line}:${column}: ${what}`);
}
