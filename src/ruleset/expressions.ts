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
  // `not` binds tighter than `and`, `and` than `or`
  return rest.length === 0 ? only : real.map((term) => grouped(term, ' or ')).join(' and ');
}

/** At least one of the terms, of which there is one at least. */
export function anyOf(terms: readonly string[]): string {
  if (terms.includes(ALWAYS)) return ALWAYS;
  const distinct = [...new Set(terms)];
  const [only, ...rest] = distinct;
  if (only === undefined) throw new RangeError('any of no terms');
  // not needed, but nobody should have to know
  return rest.length === 0 ? only : distinct.map((term) => grouped(term, ' and ')).join(' or ');
}

/** None of the terms. */
export function noneOf(terms: readonly string[]): string {
  return `not (${anyOf(terms)})`;
}

/** A term in parentheses if an operator stands outside of its own. */
function grouped(term: string, operator: string): string {
  return outsideOf(term).includes(operator) ? `(${term})` : term;
}

/** What of an expression is neither in parentheses nor in a string: of those, their ends alone. */
export function outsideOf(term: string): string {
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
 * An expression as far as its logic goes: comparisons are atoms, told apart by their text alone.
 * Negations stand at the atoms.
 */
export type ExpressionTree =
  | { readonly kind: 'atom'; readonly text: string; readonly negated: boolean }
  | { readonly kind: 'and' | 'or'; readonly of: readonly ExpressionTree[] };

const TOKEN = /\s*(r(#*)"[^]*?"\2|"(?:[^"\\]|\\[^])*"|&&|\|\||[^\s(){}",!&|]+|[^\s])/y;

/** The deepest nesting that is taken apart: each level takes some of the stack, and nobody writes more. */
const MAX_DEPTH = 100;

/**
 * Takes an expression apart. Of the comparisons only the case of a host is taken to be the same,
 * because hosts have none. What cannot be taken apart is one atom, and so is what nests deeper than
 * {@link MAX_DEPTH} or is longer than any expression that can be saved.
 *
 * @param negated whether what is asked for is the opposite of the expression
 */
export function readExpression(expression: string, negated = false): ExpressionTree {
  const reader = { tokens: fits(expression) ? tokenise(expression) : [], at: 0, depth: 0 };
  const tree = readOr(reader, negated);
  return tree === undefined || reader.at < reader.tokens.length
    ? { kind: 'atom', text: expression.trim(), negated }
    : tree;
}

/** One text for trees that differ in order and repetition alone. */
function renderTree(tree: ExpressionTree): string {
  if (tree.kind === 'atom') return tree.negated ? `not ${tree.text}` : tree.text;
  return `(${tree.of.map(renderTree).sort().join(` ${tree.kind} `)})`;
}

function tokenise(expression: string): string[] {
  return [...expression.trim().matchAll(new RegExp(TOKEN, 'gy'))].map(([, token = '']) => token);
}

interface Reader {
  readonly tokens: readonly string[];
  at: number;
  /** How many negations and parentheses are open. */
  depth: number;
}

function readOr(reader: Reader, negated: boolean): ExpressionTree | undefined {
  return readChain(reader, ['or', '||'], negated ? 'and' : 'or', () => readAnd(reader, negated));
}

function readAnd(reader: Reader, negated: boolean): ExpressionTree | undefined {
  return readChain(reader, ['and', '&&'], negated ? 'or' : 'and', () => readNot(reader, negated));
}

/** What is negated as a whole is negated in its parts, and `and` becomes `or` (De Morgan). */
function readChain(
  reader: Reader,
  operators: readonly string[],
  kind: 'and' | 'or',
  next: () => ExpressionTree | undefined,
): ExpressionTree | undefined {
  const parts = new Map<string, ExpressionTree>();
  do {
    const part = next();
    if (part === undefined) return undefined;
    // by their text, so that what is said twice is one, and may then be part of what is around it
    for (const one of part.kind === kind ? part.of : [part]) parts.set(renderTree(one), one);
  } while (take(reader, operators));
  const [only, ...rest] = parts.values();
  return only !== undefined && rest.length === 0 ? only : { kind, of: [...parts.values()] };
}

function readNot(reader: Reader, negated: boolean): ExpressionTree | undefined {
  if (reader.depth > MAX_DEPTH) return undefined;
  reader.depth += 1;
  const tree = take(reader, ['not', '!'])
    ? readNot(reader, !negated)
    : take(reader, ['('])
      ? readGroup(reader, negated)
      : readAtom(reader, negated);
  reader.depth -= 1;
  return tree;
}

/** What stands in parentheses, of which the first is behind us. */
function readGroup(reader: Reader, negated: boolean): ExpressionTree | undefined {
  const inner = readOr(reader, negated);
  return take(reader, [')']) ? inner : undefined;
}

const ENDS = new Set(['and', 'or', 'xor', '&&', '||', '^^', ')']);

/** A comparison, with the parentheses of the functions in it. */
function readAtom(reader: Reader, negated: boolean): ExpressionTree | undefined {
  const parts: string[] = [];
  let depth = 0;
  for (; reader.at < reader.tokens.length; reader.at += 1) {
    const token = reader.tokens[reader.at] ?? '';
    if (depth === 0 && ENDS.has(token)) break;
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    parts.push(token);
  }
  if (parts.length === 0) return undefined;
  const text = parts.join(' ').replaceAll('lower ( http.host )', 'http.host');
  return { kind: 'atom', text, negated };
}

function take(reader: Reader, wanted: readonly string[]): boolean {
  if (!wanted.includes(reader.tokens[reader.at] ?? '')) return false;
  reader.at += 1;
  return true;
}

/** Whether two expressions surely mean the same, however they are written. */
export function sameExpression(left: string, right: string): boolean {
  return left === right || canonicalExpression(left) === canonicalExpression(right);
}

/**
 * One text for expressions that mean the same by the laws of `and`, `or` and `not`: parentheses, order
 * and repetition do not count. What cannot be taken apart stays as it is.
 */
export function canonicalExpression(expression: string): string {
  return renderTree(readExpression(expression));
}
