import { type ExpressionTree, readExpression } from './expression-tree';

/** The requests that an expression matches, less those that others match. */
export interface Requests {
  readonly of: string;
  readonly without: readonly string[];
}

/**
 * The most parts of expressions that are looked at for one answer. Whether a formula always holds
 * takes exponential time at worst; the rulesets that were seen take a few hundred.
 */
const MAX_WORK = 200_000;

/**
 * Whether every request that is in all of `inner` is surely in one of `outer`; with no `outer`, whether
 * there surely is no such request. Never wrongly true: comparisons count as independent of each other
 * (that no request has two hosts is not known here), and what would take too long is not sure.
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
  const work = { left: MAX_WORK, known: new Map<string, boolean>() };
  return alwaysHolds(assign(assign(formula, 'true', true, work), 'false', false, work), work);
}

type Settled = ExpressionTree | boolean;
interface Work {
  left: number;
  /** What was found of formulas before: the halves of a split soon become the same again. */
  readonly known: Map<string, boolean>;
}

/** Whether a formula holds whatever its atoms are. */
function alwaysHolds(start: Settled, work: Work): boolean {
  let tree = start;
  for (;;) {
    if (typeof tree === 'boolean') return tree;
    if (tree.kind === 'atom' || work.left <= 0) return false;
    if (tree.kind === 'and') return tree.of.every((part) => alwaysHolds(part, work));
    const lone = tree.of.find((part) => part.kind === 'atom');
    if (lone === undefined) break;
    // where it holds, so does the whole; what is left is where it does not
    tree = assign(tree, lone.text, lone.negated, work);
  }
  // all of it, and not as an expression: the text of an atom may look like several
  const key = JSON.stringify(tree);
  const before = work.known.get(key);
  if (before !== undefined) return before;
  const text = firstAtom(tree);
  const either = [assign(tree, text, true, work), assign(tree, text, false, work)];
  const holds = either.every((half) => alwaysHolds(half, work));
  work.known.set(key, holds);
  return holds;
}

function firstAtom(tree: ExpressionTree): string {
  let [part]: readonly (ExpressionTree | undefined)[] = [tree];
  while (part !== undefined && part.kind !== 'atom') [part] = part.of;
  return part?.text ?? '';
}

/** A formula with one of its atoms known. */
function assign(tree: Settled, text: string, value: boolean, work: Work): Settled {
  work.left -= 1;
  if (typeof tree === 'boolean') return tree;
  if (tree.kind === 'atom') return tree.text === text ? value !== tree.negated : tree;
  const decisive = tree.kind === 'or';
  const open: ExpressionTree[] = [];
  for (const part of tree.of) {
    const settled = assign(part, text, value, work);
    if (settled === decisive) return decisive;
    if (typeof settled !== 'boolean') open.push(settled);
  }
  const [only, ...rest] = open;
  if (only === undefined) return !decisive;
  return rest.length === 0 ? only : { kind: tree.kind, of: open };
}
