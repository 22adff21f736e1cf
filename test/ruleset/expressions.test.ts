import {
  allOf,
  anyOf,
  fits,
  noneOf,
  normaliseExpression,
  quote,
} from '../../src/ruleset/expressions';

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
    expect(noneOf(['a', 'b'])).toBe('not (a or b)');
    expect(() => anyOf([])).toThrow(new RangeError('any of no terms'));
  });

  it.each([
    ['not (a or b)', 'not (a or b)'],
    ['(a or b) or c', '((a or b) or c)'],
    ['x eq " or "', 'x eq " or "'],
    ['x eq "\\" or "', 'x eq "\\" or "'],
    ['x eq r#"" or "#', 'x eq r#"" or "#'],
    ['x eq r" or \\" or y', '(x eq r" or \\" or y)'],
    ['x eq r" or \\"', 'x eq r" or \\"'],
    ['x eq r##""# or "##', 'x eq r##""# or "##'],
    ['x eq "\\\\" or y eq "a"', '(x eq "\\\\" or y eq "a")'],
    ['((a) or (b))', '((a) or (b))'],
    ['(a) or b', '((a) or b)'],
    ['x eq "\n or "', 'x eq "\n or "'],
    ['x eq r"\n or "', 'x eq r"\n or "'],
  ])('as %j stand beside others as %j', (term, grouped) => {
    expect(allOf([term, 'z'])).toBe(`${grouped} and z`);
  });
});

describe('an expression', () => {
  it.each([
    [' a eq 1 ', 'a eq 1'],
    ['(a eq 1)', 'a eq 1'],
    ['( a eq 1 )', 'a eq 1'],
    ['((a eq 1))', '(a eq 1)'],
    ['(a eq 1) or (b eq 2)', '(a eq 1) or (b eq 2)'],
    ['(a eq 1', '(a eq 1'],
    ['a in (1)', 'a in (1)'],
    ['(a eq ")" or b eq 2)', 'a eq ")" or b eq 2'],
    ['(a eq "(" or b eq 2)', 'a eq "(" or b eq 2'],
    ['(a eq "\\")" or b eq 2)', 'a eq "\\")" or b eq 2'],
    ['(a eq "\\\\") or (b eq 2)', '(a eq "\\\\") or (b eq 2)'],
    ['(lower(a) eq 1 and b in {1 (2)})', 'lower(a) eq 1 and b in {1 (2)}'],
    ['(a eq r"\\") and (b eq "c")', '(a eq r"\\") and (b eq "c")'],
    ['(a eq r#"")("#)', 'a eq r#"")("#'],
    [`(${'a'.repeat(4094)})`, 'a'.repeat(4094)],
    [`(${'a'.repeat(4095)})`, `(${'a'.repeat(4095)})`],
    ['()', ''],
    ['', ''],
  ])('%j compares as %j', (text, compared) => {
    expect(normaliseExpression(text)).toBe(compared);
  });
});
