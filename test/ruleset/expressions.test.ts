import { allOf, anyOf, fits, quote } from '../../src/ruleset/expressions';

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
