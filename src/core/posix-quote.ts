import { sep } from 'node:path';
import { printable } from './printable';

const SAFE = /^[A-Za-z0-9_@%+=:,./-]+$/;
/** What could drive a terminal on which the script is shown; a line end is kept in quotes. */
const HOSTILE = /([^\P{C}\n]+|[\p{Zl}\p{Zp}]+)/u;

/**
 * One argument as a word of a POSIX shell: nothing in it is expanded, and it contains no control
 * character.
 */
export function posixQuote(argument: string): string {
  if (SAFE.test(argument)) return argument;
  const parts = argument.split(HOSTILE).map((part, index) => {
    if (part === '') return '';
    return index % 2 === 0 ? `'${part.replaceAll("'", "'\\''")}'` : printed(part);
  });
  return parts.join('') || "''";
}

/** The bytes of a text by the shell's own `printf`, in octal, as all shells read them. */
function printed(text: string): string {
  const bytes = [...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`);
  return `"$(printf '${bytes.join('')}')"`;
}

/** The flag that accepts one difference by its name, for a shell. */
export function acceptFlag(address: string): string {
  return printable(`--accept ${posixQuote(address)}`, 200);
}

/** A path of this platform as plans, Terraform and module specifiers write it: with forward slashes. */
export const posixPath = (path: string): string => path.split(sep).join('/');
