import { type ExpressionTree, readExpression } from './expressions';

/** The requests that an expression matches, less those that others match. */
export interface Requests {
  readonly of: string;
  readonly without: readonly string[];
}

/** The most formulas that are tried for one answer: real rulesets need a few hundred. */
const MAX_TRIED = 500;

/**
 * Whether every request that is in all of `inner` is surely in one of `outer`; with no `outer`, whether
 * there surely is no such request. Never wrongly true: comparisons count as independent of each other
 * (that no request has two hosts is not known here), and what is too entangled is not sure.
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
 * Whether a formula holds whatever its comparisons are.
 *
 * @param known the formulas that were tried: the halves of a split soon become the same again
 */
function alwaysHolds(tree: Settled, known: Map<string, boolean>): boolean {
  if (typeof tree === 'boolean') return tree;
  if (tree.kind === 'atom') return false;
  if (tree.kind === 'and') return tree.of.every((part) => alwaysHolds(part, known));
  const alone = tree.of.find((part) => part.kind === 'atom');
  // where it holds, so does the whole: what is left is where it does not
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

/** A formula with one of its comparisons known. */
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
