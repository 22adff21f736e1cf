/** Invisible and line-reordering characters, which are written as escapes. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Quotes a string of TypeScript with double quotes. */
export function quoteTypeScript(text: string): string {
  return showHidden(JSON.stringify(text));
}

/** Quotes a string of HCL, so that nothing in the template is evaluated. */
export function quoteHcl(text: string): string {
  const body = text
    // HCL refuses the escape of a lone surrogate, and Terraform reads one in JSON as U+FFFD
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

/** Writes a JSON document with an indentation of two, with the same characters as escapes. */
export function printJson(document: object): string {
  return `${showHidden(JSON.stringify(document, null, 2))}\n`;
}

/** Escapes hidden characters in JSON, except line breaks, which are never inside a string. */
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

/**
 * Escapes a literal for Terraform JSON, which CDKTF also writes (0.21): Terraform reads each string as a template.
 * Uses a replacer function because `$$` means `$` in a replacement string.
 */
export function escapeTemplate(text: string): string {
  return text.replace(/[$%](?=\{)/g, (sign) => sign + sign);
}
