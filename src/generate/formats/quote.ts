/** Invisible or line-reordering characters: written as escapes, so that source shows what it holds. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A string of TypeScript, with the quotes that prettier would choose. */
export function quoteTypeScript(text: string): string {
  const doubles = text.split('"').length;
  const singles = text.split("'").length;
  const mark = doubles > singles ? "'" : '"';
  const body = text
    .replaceAll('\\', '\\\\')
    .replaceAll(mark, `\\${mark}`)
    .replace(INVISIBLE, (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16);
      return SHORT[character] ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`);
    });
  return mark + body + mark;
}

/** A quoted string of HCL: a template in which nothing is evaluated. */
export function quoteHcl(text: string): string {
  const body = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/[$%](?=\{)/g, (sign) => sign + sign)
    .replace(INVISIBLE, (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16);
      return (
        SHORT[character] ??
        (code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`)
      );
    });
  return `"${body}"`;
}
