import fc from 'fast-check';
import { parseExpression } from '../../src/emulator/expression/parse';
import {
  allOf,
  anyOf,
  MAX_EXPRESSION,
  noneOf,
  quote,
} from '../../src/translate/patterns/expression-text';
import {
  type PatternKind,
  parseUrlPattern,
  type UrlPattern,
} from '../../src/translate/patterns/url-pattern';
import { patternsExpression } from '../../src/translate/patterns/wildcard-expression';
import { expressionMatches } from './support/expression-model';
import { glob, type ModelRequest, oldMatches } from './support/old-matcher';

function parsed(text: string, kind: PatternKind = 'override'): UrlPattern {
  const pattern = parseUrlPattern(text, kind);
  if ('host' in pattern) return pattern;
  throw new Error(`${text} ${pattern.why}`);
}
const expression = (text: string, kind?: PatternKind) => patternsExpression([parsed(text, kind)]);
const request = (url: string): ModelRequest => {
  const { protocol, host, pathname, search } = new URL(url);
  return { ssl: protocol === 'https:', host, path: pathname, query: search.slice(1) };
};

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

describe('an expression for old URL patterns', () => {
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

  it('is grouped only where an operator stands outside of parentheses and strings', () => {
    expect(allOf(['a or b', 'c and d', 'not (e or f)', '(g) or (h)', 'x eq " or "'])).toBe(
      '(a or b) and c and d and not (e or f) and ((g) or (h)) and x eq " or "',
    );
    expect(anyOf(['a or b', 'c and d', 'not (e and f)', 'x eq r#" and " and "#'])).toBe(
      'a or b or (c and d) or not (e and f) or x eq r#" and " and "#',
    );
    expect(allOf(['x eq ") or \\" or ("', 'y'])).toBe('x eq ") or \\" or (" and y');
    expect(allOf([])).toBe('true');
    expect(allOf(['true', 'true'])).toBe('true');
    expect(anyOf(['a', 'a'])).toBe('a');
    expect(noneOf(['a', 'b'])).toBe('not (a or b)');
  });

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

  it('refuse what the language has not', () => {
    const one = request('https://a.b/');
    for (const wrong of [
      '',
      'http.host',
      'http.host eq "a',
      'not',
      'http.host eq "a" or',
      '(ssl',
      'ssl)',
      'http.host strict wildcard "a**b"',
      'http.host eq "\\a"',
    ]) {
      expect(() => expressionMatches(wrong, one)).toThrow();
    }
    expect(expressionMatches('not ssl or ssl and http.host eq "a.b"', one)).toBe(true);
    expect(expressionMatches('not (ssl or ssl) and ssl', one)).toBe(false);
  });
});

describe('an old URL pattern', () => {
  it.each<[string, 'impossible' | 'unsupported', PatternKind]>([
    ['', 'impossible', 'override'],
    ['/path', 'impossible', 'override'],
    ['example.com', 'impossible', 'override'],
    ['*example.com', 'impossible', 'override'],
    ['example.com/a b', 'impossible', 'override'],
    ['example.com/a\nb', 'impossible', 'override'],
    ['example.com/a#b', 'impossible', 'override'],
    ['user@example.com/', 'impossible', 'override'],
    ['ftp://example.com/*', 'impossible', 'override'],
    ['https://', 'impossible', 'override'],
    ['example.com:8443/*', 'unsupported', 'override'],
    ['example.com/a?b=c', 'unsupported', 'override'],
    ['example.com/café', 'unsupported', 'override'],
    ['exämple.com/', 'unsupported', 'override'],
    ['example.com/a|b', 'unsupported', 'page-rule'],
    [`example.com/${'a'.repeat(2000)}`, 'unsupported', 'override'],
  ])('%j is %s', (text, problem, kind) => {
    expect(parseUrlPattern(text, kind)).toMatchObject({ problem });
  });

  it('never makes an expression that cannot be saved by itself', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000, unit: 'binary' }), (text) => {
        const pattern = parseUrlPattern(`a.b/${text}`, 'override');
        if ('host' in pattern) {
          expect(patternsExpression([pattern]).length).toBeLessThanOrEqual(MAX_EXPRESSION);
        }
      }),
    );
  });
});
