import fc from 'fast-check';
import { canonicalExpression, sameExpression } from '../../src/ruleset/expressions';

type Tree = { and: Tree[] } | { or: Tree[] } | { not: Tree } | { atom: number };
const tree = fc.letrec<{ node: Tree }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.record({ atom: fc.nat(4) }),
    fc.record({ and: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('node') }),
  ),
})).node;
const write = (node: Tree): string => {
  if ('atom' in node) return `f${node.atom} eq "and )"`;
  if ('not' in node) return `not (${write(node.not)})`;
  const [word, parts] = 'and' in node ? ['and', node.and] : ['or', node.or];
  return `(${parts.map(write).join(` ${word} `)})`;
};
const holds = (node: Tree, world: number): boolean => {
  if ('atom' in node) return ((world >> node.atom) & 1) === 1;
  if ('not' in node) return !holds(node.not, world);
  return 'and' in node
    ? node.and.every((one) => holds(one, world))
    : node.or.some((one) => holds(one, world));
};
const worlds = Array.from({ length: 32 }, (_, world) => world);

it('expressions of one text hold for the same requests, and canonical text is its own', () => {
  let equal = 0;
  fc.assert(
    fc.property(tree, tree, (left, right) => {
      const canonical = canonicalExpression(write(left));
      expect(canonicalExpression(canonical)).toBe(canonical);
      if (!sameExpression(write(left), write(right))) return;
      equal += 1;
      for (const world of worlds) expect(holds(left, world)).toBe(holds(right, world));
    }),
    { numRuns: 3000 },
  );
  expect(equal).toBeGreaterThan(20);
});
