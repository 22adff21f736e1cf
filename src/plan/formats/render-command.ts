import { posix } from 'node:path';
import { printable } from '../../model/printable';
import { posixQuote } from '../../model/posix-quote';

/** Columns that a command fits in, its indentation aside. */
const WIDTH = 84;

/** The words of a command as a person reads them: quoted for a shell, safe for a terminal. */
export function renderWords(argv: readonly string[], saveTo?: string): string[] {
  const words = saveTo === undefined ? argv : [...argv, saveTo];
  const quoted = words.map((argument) => printable(posixQuote(argument)));
  return saveTo === undefined ? quoted : quoted.toSpliced(-1, 0, '>');
}

/**
 * A command to read or copy: its lines. The folder of the file that receives its output may not exist yet.
 */
export function renderCommand(argv: readonly string[], saveTo?: string): string[] {
  const lines: string[] = [];
  for (const word of renderWords(argv, saveTo)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  const folder = posix.dirname(saveTo ?? '.');
  return [
    ...(folder === '.'
      ? []
      : [`${renderWords(['mkdir', '-p', '-m', '700', folder]).join(' ')} &&`]),
    ...lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line)),
  ];
}
