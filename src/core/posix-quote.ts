import { sep } from 'node:path';
import { printable } from './printable';

const SAFE = /^[A-Za-z0-9_@%+=:,./-]+$/;
/**
 * Characters that could control a terminal that shows the script, or begin a command to a CI runner; a line break stays
 * inside quotes.
 */
const HOSTILE = /([^\P{C}\n]+|[\p{Zl}\p{Zp}]+|#(?=#(?:vso|teamcity)?\[))/u;

/** An argument as one word of a command that is printed on one line: a line break in it would forge the lines that follow. */
export const posixQuote = (argument: string): string => printable(shellWord(argument));

/** Quotes an argument as one word of a POSIX shell, without expansion and without control characters but line breaks. */
export function shellWord(argument: string): string {
  if (SAFE.test(argument)) return argument;
  const parts = argument.split(HOSTILE).map((part, index) => {
    if (part === '') return '';
    return index % 2 === 0 ? `'${part.replaceAll("'", "'\\''")}'` : printed(part);
  });
  return parts.join('') || "''";
}

/** Encodes the bytes of a text in octal for the shell's own `printf`, which every shell supports. */
function printed(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`);
  return `"$(printf '${bytes.join('')}')"`;
}

/** Words of one command as {@link shellWord} writes them: a shell that reads them runs nothing else. */
export const WORDS_OF_ONE_COMMAND =
  /^(?:[\w@%+=:,./ -]|'[^'\p{C}\p{Zl}\p{Zp}]*'|\\'|"\$\(printf '[\\0-7]+'\)")*$/u;

export const acceptFlag = (address: string): string => `--accept ${posixQuote(address)}`;

/** Converts a path of this platform to forward slashes, as plans, Terraform and module specifiers require. */
export const posixPath = (path: string): string => path.split(sep).join('/');
