import { posixQuote } from './posix-quote';
import { printable } from './printable';

/** The flag that accepts one difference by its name, for a shell. */
export function acceptFlag(address: string): string {
  return printable(`--accept ${posixQuote(address)}`, 200);
}
