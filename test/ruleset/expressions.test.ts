import fc from 'fast-check';
import {
  allOf,
  anyOf,
  canonicalExpression,
  fits,
  quote,
  surelyCovers,
} from '../../src/ruleset/expressions';

const sameExpression = (one: string, other: string): boolean =>
  canonicalExpression(one) === canonicalExpression(other);

describe('two expressions mean the same', () => {
  it.each([
    ['ip.src eq 1.2.3.4', ' (ip.src  eq 1.2.3.4) '],
    ['a eq 1 and b eq 2', '(b eq 2) && a eq 1'],
    ['a eq 1 || b eq 2', 'b eq 2 or a eq 1'],
    ['!ssl', 'not ssl'],
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
    ['not (a eq 1 or b eq 2)', 'not a eq 1 and not b eq 2'],
  ])('but not %s and %s', (left, right) => {
    expect(sameExpression(left, right)).toBe(false);
  });

  it.each([
    ['parentheses', '(', ')', 100],
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
const worlds = Array.from({ length: 2 ** ATOMS }, (_, world) => world);

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

it('an expression covers another one only where every world says so', () => {
  let sure = 0;
  fc.assert(
    fc.property(tree, tree, (outer, inner) => {
      if (!surelyCovers(write(outer), write(inner))) return;
      sure += 1;
      for (const world of worlds) {
        if (holds(inner, world)) expect(holds(outer, world)).toBe(true);
      }
    }),
    { numRuns: 3000 },
  );
  expect(sure).toBeGreaterThan(200);
});

it.each([
  ['true', 'a eq 1', true],
  ['a eq 1 or b eq 2', 'a eq 1', true],
  ['a eq 1', 'b eq 2 and a eq 1', true],
  ['a eq 1 and b eq 2', 'c eq 3 and b eq 2 and a eq 1', true],
  ['a eq 1 and b eq 2', 'a eq 1', false],
  ['a eq 1', 'a eq 1 or b eq 2', false],
  ['a eq 1', 'true', false],
  ['a or b xor c', 'a', false],
  ['c eq 3', 'a^^b and c eq 3', false],
])('%s covers %s: %s', (outer, inner, is) => {
  expect(surelyCovers(outer, inner)).toBe(is);
});

describe('text in the rules language', () => {
  it.each([
    ['plain', '"plain"'],
    ['a"b', '"a\\"b"'],
    ['a\\b', '"a\\\\b"'],
  ])('%s is the string %s', (text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });

  it('fits with 4096 bytes, and not with one more', () => {
    expect(fits('a'.repeat(4096))).toBe(true);
    expect(fits('a'.repeat(4097))).toBe(false);
    expect(fits('é'.repeat(2049))).toBe(false);
  });
});

describe('terms', () => {
  it('are joined to all of them, without what is always true', () => {
    expect(allOf([])).toBe('true');
    expect(allOf(['true'])).toBe('true');
    expect(allOf(['true', 'a or b'])).toBe('a or b');
    expect(allOf(['a or b', 'true', 'c'])).toBe('(a or b) and c');
  });

  it('are joined to any of them, each once', () => {
    expect(anyOf(['a and b'])).toBe('a and b');
    expect(anyOf(['a and b', 'c', 'a and b'])).toBe('(a and b) or c');
    expect(anyOf(['a', 'true'])).toBe('true');
    expect(() => anyOf([])).toThrow(new RangeError('any of no terms'));
  });
});
