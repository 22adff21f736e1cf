/**
 * Among these characters are all letters that Unicode joins to the character behind them
 * (Grapheme_Cluster_Break=Prepend). Terraform's reader of JSON (1.11.4) takes such a letter and the closing
 * quote, or a backslash, for one character: the file is a syntax error.
 */
export const JOINING = String.raw`\u{11000}-\u{11fff}\u0d4e`;
/** Invisible, line-reordering and joining characters: written as escapes. */
const HIDDEN = new RegExp(String.raw`[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}${JOINING}]`, 'gu');
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A string of TypeScript, in double quotes. */
export function quoteTypeScript(text: string): string {
  return showHidden(JSON.stringify(text));
}

/** A quoted string of HCL: a template in which nothing is evaluated. */
export function quoteHcl(text: string): string {
  const body = text
    // HCL refuses the escape of a lone surrogate; U+FFFD is what Terraform makes of it in JSON
    .toWellFormed()
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replace(/[$%](?=\{)/g, (sign) => sign + sign)
    .replace(HIDDEN, (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16);
      return (
        SHORT[character] ??
        (code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`)
      );
    });
  return `"${body}"`;
}

/** A JSON document as text, indented by two, with the same characters as escapes. */
export function printJson(document: object): string {
  return `${showHidden(JSON.stringify(document, null, 2))}\n`;
}

/** JSON with hidden characters as escapes; a line break is never inside a string. */
function showHidden(json: string): string {
  return json.replace(HIDDEN, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, index) => {
          const unit = character.charCodeAt(index).toString(16);
          return `\\u${unit.padStart(4, '0')}`;
        }).join(''),
  );
}
