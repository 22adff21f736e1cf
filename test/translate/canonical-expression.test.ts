import fc from 'fast-check';
import {
  canonicalExpression,
  sameExpression,
} from '../../src/translate/patterns/canonical-expression';

describe('two expressions mean the same', () => {
  it.each([
    ['ip.src eq 1.2.3.4', ' (ip.src  eq 1.2.3.4) '],
    ['a eq 1 and b eq 2', '(b eq 2) && a eq 1'],
    ['not (a eq 1 or b eq 2)', 'not a eq 1 and not b eq 2'],
    ['!ssl', 'not ssl'],
    ['not not ssl', 'ssl'],
    ['a eq 1 or (b eq 2 or c eq 3)', 'c eq 3 or b eq 2 or a eq 1 or a eq 1'],
    ['((a eq 1 or b eq 2) and (b eq 2 or a eq 1)) or c eq 3', 'a eq 1 or b eq 2 or c eq 3'],
    ['lower(http.host) eq "a"', 'http.host eq "a"'],
    ['ends_with(lower(http.host), "a")', 'ends_with(http.host,"a")'],
    [
      'starts_with(http.request.uri.path, "/a (b) and c")',
      'starts_with( http.request.uri.path,"/a (b) and c" )',
    ],
    ['ip.src in {192.0.2.0/24 198.51.100.1}', '(ip.src in {192.0.2.0/24  198.51.100.1})'],
  ])('%s, and %s', (left, right) => {
    expect(sameExpression(left, right)).toBe(true);
  });

  it.each([
    ['a eq 1 and b eq 2', 'a eq 1 or b eq 2'],
    ['a eq 1 and b eq 2 or c eq 3', 'a eq 1 and (b eq 2 or c eq 3)'],
    ['a eq "x  y"', 'a eq "x y"'],
    ['a eq "X"', 'a eq "x"'],
    ['a wildcard "x*y"', 'a strict wildcard "x*y"'],
    ['lower(http.request.uri.path) eq "/a"', 'http.request.uri.path eq "/a"'],
    ['a eq r#"b and c"#', 'a eq "b" and c'],
    ['a eq 1 xor b eq 2', 'b eq 2 xor a eq 1'],
    ['(a eq 1', 'a eq 1'],
    ['', 'true'],
  ])('but not %s and %s', (left, right) => {
    expect(sameExpression(left, right)).toBe(false);
  });
});

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
