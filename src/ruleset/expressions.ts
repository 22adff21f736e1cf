/**
 * The maximum length of an expression in bytes: 4,096 characters (Cloudflare's reference of the rules
 * language), 4 KB (spec: "Limits").
 */
export const MAX_EXPRESSION = 4096;

/** The expression that matches every request. */
export const ALWAYS = 'true';

/** Whether an expression is short enough to be saved. */
export function fits(expression: string): boolean {
  return Buffer.byteLength(expression) <= MAX_EXPRESSION;
}

/** Quotes a string of the rules language, which escapes only `"` and `\`. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Combines terms with `and`. Returns {@link ALWAYS} if there are none. */
export function allOf(terms: readonly string[]): string {
  const [only = ALWAYS, ...rest] = terms.filter((term) => term !== ALWAYS);
  return rest.length === 0
    ? only
    : [only, ...rest].map((term) => grouped(term, ' or ')).join(' and ');
}

/** Combines terms with `or`. Expects at least one term. */
export function anyOf(terms: readonly string[]): string {
  if (terms.includes(ALWAYS)) return ALWAYS;
  const [only, ...rest] = new Set(terms);
  if (only === undefined) throw new RangeError('any of no terms');
  // not needed by precedence, but easier to read
  return rest.length === 0
    ? only
    : [only, ...rest].map((term) => grouped(term, ' and ')).join(' or ');
}

/** Adds parentheses to a term that may contain the operator. */
function grouped(term: string, operator: string): string {
  return term.includes(operator) ? `(${term})` : term;
}
