const named: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
};

/**
 * One piece of a quoted string: plain characters, a doubled or a single `$` or `%`, or an escape. It does not
 * match a template (`${` that is not doubled), a line break or an unknown escape, because Terraform rejects
 * them (measured with 1.11.4).
 */
const piece =
  /([^"\\$%\n\r]+)|([$%])\2(?=\{)|([$%])(?!\{)|\\([nrt"\\])|\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;

/**
 * The value of a quoted HCL string, passed with its quotes; undefined if it contains a template or is not a
 * quoted string.
 */
export function unquoteHcl(literal: string): string | undefined {
  if (!/^"[^]*"$/.test(literal)) return undefined;
  let value = '';
  for (let at = 1; at < literal.length - 1; at = piece.lastIndex) {
    piece.lastIndex = at;
    const match = piece.exec(literal);
    if (match === null) return undefined;
    const [, run, doubled, lone, escape, short, long] = match;
    const hex = short ?? long;
    if (hex !== undefined) {
      const codePoint = parseInt(hex, 16);
      const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
      if (isSurrogate || codePoint > 0x10ffff) return undefined;
      value += String.fromCodePoint(codePoint);
    } else value += run ?? doubled ?? lone ?? named[escape ?? ''] ?? '';
  }
  return value;
}

const escapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  '\\': '\\\\',
  $: '$$',
  '%': '%%',
};
/** HCL syntax, and characters that Go's `unicode.IsPrint` rejects. */
const special = /["\\]|[$%](?=\{)|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

function escapeCharacter(character: string): string {
  const escape = escapes[character];
  if (escape !== undefined) return escape;
  if (!character.isWellFormed()) return '\ufffd';
  const digits = (character.codePointAt(0) ?? 0).toString(16);
  return digits.length <= 4 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}

/**
 * Quotes a string in HCL, so that nothing in it is evaluated, as Terraform prints an instance key (1.11.4,
 * `toHCLQuotedString`). A lone surrogate, which UTF-8 cannot encode, becomes U+FFFD, as in Terraform. Terraform also
 * escapes characters newer than its Unicode version (15.0 up to Terraform 1.15), and reads both forms.
 */
export function quoteHcl(text: string): string {
  return `"${text.replace(special, escapeCharacter)}"`;
}

/**
 * Escapes a literal for Terraform JSON, which CDKTF also writes (0.21): Terraform reads each string as a template.
 * Uses a replacer function because `$$` means `$` in a replacement string.
 */
export function escapeTemplate(text: string): string {
  return text.replace(/[$%](?=\{)/g, (sign) => sign + sign);
}

/**
 * A name for a new file of a Terraform configuration. A suffix is added to a name that ends with `override`,
 * because Terraform merges such a file into blocks of other files, and rejects blocks that no other file has.
 * @example terraformFileName('waf_override', '.tf') // 'waf_override_ruleset.tf'
 */
export function terraformFileName(name: string, ending: '.tf' | '.tf.json'): string {
  return `${/(^|_)override$/.test(name) ? `${name}_ruleset` : name}${ending}`;
}

/** Prefixes of variables that are unset for Terraform, because they change the behaviour or output of a subcommand. */
export const NEUTRALISED_VARIABLES = ['TF_CLI_ARGS', 'TF_LOG', 'TF_INPUT'] as const;
