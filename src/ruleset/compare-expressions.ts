import { ALWAYS, fits } from './expressions';

/** Whether two expressions provably match the same requests, regardless of how they are written. */
export function sameExpression(left: string, right: string): boolean {
  return left === right || canonicalExpression(left) === canonicalExpression(right);
}

/**
 * Normalises an expression: texts that differ only in parentheses, order or repetition become equal. An
 * expression that cannot be parsed is only trimmed.
 */
export function canonicalExpression(expression: string): string {
  return renderTree(readExpression(expression));
}

/** The requests that match `of` and none of `without`. */
export interface Requests {
  readonly of: string;
  readonly without: readonly string[];
}

/**
 * Whether every request that is in all of `inner` is provably in one of `outer`. Without `outer`, whether
 * no request is in all of `inner`. Never wrongly true: compares only the text of comparisons, and does not
 * combine several of `outer`.
 */
export function surelyWithin(inner: readonly Requests[], outer: readonly Requests[]): boolean {
  const known = new Set(
    inner
      .flatMap(({ of, without }) => [
        readExpression(of),
        ...without.map((one) => readExpression(one, true)),
      ])
      .flatMap((tree) => (tree.kind === 'and' ? tree.of : [tree]))
      .map(renderTree),
  );
  const holds = (expression: string, negated = false): boolean =>
    follows(readExpression(expression, negated), known);
  return (
    inner.some(({ of, without }) => holds(of, true) || without.some((one) => holds(one))) ||
    outer.some(({ of, without }) => holds(of) && without.every((one) => holds(one, true)))
  );
}

/** Whether an expression is true for every request that matches all of the known ones. */
function follows(tree: ExpressionTree, known: ReadonlySet<string>): boolean {
  if (known.has(renderTree(tree))) return true;
  if (tree.kind === 'atom') return tree.text === (tree.negated ? 'false' : ALWAYS);
  return tree.kind === 'and'
    ? tree.of.every((part) => follows(part, known))
    : tree.of.some((part) => follows(part, known));
}

/**
 * The logical structure of an expression. Comparisons are atoms, compared only by their text, and only
 * atoms are negated.
 */
type ExpressionTree =
  | { readonly kind: 'atom'; readonly text: string; readonly negated: boolean }
  | { readonly kind: 'and' | 'or'; readonly of: readonly ExpressionTree[] };

const TOKEN = /\s*(r(#*)"[^]*?"\2|"(?:[^"\\]|\\[^])*"|&&|\|\||[^\s(){}",!&|]+|[^\s])/y;

/** The deepest nesting that is parsed, because each level uses the stack. */
const MAX_DEPTH = 100;

/**
 * Parses an expression. Treats `lower(http.host)` as `http.host`, because host names are case-insensitive.
 * An expression that cannot be parsed, nests deeper than {@link MAX_DEPTH} or is too long to save becomes
 * one atom.
 * @param negated whether to parse the opposite of the expression
 */
function readExpression(expression: string, negated = false): ExpressionTree {
  const reader = { tokens: fits(expression) ? tokenise(expression) : [], at: 0, depth: 0 };
  const tree = readOr(reader, negated);
  return tree === undefined || reader.at < reader.tokens.length
    ? { kind: 'atom', text: expression.trim(), negated }
    : tree;
}

/** Returns the same text for trees that differ only in order and repetition. */
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
  /** The number of open negations and parentheses. */
  depth: number;
}

function readOr(reader: Reader, negated: boolean): ExpressionTree | undefined {
  return readChain(reader, ['or', '||'], negated ? 'and' : 'or', () => readAnd(reader, negated));
}

function readAnd(reader: Reader, negated: boolean): ExpressionTree | undefined {
  return readChain(reader, ['and', '&&'], negated ? 'or' : 'and', () => readNot(reader, negated));
}

/** Negating a chain negates its parts and swaps `and` and `or` (De Morgan). */
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
    // keyed by text to remove repetition; a single part can then join the operator around it
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

/** Reads the content of parentheses, after the opening one. */
function readGroup(reader: Reader, negated: boolean): ExpressionTree | undefined {
  const inner = readOr(reader, negated);
  return take(reader, [')']) ? inner : undefined;
}

const ENDS = new Set(['and', 'or', 'xor', '&&', '||', '^^', ')']);

/** Reads a comparison, including the parentheses of its functions. */
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
