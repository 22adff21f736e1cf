import { sameExpression } from '../../src/ruleset/expressions';

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
