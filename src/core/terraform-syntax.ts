const named: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
};

/**
 * One piece of a quoted string: plain characters, a doubled or a lone `$` or `%`, or an escape.
 * A template (`${` that is not doubled), a line break and an unknown escape match nothing, as
 * Terraform refuses them (measured with 1.11.4).
 */
const piece =
  /([^"\\$%\n\r]+)|([$%])\2(?=\{)|([$%])(?!\{)|\\([nrt"\\])|\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;

function isScalar(codePoint: number): boolean {
  return codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
}

/**
 * The value of a quoted string of HCL, quotes included in what is given; undefined when it holds a
 * template, or is none.
 */
export function unquoteHcl(literal: string): string | undefined {
  const read = literal.startsWith('"') ? unquoteHclAt(literal, 0) : undefined;
  return read?.end === literal.length ? read.value : undefined;
}

/**
 * Reads the quoted string of HCL that begins at `start` (at the `"`).
 *
 * @returns its value and the offset behind the closing quote; undefined when it is none
 */
export function unquoteHclAt(
  text: string,
  start: number,
): { value: string; end: number } | undefined {
  let value = '';
  let at = start + 1;
  while (text[at] !== '"') {
    piece.lastIndex = at;
    const match = piece.exec(text);
    if (match === null) return undefined;
    const [all, run, doubled, lone, escape, short, long] = match;
    const hex = short ?? long;
    if (hex !== undefined) {
      const codePoint = parseInt(hex, 16);
      if (!isScalar(codePoint)) return undefined;
      value += String.fromCodePoint(codePoint);
    } else if (escape !== undefined) value += named[escape] ?? '';
    else value += run ?? doubled ?? lone ?? '';
    at += all.length;
  }
  return { value, end: at + 1 };
}

/**
 * A name for a new file of a Terraform configuration. One that ends with `override` gets another end:
 * Terraform merges such a file into blocks of other files, and refuses blocks that no other file has.
 *
 * @example terraformFileName('waf_override', '.tf') // 'waf_override_ruleset.tf'
 */
export function terraformFileName(name: string, ending: '.tf' | '.tf.json'): string {
  return `${/(^|_)override$/.test(name) ? `${name}_ruleset` : name}${ending}`;
}

/** Variables with these beginnings are unset for Terraform: they change what a subcommand does or prints. */
export const NEUTRALISED_VARIABLES = ['TF_CLI_ARGS', 'TF_LOG', 'TF_INPUT'] as const;
