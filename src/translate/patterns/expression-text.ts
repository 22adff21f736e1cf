/**
 * The longest expression, in bytes: 4,096 characters (Cloudflare's reference of the rules language),
 * 4 KB (spec: "Limits").
 */
export const MAX_EXPRESSION = 4096;

/** The expression that every request matches. */
export const ALWAYS = 'true';

/** Whether an expression is short enough to be saved. */
export function fits(expression: string): boolean {
  return Buffer.byteLength(expression, 'utf8') <= MAX_EXPRESSION;
}

/** A string of the rules language: `"` and `\` are escaped, nothing else is special. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/**
 * The right side of the `wildcard` operators. There a backslash escapes once more, beside what the
 * quotes ask for; the reference advises a raw string then, which has no escapes of its own.
 */
export function quoteWildcard(pattern: string): string {
  if (!pattern.includes('\\')) return quote(pattern);
  const escaped = pattern.replaceAll('\\', '\\\\');
  let hashes = '';
  while (escaped.includes(`"${hashes}`)) hashes += '#';
  return `r${hashes}"${escaped}"${hashes}`;
}

/** All of the terms, which come from this folder; of none, {@link ALWAYS}. */
export function allOf(terms: readonly string[]): string {
  const real = terms.filter((term) => term !== ALWAYS);
  const [only, ...rest] = real;
  if (only === undefined) return ALWAYS;
  return rest.length === 0 ? only : real.map(grouped).join(' and ');
}

/** At least one of the terms, of which there is one at least. */
export function anyOf(terms: readonly string[]): string {
  if (terms.includes(ALWAYS)) return ALWAYS;
  const distinct = [...new Set(terms)];
  const [only, ...rest] = distinct;
  if (only === undefined) throw new RangeError('any of no terms');
  return rest.length === 0 ? only : distinct.map(grouped).join(' or ');
}

/** Not the term. */
export function noneOf(terms: readonly string[]): string {
  return `not (${anyOf(terms)})`;
}

/** `not` binds tighter than `and`, `and` than `or`. No string of ours holds a space. */
function grouped(term: string): string {
  return / (?:and|or) /.test(term) ? `(${term})` : term;
}
