import { PREPEND } from './grapheme-prepend';

/**
 * Invisible or line-reordering characters: written as escapes, so that source shows what it holds;
 * and those that join the quote behind them.
 */
const INVISIBLE = new RegExp(`[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Zl}\\p{Zp}${PREPEND}]`, 'gu');
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A string of TypeScript, with the quotes that prettier would choose. */
export function quoteTypeScript(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  const doubles = text.split('"').length;
  const singles = text.split("'").length;
  const mark = doubles > singles ? "'" : '"';
  const body = text
    .replaceAll('\\', '\\\\')
    .replaceAll(mark, `\\${mark}`)
    .replace(INVISIBLE, (character) => {
      const code = hexadecimal(character);
      return SHORT[character] ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`);
    });
  return mark + body + mark;
}

/** A quoted string of HCL: a template in which nothing is evaluated. */
export function quoteHcl(text: string): string {
  const body = text
    // HCL refuses the escape of a lone surrogate; U+FFFD is what Terraform makes of it in JSON
    .toWellFormed()
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/[$%](?=\{)/g, (sign) => sign + sign)
    .replace(INVISIBLE, (character) => {
      const code = hexadecimal(character);
      return (
        SHORT[character] ??
        (code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`)
      );
    });
  return `"${body}"`;
}

/** A JSON document as text, indented by two, with the same characters as escapes. */
export function printJson(document: object): string {
  const escapes = JSON.stringify(document, null, 2).replace(INVISIBLE, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, index) => {
          const unit = character.charCodeAt(index).toString(16);
          return `\\u${unit.padStart(4, '0')}`;
        }).join(''),
  );
  return `${escapes}\n`;
}

function hexadecimal(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}
