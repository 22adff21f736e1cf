import { fits } from './expressions';

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

/** Limit of formulas for one proof: real rulesets need a few hundred. */
const MAX_TRIED = 500;

/**
 * Whether every request that is in all of `inner` is provably in one of `outer`. Without `outer`, whether
 * no request is in all of `inner`. Never wrongly true: comparisons count as independent, so it does not use
 * that a request has only one host. Returns false if the proof needs too many steps.
 */
export function surelyWithin(inner: readonly Requests[], outer: readonly Requests[]): boolean {
  const formula: ExpressionTree = {
    kind: 'or',
    of: [
      ...inner.flatMap(({ of, without }) => [
        readExpression(of, true),
        ...without.map((one) => readExpression(one)),
      ]),
      ...outer.map(({ of, without }): ExpressionTree => ({
        kind: 'and',
        of: [readExpression(of), ...without.map((one) => readExpression(one, true))],
      })),
    ],
  };
  return alwaysHolds(assign(assign(formula, 'true', true), 'false', false), new Map());
}

type Settled = ExpressionTree | boolean;

/**
 * Whether a formula is true for every value of its comparisons.
 * @param known results of the formulas tried so far, because the halves of a split soon repeat
 */
function alwaysHolds(tree: Settled, known: Map<string, boolean>): boolean {
  if (typeof tree === 'boolean') return tree;
  if (tree.kind === 'atom') return false;
  if (tree.kind === 'and') return tree.of.every((part) => alwaysHolds(part, known));
  const alone = tree.of.find((part) => part.kind === 'atom');
  // the formula is true whenever this atom is, so only the case where the atom is false remains
  if (alone !== undefined) return alwaysHolds(assign(tree, alone.text, alone.negated), known);
  const key = JSON.stringify(tree);
  const before = known.get(key);
  if (before !== undefined || known.size > MAX_TRIED) return before === true;
  known.set(key, false);
  const text = firstAtom(tree);
  const holds = [true, false].every((value) => alwaysHolds(assign(tree, text, value), known));
  known.set(key, holds);
  return holds;
}

function firstAtom(tree: ExpressionTree): string {
  if (tree.kind === 'atom') return tree.text;
  const [first] = tree.of;
  return first === undefined ? '' : firstAtom(first);
}

/** Replaces one comparison of a formula with its value. */
function assign(tree: Settled, text: string, value: boolean): Settled {
  if (typeof tree === 'boolean') return tree;
  if (tree.kind === 'atom') return tree.text === text ? value !== tree.negated : tree;
  const decisive = tree.kind === 'or';
  const open: ExpressionTree[] = [];
  for (const part of tree.of) {
    const settled = assign(part, text, value);
    if (settled === decisive) return decisive;
    if (typeof settled === 'boolean') continue;
    if (settled.kind === tree.kind) open.push(...settled.of);
    else open.push(settled);
  }
  const [only, ...rest] = open;
  if (only === undefined) return !decisive;
  return rest.length === 0 ? only : { kind: tree.kind, of: open };
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
