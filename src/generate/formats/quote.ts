/**
 * Among these characters are all letters that Unicode joins to the character behind them
 * (Grapheme_Cluster_Break=Prepend). Terraform's reader of JSON (1.11.4) takes such a letter and the closing
 * quote, or a backslash, for one character: the file is a syntax error.
 */
const JOINING = String.raw`\u{11000}-\u{11fff}\u0d4e`;
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

/**
 * What Terraform (1.11.4) would change in a JSON string, because it reads each as a template: `${` and `%{`; a byte order mark in front, which its parser drops; and a carriage
 * return alone, behind which it misreads `${` and `$$${`. With the signs before an expression, which
 * would otherwise double its own.
 */
const TEMPLATE = /^\ufeff|\$*\r(?!\n)|[$%](?=\{)/gu;
/**
 * What CDKTF would not leave alone on the way there, besides: its own references, in text
 * (`${TfToken[`), lists (`#{`) and maps (`&{`); its two place-holders of maps; and, because it
 * writes the JSON itself, the characters that Terraform's reader of JSON trips over.
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
/** What CDKTF parses as a number in text, and whether it is one of its encoded references. */
const NUMBER = /[-|\d.+]+e[-|\d.eE+]+/g;
const isEncoded = (number: number): boolean => number < -8.1e298 && number > -8.4e298;

/**
 * A literal as Terraform reads it in JSON: `${` and `%{` are doubled, two oddities are spelt as
 * expressions. (A replacer function: in a replacement string `$$` means `$`.)
 */
export function escapeTemplate(text: string): string {
  return text.replace(TEMPLATE, escaped);
}

/** The same for CDKTF (0.21), which puts it into that JSON. */
export function escapeConstructTemplate(text: string): string {
  // most strings: no sign before a brace, nothing that CDKTF takes for its own, no number with an e
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

/** The text as an expression inside the template, spelt in escapes. */
function literal(text: string): string {
  return `\${${quoteHcl(text)}}`;
}
