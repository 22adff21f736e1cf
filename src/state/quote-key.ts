import { printableRuns } from './printable-runs';

const named: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  '\\': '\\\\',
};
/** Nothing in it needs an escape: by far the most keys. */
const plain = /^[ !#&-[\]-~]*$/;
/** What may need one. Without the flag `u`, which makes it slow to compile. */
const special = /[$%](?=\{)|["\\]|[\ud800-\udbff][\udc00-\udfff]|[^ -~]/g;

/** The code points at which the printable and the non-printable take turns. */
let turns: readonly number[] | undefined;

function isPrintable(codePoint: number): boolean {
  if (turns === undefined) {
    let sum = 0;
    turns = printableRuns.split(' ').map((run) => (sum += parseInt(run, 36)));
  }
  let low = 0;
  let high = turns.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((turns[middle] ?? 0) <= codePoint) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}

function escapeCharacter(character: string): string {
  const escape = named[character];
  if (escape !== undefined) return escape;
  if (character === '$' || character === '%') return character + character;
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint >= 0xd800 && codePoint < 0xe000) return '\ufffd';
  if (isPrintable(codePoint)) return character;
  const digits = codePoint.toString(16);
  return codePoint < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}

/**
 * A string in the quotes of HCL, as Terraform prints an instance key (1.11.4, `toHCLQuotedString`;
 * every code point measured). A lone surrogate, which UTF-8 cannot hold, becomes U+FFFD, as in
 * Terraform.
 */
export function quoteKey(key: string): string {
  return plain.test(key) ? `"${key}"` : `"${key.replace(special, escapeCharacter)}"`;
}
