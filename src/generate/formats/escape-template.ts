import { JOINING, quoteHcl } from './quote';

/**
 * What Terraform (1.11.4) would not take as it stands in a JSON string, every one of which it reads
 * as a template: `${` and `%{`; a byte order mark in front, which its parser drops; and a carriage
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
