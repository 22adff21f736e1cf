/**
 * The longest expression, in bytes: 4,096 characters (Cloudflare's reference of the rules language),
 * 4 KB (spec: "Limits").
 */
export const MAX_EXPRESSION = 4096;

/** The expression that every request matches. */
export const ALWAYS = 'true';

/** Whether an expression is short enough to be saved. */
export function fits(expression: string): boolean {
  return Buffer.byteLength(expression) <= MAX_EXPRESSION;
}

/** A string of the rules language: `"` and `\` are escaped, nothing else is special. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** All of the terms, which come from this folder; of none, {@link ALWAYS}. */
export function allOf(terms: readonly string[]): string {
  const real = terms.filter((term) => term !== ALWAYS);
  const [only, ...rest] = real;
  if (only === undefined) return ALWAYS;
  // `not` binds tighter than `and`, `and` than `or`
  return rest.length === 0 ? only : real.map((term) => grouped(term, ' or ')).join(' and ');
}

/** At least one of the terms, of which there is one at least. */
export function anyOf(terms: readonly string[]): string {
  if (terms.includes(ALWAYS)) return ALWAYS;
  const distinct = [...new Set(terms)];
  const [only, ...rest] = distinct;
  if (only === undefined) throw new RangeError('any of no terms');
  // not needed by precedence, but easier to read
  return rest.length === 0 ? only : distinct.map((term) => grouped(term, ' and ')).join(' or ');
}

/** None of the terms. */
export function noneOf(terms: readonly string[]): string {
  return `not (${anyOf(terms)})`;
}

/** A term in parentheses if it has the operator outside of its own. */
function grouped(term: string, operator: string): string {
  return outsideOf(term).includes(operator) ? `(${term})` : term;
}

/** What of an expression is neither in parentheses nor in a string: of those, their ends alone. */
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
 * Expressions compare without the space around them, and without one pair of parentheses where they are
 * no longer than what can be saved.
 */
export function normaliseExpression(expression: string): string {
  const text = expression.trim();
  return fits(text) && outsideOf(text) === '()' ? text.slice(1, -1).trim() : text;
}
