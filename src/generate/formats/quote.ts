/**
 * Contains all letters that Unicode joins to the next character (Grapheme_Cluster_Break=Prepend). Terraform's
 * JSON reader (1.11.4) takes such a letter and the closing quote, or a backslash, for one character: the file
 * is a syntax error.
 */
const JOINING = String.raw`\u{11000}-\u{11fff}\u0d4e`;
/** Invisible, line-reordering and joining characters, which are written as escapes. */
const HIDDEN = new RegExp(String.raw`[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}${JOINING}]`, 'gu');
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
 * What Terraform (1.11.4) would change in a JSON string, because it reads each as a template: `${` and `%{`;
 * a leading byte order mark, which its parser drops; and a lone carriage return, after which it misreads `${`
 * and `$$${`. Includes the `$` before it, which would escape its expression.
 */
const TEMPLATE = /^\ufeff|\$*\r(?!\n)|[$%](?=\{)/gu;
/**
 * What CDKTF would also change: its references in text (`${TfToken[`), lists (`#{`) and maps (`&{`), and its
 * two placeholders of maps. It writes the JSON itself, so this includes the characters that break Terraform's
 * reader.
 */
const CONSTRUCT = new RegExp(
  [
    TEMPLATE.source,
    String.raw`(?<=\{TfToken)\[`,
    String.raw`^(?:String|Any)(?= Map Token Value$)`,
    String.raw`\$*(?:[${JOINING}]|(?=[\u0600-\u08ff])\p{Cf})`,
  ].join('|'),
  'gu',
);
/** What CDKTF parses as a number in text, and whether the number is an encoded reference. */
const NUMBER = /[-|\d.+]+e[-|\d.eE+]+/g;
const isEncoded = (number: number): boolean => number < -8.1e298 && number > -8.4e298;

/**
 * Escapes a literal for Terraform JSON: doubles `${` and `%{`, and writes the other two cases as expressions.
 * Uses a replacer function because `$$` means `$` in a replacement string.
 */
export function escapeTemplate(text: string): string {
  return text.replace(TEMPLATE, escaped);
}

/** Escapes a literal for CDKTF (0.21), which writes it into Terraform JSON. */
export function escapeConstructTemplate(text: string): string {
  // most strings have no sign before a brace, no CDKTF reference and no number with an exponent
  if (/^[ -~]*$/.test(text) && !/[$%#&]\{|TfToken|Map Token|[-|\d.+]e/.test(text)) return text;
  return text
    .replace(CONSTRUCT, escaped)
    .replace(NUMBER, (number) =>
      isEncoded(parseFloat(number)) ? number.replace('e', literal) : number,
    );
}

function escaped(match: string): string {
  return match === '$' || match === '%' ? match + match : literal(match);
}

/** The text as an escaped expression inside the template. */
function literal(text: string): string {
  return `\${${quoteHcl(text)}}`;
}
