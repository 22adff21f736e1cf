import fc from 'fast-check';
import { surelyWithin } from '../../src/ruleset/compare-requests';

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

it('requests are within others exactly where every world says so', () => {
  const seen = { yes: 0, no: 0 };
  const some = fc.array(requests, { maxLength: 3 });
  fc.assert(
    fc.property(some, some, (inner, outer) => {
      const expected = worlds.every(
        (world) =>
          !inner.every((one) => matches(one, world)) || outer.some((one) => matches(one, world)),
      );
      seen[expected ? 'yes' : 'no'] += 1;
      expect(surelyWithin(inner.map(written), outer.map(written))).toBe(expected);
    }),
    { numRuns: 2000 },
  );
  expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(200);
});

it('an expression of 125 alternatives is within itself', () => {
  const alternatives = Array.from({ length: 125 }, (_, at) => `(a${at} eq 1 and b${at} eq 1)`);
  const of = (some: readonly string[]) => [{ of: some.join(' or '), without: [] }];
  const whole = of(alternatives);
  expect(surelyWithin(whole, whole)).toBe(true);
  expect(surelyWithin(whole, of(alternatives.slice(1)))).toBe(false);
  const shuffled = fc.shuffledSubarray(alternatives, { minLength: alternatives.length });
  fc.assert(
    fc.property(shuffled, (other) => surelyWithin(whole, of(other))),
    { numRuns: 5 },
  );
});

it('comparisons that cannot be taken apart are not mistaken for others', () => {
  const of = (expression: string) => ({ of: expression, without: [] });
  expect(surelyWithin([of('a or b xor c')], [of('a'), of('b xor c')])).toBe(false);
});

it('a word that holds of each of several things apart is for all requests', () => {
  const of = (expression: string) => ({ of: expression, without: [] });
  expect(surelyWithin([of('true')], [of('(a or not a) and (b or not b)')])).toBe(true);
});

it('what is tangled, and for one host, is within the host', () => {
  const three = (at: number) => [at, at * 7 + 3, at * 11 + 5].map((one) => `a${one % 40} eq 1`);
  const tangled = Array.from({ length: 40 }, (_, at) => `(${three(at).join(' or ')})`);
  const host = { of: 'http.host eq "a.com"', without: [] };
  const both = { of: `${tangled.join(' and ')} and ${host.of}`, without: [] };
  expect(surelyWithin([both], [host])).toBe(true);
});

it('what would take too long is not sure', () => {
  const range = (length: number) => Array.from({ length }, (_, at) => at);
  const at = (pigeon: number, hole: number) => `${'abcdefgh'[pigeon]!}${hole}`;
  // eight pigeons do not fit into seven holes, which takes exponential time to see
  const placed = range(8).map(
    (one) =>
      `(${range(7)
        .map((hole) => at(one, hole))
        .join(' or ')})`,
  );
  const apart = range(8).flatMap((one) =>
    range(one).flatMap((other) =>
      range(7).map((hole) => `not (${at(one, hole)} and ${at(other, hole)})`),
    ),
  );
  const of = (expression: string) => ({ of: expression, without: [] });
  const some = [placed, apart.slice(0, 98), apart.slice(98)].map((all) => of(all.join(' and ')));
  expect(surelyWithin(some, [])).toBe(false);
});
