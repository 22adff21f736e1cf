/** PowerShell takes four typographic quotes for the plain one (about_Quoting_Rules). */
const QUOTES = /['\u2018\u2019\u201a\u201b]/g;
/** What could drive a terminal on which the script is shown: everything but plain text. */
const HOSTILE = /([\p{C}\p{Zl}\p{Zp}])/u;

/**
 * One argument as an expression of PowerShell 7: single-quoted, in which nothing is expanded; what
 * is no plain text stands by its number. An argument holds no NUL, as no argument can.
 */
export function powershellQuote(argument: string): string {
  const parts = argument.split(HOSTILE).flatMap((part, index) => {
    if (index % 2 === 1) return [numbered(part)];
    return part === '' && index > 0 ? [] : [`'${part.replace(QUOTES, (quote) => quote + quote)}'`];
  });
  const [only = "''", ...more] = parts;
  return more.length === 0 ? only : `(${parts.join(' + ')})`;
}

function numbered(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const number = `0x${code.toString(16)}`;
  return code > 0xffff ? `[char]::ConvertFromUtf32(${number})` : `[char]${number}`;
}
