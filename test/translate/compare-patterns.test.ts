import fc from 'fast-check';
import {
  mayOverlap,
  parseUrlPattern,
  surelyContains,
  type UrlPattern,
  wildcardContains,
  wildcardsOverlap,
} from '../../src/translate/reading/url-pattern';
import { glob } from './support/old-matcher';

const pattern = fc
  .array(fc.constantFrom('a', 'b', '*'), { maxLength: 5 })
  .map((all) => all.join('').replace(/\*+/g, '*'));
/** Every text of two letters up to length 8: two patterns of five characters, each with a star, need no more. */
const texts = Array.from({ length: 9 }, (_, length) =>
  Array.from({ length: 2 ** length }, (_unused, bits) =>
    bits
      .toString(2)
      .padStart(length, '0')
      .slice(0, length)
      .replaceAll('0', 'a')
      .replaceAll('1', 'b'),
  ),
).flat();
const urls = (...all: string[]) =>
  all.map((text) => parseUrlPattern(text, 'override') as UrlPattern);

describe('two wildcard patterns', () => {
  it('overlap exactly when some text matches both', () => {
    fc.assert(
      fc.property(pattern, pattern, (left, right) => {
        const both = texts.some((text) => glob(left, text) && glob(right, text));
        expect(wildcardsOverlap(left, right)).toBe(both);
      }),
      { numRuns: 300 },
    );
  });

  it('are only said to contain each other when every text agrees', () => {
    let contained = 0;
    fc.assert(
      fc.property(pattern, pattern, (outer, inner) => {
        if (!wildcardContains(outer, inner)) return;
        contained += 1;
        expect(texts.every((text) => !glob(inner, text) || glob(outer, text))).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(contained).toBeGreaterThan(20);
  });

  it('overlap where the one begins and the other ends with what is not in the other', () => {
    expect(wildcardsOverlap('aaaa*', '*bbbb')).toBe(true);
    expect(texts).toContain('aaaabbbb');
  });

  it.each([
    ['*', '', true],
    ['*', '*', true],
    ['/a*', '/a/b*', true],
    ['/a/b*', '/a*', false],
    ['*.example.com', 'a.example.com', true],
    ['a*b', 'ab', true],
    ['ab', 'a*b', false],
    ['a*b*c', 'ab*c', true],
  ])('%s contains %s: %s', (outer, inner, wanted) => {
    expect(wildcardContains(outer, inner)).toBe(wanted);
  });

  // 2 to the power of 400 ways to spread the stars: who tries them all does not come to an end
  it('are compared without trying every way to spread their stars', () => {
    const long = `*${'a*'.repeat(400)}`;
    expect(wildcardsOverlap(`${long}b*`, `${long}c*`)).toBe(true);
    expect(wildcardContains(`${long}b`, `${long}c`)).toBe(false);
  });
});

describe('URL patterns', () => {
  it('overlap by host, path and scheme', () => {
    expect(mayOverlap(urls('a.b/x*'), urls('*.b/*y'))).toBe(true);
    expect(mayOverlap(urls('a.b/x*'), urls('c.b/*'))).toBe(false);
    expect(mayOverlap(urls('a.b/x'), urls('a.b/y'))).toBe(false);
    expect(mayOverlap(urls('http://a.b/*'), urls('https://a.b/*'))).toBe(false);
    expect(mayOverlap(urls('http://a.b/*'), urls('http://a.b/*'))).toBe(true);
    expect(mayOverlap(urls('http://a.b/*'), urls('a.b/*'))).toBe(true);
    expect(mayOverlap(urls('a.b/*'), urls('http://a.b/*'))).toBe(true);
    expect(mayOverlap(urls('a.b/x', 'c.d/*'), urls('c.d/z'))).toBe(true);
  });

  it('are contained only as a whole', () => {
    expect(surelyContains(urls('a.b/*'), urls('a.b/x', 'a.b/y*'))).toBe(true);
    expect(surelyContains(urls('a.b/*'), urls('a.b/x', 'c.d/'))).toBe(false);
    expect(surelyContains(urls('https://a.b/*'), urls('a.b/x'))).toBe(false);
    expect(surelyContains(urls('https://a.b/*'), urls('http://a.b/x'))).toBe(false);
    expect(surelyContains(urls('https://a.b/*'), urls('https://a.b/x'))).toBe(true);
    expect(surelyContains(urls('a.b/*'), urls('https://a.b/x'))).toBe(true);
  });
});
