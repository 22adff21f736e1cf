import fc from 'fast-check';
import {
  canonicalExpression,
  sameExpression,
  surelyWithin,
} from '../../src/ruleset/compare-expressions';

describe('two expressions mean the same', () => {
  it.each([
    ['ip.src eq 1.2.3.4', ' (ip.src  eq 1.2.3.4) '],
    ['a eq 1 and b eq 2', '(b eq 2) && a eq 1'],
    ['not (a eq 1 or b eq 2)', 'not a eq 1 and not b eq 2'],
    ['a eq 1 || b eq 2', 'b eq 2 or a eq 1'],
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
    ['a != 1 and b eq 2', 'b eq 2 and a  != 1'],
    ['a eq "\\\\" and b eq "c"', 'b eq "c" and a eq "\\\\"'],
    [' a eq 1)', 'a eq 1) '],
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
    ['a eq 1  xor b eq 2', 'a eq 1 xor b eq 2'],
    ['a eq 1  ^^ b eq 2', 'a eq 1 ^^ b eq 2'],
    ['(a eq 1', 'a eq 1'],
    ['a eq 1) or b eq 2', 'a eq 1'],
    ['a eq 1 and', 'and a eq 1'],
    ['a eq r"b and c"', 'a eq r "b and c"'],
    ['a eq "x\\"  y"', 'a eq "x\\" y"'],
    ['', 'true'],
  ])('but not %s and %s', (left, right) => {
    expect(sameExpression(left, right)).toBe(false);
  });

  it.each([
    ['parentheses', '(', ')', 100],
    ['negated parentheses', 'not (', ')', 50],
    ['negations', 'not ', '', 100],
    ['parts', '(ssl and ', ')', 100],
  ])('and %s are read to a depth, beyond which nothing is taken apart', (_, open, close, most) => {
    const deep = (depth: number) => `${open.repeat(depth)}ssl${close.repeat(depth)}`;
    expect(sameExpression(deep(most), 'ssl')).toBe(true);
    for (const depth of [most + 1, 400, 1000, 100_000]) {
      expect(sameExpression(deep(depth), 'ssl')).toBe(false);
    }
  });

  it('and are read as far as they can be saved, in time that grows with their length', () => {
    const padded = (length: number) => `${'ssl and '.repeat(500)}${' '.repeat(length - 4003)}ssl`;
    expect(padded(4096)).toHaveLength(4096);
    expect(sameExpression(padded(4096), 'ssl')).toBe(true);
    expect(sameExpression(padded(4097), 'ssl')).toBe(false);
    expect(sameExpression('r#"'.repeat(200_000), '"\\'.repeat(300_000))).toBe(false);
  });
});

type Tree = { and: Tree[] } | { or: Tree[] } | { not: Tree } | { atom: number } | { is: boolean };
const ATOMS = 4;
const tree = fc.letrec<{ node: Tree }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.record({ atom: fc.nat(ATOMS - 1) }),
    fc.record({ is: fc.boolean() }),
    fc.record({ and: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('node') }),
  ),
})).node;
const write = (node: Tree): string => {
  if ('atom' in node) return `f${node.atom} eq 1`;
  if ('is' in node) return String(node.is);
  if ('not' in node) return `not (${write(node.not)})`;
  const [word, parts] = 'and' in node ? ['and', node.and] : ['or', node.or];
  return `(${parts.map(write).join(` ${word} `)})`;
};
const holds = (node: Tree, world: number): boolean => {
  if ('atom' in node) return ((world >> node.atom) & 1) === 1;
  if ('is' in node) return node.is;
  if ('not' in node) return !holds(node.not, world);
  return 'and' in node
    ? node.and.every((one) => holds(one, world))
    : node.or.some((one) => holds(one, world));
};
const requests = fc.record({ of: tree, without: fc.array(tree, { maxLength: 2 }) });
type Drawn = { of: Tree; without: Tree[] };
const written = ({ of, without }: Drawn) => ({ of: write(of), without: without.map(write) });
const matches = ({ of, without }: Drawn, world: number) =>
  holds(of, world) && !without.some((one) => holds(one, world));
const worlds = Array.from({ length: 2 ** ATOMS }, (_, world) => world);
const of = (expression: string) => ({ of: expression, without: [] });

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

it('requests are within others only where every world says so', () => {
  let sure = 0;
  const some = fc.array(requests, { maxLength: 3 });
  fc.assert(
    fc.property(some, some, (inner, outer) => {
      if (!surelyWithin(inner.map(written), outer.map(written))) return;
      sure += 1;
      for (const world of worlds) {
        if (inner.every((one) => matches(one, world))) {
          expect(outer.some((one) => matches(one, world))).toBe(true);
        }
      }
    }),
    { numRuns: 2000 },
  );
  expect(sure).toBeGreaterThan(200);
});

it('an expression of 125 alternatives is within itself', () => {
  const alternatives = Array.from({ length: 125 }, (_, at) => `(a${at} eq 1 and b${at} eq 1)`);
  const anyOf = (some: readonly string[]) => [of(some.join(' or '))];
  const whole = anyOf(alternatives);
  expect(surelyWithin(whole, whole)).toBe(true);
  expect(surelyWithin(whole, anyOf(alternatives.slice(1)))).toBe(false);
  const shuffled = fc.shuffledSubarray(alternatives, { minLength: alternatives.length });
  fc.assert(
    fc.property(shuffled, (other) => surelyWithin(whole, anyOf(other))),
    { numRuns: 5 },
  );
});

it('comparisons that cannot be taken apart are not mistaken for others', () => {
  expect(surelyWithin([of('a or b xor c')], [of('a'), of('b xor c')])).toBe(false);
});

it('what is tangled, and for one host, is within the host', () => {
  const three = (at: number) => [at, at * 7 + 3, at * 11 + 5].map((one) => `a${one % 40} eq 1`);
  const tangled = Array.from({ length: 40 }, (_, at) => `(${three(at).join(' or ')})`);
  const host = { of: 'http.host eq "a.com"', without: [] };
  const both = { of: `${tangled.join(' and ')} and ${host.of}`, without: [] };
  expect(surelyWithin([both], [host])).toBe(true);
});
