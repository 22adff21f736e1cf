/**
 * The maximum length of an expression in bytes: 4,096 characters (Cloudflare's reference of the rules
 * language), 4 KB (spec: "Limits").
 */
export const MAX_EXPRESSION = 4096;

/** The expression that matches every request. */
export const ALWAYS = 'true';

export function fits(expression: string): boolean {
  return Buffer.byteLength(expression) <= MAX_EXPRESSION;
}

/** Quotes a string of the rules language, which escapes only `"` and `\`. */
export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

export function allOf(terms: readonly string[]): string {
  const [only = ALWAYS, ...rest] = terms.filter((term) => term !== ALWAYS);
  return rest.length === 0
    ? only
    : [only, ...rest].map((term) => grouped(term, ' or ')).join(' and ');
}

export function anyOf(terms: readonly string[]): string {
  if (terms.includes(ALWAYS)) return ALWAYS;
  const [only, ...rest] = new Set(terms);
  if (only === undefined) throw new RangeError('any of no terms');
  // not needed by precedence, but easier to read
  return rest.length === 0
    ? only
    : [only, ...rest].map((term) => grouped(term, ' and ')).join(' or ');
}

function grouped(term: string, operator: string): string {
  return term.includes(operator) ? `(${term})` : term;
}

/**
 * Normalises an expression: texts that differ only in parentheses, order or repetition become equal. An
 * expression that cannot be parsed is only trimmed.
 */
export function canonicalExpression(expression: string): string {
  return renderTree(readExpression(expression));
}

/**
 * Whether an expression provably matches every request that another one matches. Never wrongly true: compares
 * only the text of comparisons.
 */
export function surelyCovers(outer: string, inner: string): boolean {
  if (outer === ALWAYS || outer === inner) return true;
  const tree = readExpression(inner);
  const known = new Set((tree.kind === 'and' ? tree.of : [tree]).map(renderTree));
  return follows(readExpression(outer), known);
}

/** Whether an expression is true for every request that matches all of the known ones. */
function follows(tree: ExpressionTree, known: ReadonlySet<string>): boolean {
  if (known.has(renderTree(tree))) return true;
  if (tree.kind === 'and') return tree.of.every((part) => follows(part, known));
  if (tree.kind === 'or') return tree.of.some((part) => follows(part, known));
  return tree.kind === 'atom' && tree.text === ALWAYS;
}

/** The logical structure of an expression. Comparisons are atoms, compared only by their text. */
type ExpressionTree =
  | { readonly kind: 'atom'; readonly text: string }
  | { readonly kind: 'not'; readonly of: ExpressionTree }
  | { readonly kind: 'and' | 'or'; readonly of: readonly ExpressionTree[] };

const TOKEN = /\s*(r(#*)"[^]*?"\2|"(?:[^"\\]|\\[^])*"|&&|\|\||\^\^|[^\s(){}",!&|^]+|[^\s])/gy;

/** The deepest nesting that is parsed, because each level uses the stack. */
const MAX_DEPTH = 100;

/**
 * Parses an expression. Treats `lower(http.host)` as `http.host`, because host names are case-insensitive.
 * An expression that cannot be parsed, nests deeper than {@link MAX_DEPTH} or is too long to save becomes
 * one atom.
 */
function readExpression(expression: string): ExpressionTree {
  const text = expression.trim();
  const tokens = fits(expression) ? [...text.matchAll(TOKEN)].map(([, token = '']) => token) : [];
  const reader = { tokens, at: 0, depth: 0 };
  const tree = readChain(reader, 'or');
  return tree === undefined || reader.at < tokens.length ? { kind: 'atom', text } : tree;
}

/** Returns the same text for trees that differ only in order and repetition. */
function renderTree(tree: ExpressionTree): string {
  if (tree.kind === 'atom') return tree.text;
  if (tree.kind === 'not') return `not ${renderTree(tree.of)}`;
  return `(${tree.of.map(renderTree).sort().join(` ${tree.kind} `)})`;
}

interface Reader {
  readonly tokens: readonly string[];
  at: number;
  /** The number of open negations and parentheses. */
  depth: number;
}

const OPERATORS = { or: ['or', '||'], and: ['and', '&&'] } as const;

/** Reads parts that are joined by an operator; `and` binds tighter than `or`. */
function readChain(reader: Reader, kind: 'and' | 'or'): ExpressionTree | undefined {
  const parts = new Map<string, ExpressionTree>();
  do {
    const part = kind === 'or' ? readChain(reader, 'and') : readPart(reader);
    if (part === undefined) return undefined;
    // keyed by text to remove repetition; a single part can then join the operator around it
    for (const one of part.kind === kind ? part.of : [part]) parts.set(renderTree(one), one);
  } while (take(reader, OPERATORS[kind]));
  const [only, ...rest] = parts.values();
  return only !== undefined && rest.length === 0 ? only : { kind, of: [...parts.values()] };
}

function readPart(reader: Reader): ExpressionTree | undefined {
  if (reader.depth > MAX_DEPTH) return undefined;
  reader.depth += 1;
  let tree: ExpressionTree | undefined;
  if (take(reader, ['not', '!'])) {
    const of = readPart(reader);
    tree = of && { kind: 'not', of };
  } else if (take(reader, ['('])) {
    const inner = readChain(reader, 'or');
    tree = take(reader, [')']) ? inner : undefined;
  } else {
    tree = readAtom(reader);
  }
  reader.depth -= 1;
  return tree;
}

const ENDS = new Set(['and', 'or', 'xor', '&&', '||', '^^', ')']);

/** Reads a comparison, including the parentheses of its functions. */
function readAtom(reader: Reader): ExpressionTree | undefined {
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
  return { kind: 'atom', text };
}

function take(reader: Reader, wanted: readonly string[]): boolean {
  if (!wanted.includes(reader.tokens[reader.at] ?? '')) return false;
  reader.at += 1;
  return true;
}
