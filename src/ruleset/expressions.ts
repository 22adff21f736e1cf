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

/** Combines terms built by these functions with `and`. Returns {@link ALWAYS} if there are none. */
export function allOf(terms: readonly string[]): string {
  const real = terms.filter((term) => term !== ALWAYS);
  const [only, ...rest] = real;
  if (only === undefined) return ALWAYS;
  // `not` binds tighter than `and`, and `and` binds tighter than `or`
  return rest.length === 0 ? only : real.map((term) => grouped(term, ' or ')).join(' and ');
}

/** Combines terms with `or`. Expects at least one term. */
export function anyOf(terms: readonly string[]): string {
  if (terms.includes(ALWAYS)) return ALWAYS;
  const distinct = [...new Set(terms)];
  const [only, ...rest] = distinct;
  if (only === undefined) throw new RangeError('any of no terms');
  // not needed by precedence, but easier to read
  return rest.length === 0 ? only : distinct.map((term) => grouped(term, ' and ')).join(' or ');
}

/** Matches the requests that match none of the terms. */
export function noneOf(terms: readonly string[]): string {
  return `not (${anyOf(terms)})`;
}

/** Adds parentheses to a term that contains the operator outside parentheses and strings. */
function grouped(term: string, operator: string): string {
  return outsideOf(term).includes(operator) ? `(${term})` : term;
}

/** The text of an expression outside parentheses and strings, with their delimiters. */
function outsideOf(term: string): string {
  const flat = term.replace(/r(#*)"[^]*?"\1|"(?:[^"\\]|\\[^])*"/g, '""');
  let depth = 0;
  let outside = '';
  for (const character of flat) {
    if (character === ')') depth -= 1;
    if (depth === 0) outside += character;
    if (character === '(') depth += 1;
  }
  return outside;
}

/**
 * Trims an expression for comparison. Also removes one pair of enclosing parentheses, unless the expression
 * is too long to save.
 */
export function normaliseExpression(expression: string): string {
  const text = expression.trim();
  return fits(text) && outsideOf(text) === '()' ? text.slice(1, -1).trim() : text;
}
