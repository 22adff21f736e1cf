import fc from 'fast-check';
import { parseExpression } from '../../src/emulator/expression/parse';
import { MAX_EXPRESSION, quote } from '../../src/ruleset/expressions';
import {
  parseUrlPattern,
  patternContains,
  type PatternKind,
  patternsExpression,
  patternsOverlap,
} from '../../src/translate/reading/url-pattern';
import { anyCharacter } from '../support/any-character';
import { expressionMatches } from './support/expression-model';
import { glob, type ModelRequest, oldMatches } from './support/old-matcher';
import { parsed, request } from './support/url-patterns';

const NO_SLASH = 'ends with the host, and every path has a slash';
const NO_HOST = 'has no host';
const CODES = 'holds characters that a request has percent-encoded';
const SPACE = 'holds a space or control character';
const STRANGE = 'has a host that is none';
const SCHEME = 'has a scheme other than http and https';

describe('a legacy URL pattern', () => {
  it.each<[string, PatternKind, string | undefined, string, string]>([
    ['example.com/shop/*', 'override', undefined, 'example.com', '/shop/*'],
    ['EXAMPLE.com/Shop', 'override', undefined, 'example.com', '/Shop'],
    ['http://a.b/*', 'override', 'http', 'a.b', '/*'],
    ['HTTPS://a.b/*', 'override', 'https', 'a.b', '/*'],
    ['*://a.b/*', 'override', undefined, 'a.b', '/*'],
    ['http*://a.b/*', 'override', undefined, 'a.b', '/*'],
    ['a.b/http://c.d/*', 'override', undefined, 'a.b', '/http://c.d/*'],
    ['a.b*', 'override', undefined, 'a.b*', '/*'],
    ['*', 'override', undefined, '*', '/*'],
    ['**a**b**/**c**', 'override', undefined, '*a*b*', '/*c*'],
    ['a-b_c.9/', 'override', undefined, 'a-b_c.9', '/'],
    ['a.b', 'page-rule', undefined, 'a.b', '/'],
    ['a.b*', 'page-rule', undefined, 'a.b*', '/*'],
    ['a.b/x?y=*', 'page-rule', undefined, 'a.b', '/x?y=*'],
    ['a.b/!~', 'page-rule', undefined, 'a.b', '/!~'],
  ])('%j of kind %s is of scheme %s, host %s and path %s', (text, kind, scheme, host, path) => {
    expect(parseUrlPattern(text, kind)).toEqual({ kind, text, scheme, host, path });
  });

  it.each<[string, PatternKind, 'impossible' | 'unsupported', string]>([
    ['', 'override', 'impossible', NO_HOST],
    ['/path', 'override', 'impossible', NO_HOST],
    ['https://', 'override', 'impossible', NO_HOST],
    ['example.com', 'override', 'impossible', NO_SLASH],
    ['*example.com', 'override', 'impossible', NO_SLASH],
    ['example.com/a b', 'override', 'impossible', SPACE],
    ['example.com/a\nb', 'override', 'impossible', SPACE],
    ['example.com/\u0000', 'override', 'impossible', SPACE],
    ['example.com/\u007f', 'page-rule', 'impossible', SPACE],
    [
      'example.com/a#b',
      'override',
      'impossible',
      'holds a fragment, which is not sent in a request',
    ],
    ['user@example.com/', 'override', 'impossible', STRANGE],
    ['a.b{/', 'override', 'impossible', STRANGE],
    ['{a.b/', 'override', 'impossible', STRANGE],
    ['ftp://example.com/*', 'override', 'impossible', SCHEME],
    ['://example.com/*', 'override', 'impossible', SCHEME],
    ['httpx://example.com/*', 'override', 'impossible', SCHEME],
    ['example.com:8443/*', 'override', 'unsupported', 'names a port'],
    [
      'example.com/a?b=c',
      'override',
      'unsupported',
      'holds a query string, and whether it was looked at is not documented',
    ],
    ['example.com/café', 'override', 'unsupported', CODES],
    ['exämple.com/', 'override', 'unsupported', CODES],
    ['example.com/\u0080', 'page-rule', 'unsupported', CODES],
    ['example.com/a|b', 'page-rule', 'unsupported', 'holds alternatives (|)'],
    ['example.com/(a|b)/*', 'override', 'unsupported', 'holds alternatives (|)'],
    ['a.com/x|b.com/y', 'override', 'unsupported', 'holds alternatives (|)'],
    [`a.b/${'a'.repeat(997)}`, 'override', 'unsupported', 'is longer than 1000 characters'],
  ])('%j of kind %s is %s: it %s', (text, kind, problem, why) => {
    expect(parseUrlPattern(text, kind)).toEqual({ problem, why });
  });

  it('may have a thousand characters', () => {
    expect(parseUrlPattern(`a.b/${'a'.repeat(996)}`, 'override')).toMatchObject({ host: 'a.b' });
  });
});

const expression = (text: string, kind?: PatternKind) => patternsExpression([parsed(text, kind)]);
describe('an expression for legacy URL patterns', () => {
  it.each<[string, string, PatternKind]>([
    [
      'example.com/shop/*',
      'lower(http.host) eq "example.com" and starts_with(http.request.uri.path, "/shop/")',
      'override',
    ],
    [
      '*.example.com/api',
      'ends_with(lower(http.host), ".example.com") and http.request.uri.path eq "/api"',
      'override',
    ],
    ['example.com/*', 'lower(http.host) eq "example.com"', 'override'],
    ['example.com*', 'starts_with(lower(http.host), "example.com")', 'override'],
    ['*/wp-*.php', 'http.request.uri.path strict wildcard "/wp-*.php"', 'override'],
    ['*/*admin*', 'http.request.uri.path strict wildcard "/*admin*"', 'override'],
    ['*shop*/a', 'lower(http.host) contains "shop" and http.request.uri.path eq "/a"', 'override'],
    [
      '*shop*.uk/',
      'lower(http.host) strict wildcard "*shop*.uk" and http.request.uri.path eq "/"',
      'override',
    ],
    [
      '*a*b*/',
      'lower(http.host) strict wildcard "*a*b*" and http.request.uri.path eq "/"',
      'override',
    ],
    ['*', 'true', 'override'],
    ['*/*', 'true', 'override'],
    ['https://*/', 'ssl and http.request.uri.path eq "/"', 'override'],
    [
      'http://a.b/',
      'not ssl and lower(http.host) eq "a.b" and http.request.uri.path eq "/"',
      'override',
    ],
    [
      'a.b/x?y=*',
      'lower(http.host) eq "a.b" and starts_with(http.request.uri, "/x?y=")',
      'page-rule',
    ],
    ['a.b', 'lower(http.host) eq "a.b" and http.request.uri eq "/"', 'page-rule'],
  ])('is plain for %s', (text, wanted, kind) => {
    expect(expression(text, kind)).toBe(wanted);
  });

  it('joins several patterns', () => {
    expect(patternsExpression([parsed('a.b/*'), parsed('c.d/x')])).toBe(
      'lower(http.host) eq "a.b" or (lower(http.host) eq "c.d" and http.request.uri.path eq "/x")',
    );
    expect(patternsExpression([parsed('a.b/*'), parsed('*')])).toBe('true');
  });

  it('does not take a text for one that only begins and ends like the pattern', () => {
    const text = expression('a.b/ab*ba');
    expect(expressionMatches(text, request('https://a.b/aba'))).toBe(false);
    expect(expressionMatches(text, request('https://a.b/abba'))).toBe(true);
  });

  it('does not let a star of the host run over the slash', () => {
    const text = expression('*.example.com/api');
    expect(expressionMatches(text, request('https://evil.com/x.example.com/api'))).toBe(false);
    expect(expressionMatches(text, request('https://www.EXAMPLE.com/api?x=1'))).toBe(true);
  });

  it('keeps quotes and backslashes as characters of the path', () => {
    for (const path of ['/a"b', '/a\\b', '/a\\"b', '/\\']) {
      for (const pattern of [path, `${path}*`, `/*${path.slice(1)}`, `${path}*x*y`]) {
        const one = { ...request('https://a.b/'), path: pattern.replaceAll('*', '') };
        expect(expressionMatches(expression(`a.b${pattern}`), one)).toBe(true);
        expect(expressionMatches(expression(`a.b${pattern}`), { ...one, path: '/z' })).toBe(false);
      }
    }
  });
});

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

const overlap = (one: string, other: string) => patternsOverlap(parsed(one), parsed(other));
const contains = (outer: string, inner: string) => patternContains(parsed(outer), parsed(inner));

describe('two legacy URL patterns', () => {
  it('overlap exactly when some path matches both', () => {
    fc.assert(
      fc.property(pattern, pattern, (left, right) => {
        const both = texts.some((text) => glob(left, text) && glob(right, text));
        expect(overlap(`a.b/${left}`, `a.b/${right}`)).toBe(both);
      }),
      { numRuns: 300 },
    );
  });

  it('are only said to contain each other when every path agrees', () => {
    let contained = 0;
    fc.assert(
      fc.property(pattern, pattern, (outer, inner) => {
        if (!contains(`a.b/${outer}`, `a.b/${inner}`)) return;
        contained += 1;
        expect(texts.every((text) => !glob(inner, text) || glob(outer, text))).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(contained).toBeGreaterThan(20);
  });

  it.each([
    ['a.b/*', 'a.b/', true],
    ['a.b/*', 'a.b/*', true],
    ['a.b/a*', 'a.b/a/b*', true],
    ['a.b/a/b*', 'a.b/a*', false],
    ['*.example.com/*', 'a.example.com/x', true],
    ['a*b/', 'ab/', true],
    ['ab/', 'a*b/', false],
    ['a.b/a*b*c', 'a.b/ab*c', true],
    ['https://a.b/*', 'a.b/x', false],
    ['https://a.b/*', 'http://a.b/x', false],
    ['https://a.b/*', 'https://a.b/x', true],
    ['a.b/*', 'https://a.b/x', true],
  ])('%s contains %s: %s', (outer, inner, wanted) => {
    expect(contains(outer, inner)).toBe(wanted);
  });

  it.each([
    ['a.b/x*', '*.b/*y', true],
    ['a.b/aaaa*', 'a.b/*bbbb', true],
    ['a.b/x*', 'c.b/*', false],
    ['a.b/x', 'a.b/y', false],
    ['http://a.b/*', 'https://a.b/*', false],
    ['http://a.b/*', 'http://a.b/*', true],
    ['http://a.b/*', 'a.b/*', true],
    ['a.b/*', 'http://a.b/*', true],
  ])('%s and %s overlap: %s', (one, other, wanted) => {
    expect(overlap(one, other)).toBe(wanted);
  });

  // 2 to the power of 400 ways to spread the stars: trying them all would never end
  it('are compared without trying every way to spread their stars', () => {
    const long = `a.b/*${'a*'.repeat(400)}`;
    expect(overlap(`${long}b*`, `${long}c*`)).toBe(true);
    expect(contains(`${long}b`, `${long}c`)).toBe(false);
  });
});

// few letters, so that random requests meet random patterns
const letters = (special: string) =>
  fc
    .array(fc.constantFrom('a', 'b', 'A', ...special.split('')), { maxLength: 4 })
    .map((all) => all.join(''));
const host = fc.array(letters('.*'), { maxLength: 3 }).map((parts) => parts.join('b') || 'a');
const path = letters('/*\\"').map((text) => `/${text}`);
const scheme = fc.constantFrom('', '', '', 'https://', 'http://', '*://', 'HTTPS://');
const patternText = fc
  .tuple(scheme, host, fc.option(path, { nil: '*' }))
  .map((parts) => parts.join(''));
const anyRequest: fc.Arbitrary<ModelRequest> = fc.record({
  ssl: fc.boolean(),
  host: letters('.').map((text) => text || 'a'),
  path: letters('/\\"*').map((text) => `/${text}`),
  query: letters('=&/'),
});
/** A request that a pattern is likely to match: its stars are filled in. */
const fitting = (pattern: string) =>
  fc
    .tuple(anyRequest, fc.array(letters('/.'), { minLength: 9, maxLength: 9 }))
    .map(([base, fills]) => {
      const text = pattern.replace(/^[^/]*:\/\//, '').replace(/\*/g, () => fills.pop() ?? '');
      const slash = text.indexOf('/');
      return {
        ...base,
        host: (slash < 0 ? text : text.slice(0, slash)).replaceAll('/', ''),
        path: slash < 0 ? base.path : text.slice(slash).replaceAll('?', ''),
      };
    });

describe('legacy patterns and their expressions', () => {
  it.each<PatternKind>(['override', 'page-rule'])(
    'matches the very requests that the old %s matched',
    (kind) => {
      const cases = fc
        .array(patternText, { minLength: 1, maxLength: 3 })
        .filter((texts) => texts.every((text) => 'host' in parseUrlPattern(text, kind)))
        .chain((texts) =>
          fc.tuple(fc.constant(texts), fc.oneof(anyRequest, ...texts.map(fitting))),
        );
      const seen = { matched: 0, missed: 0 };
      fc.assert(
        fc.property(cases, ([texts, one]) => {
          const old = texts.some((text) => oldMatches(text, one, kind));
          const all = texts.map((text) => parsed(text, kind));
          const now = patternsExpression(all);
          expect(expressionMatches(now, one)).toBe(old);
          expect(() => parseExpression(now)).not.toThrow();
          seen[old ? 'matched' : 'missed'] += 1;
        }),
        { numRuns: 2000 },
      );
      // a law about requests that never match would say nothing
      expect(Math.min(seen.matched, seen.missed)).toBeGreaterThan(200);
    },
  );

  it('never makes an expression that cannot be saved by itself', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000, unit: anyCharacter }), (text) => {
        const pattern = parseUrlPattern(`a.b/${text}`, 'override');
        if ('host' in pattern) {
          expect(patternsExpression([pattern]).length).toBeLessThanOrEqual(MAX_EXPRESSION);
        }
      }),
    );
  });
});

describe('the models of both matchers', () => {
  it('agree on what a star is', () => {
    const stars = letters('*/');
    const quoted = (text: string) => quote(`/${text.replace(/\*+/g, '*')}`);
    fc.assert(
      fc.property(stars, letters('/'), (pattern, text) => {
        const one = { ...request('https://a.b/'), path: `/${text}` };
        const wanted = glob(`/${pattern}`, `/${text}`);
        const now = `http.request.uri.path strict wildcard ${quoted(pattern)}`;
        expect(expressionMatches(now, one)).toBe(wanted);
      }),
    );
  });
});
