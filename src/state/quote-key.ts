const named: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  '\\': '\\\\',
  $: '$$',
  '%': '%%',
};
/** Nothing in it needs an escape: by far the most keys. */
const plain = /^[ !#&-[\]-~]*$/;
/** Syntax, and what is not printable in the sense of Go's `unicode.IsPrint`. */
const special = /["\\]|[$%](?=\{)|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

function escapeCharacter(character: string): string {
  const escape = named[character];
  if (escape !== undefined) return escape;
  if (!character.isWellFormed()) return '\ufffd';
  const digits = (character.codePointAt(0) ?? 0).toString(16);
  return digits.length <= 4 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}

/**
 * A string in the quotes of HCL, as Terraform prints an instance key (1.11.4, `toHCLQuotedString`).
 * A lone surrogate, which UTF-8 cannot hold, becomes U+FFFD, as in Terraform. A character that is newer
 * than Terraform's Unicode (15.0 up to Terraform 1.15) is escaped there and printable here: Terraform reads both.
 */
export function quoteKey(key: string): string {
  return plain.test(key) ? `"${key}"` : `"${key.replace(special, escapeCharacter)}"`;
}
