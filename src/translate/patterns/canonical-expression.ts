import { readExpression, renderTree } from './expression-tree';

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
