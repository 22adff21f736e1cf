import { allOf, anyOf, noneOf } from '../../src/ruleset/expressions';
import { type PatternKind, patternsExpression } from '../../src/translate/reading/url-pattern';
import { expressionMatches } from './support/expression-model';
import { parsed, request } from './support/url-patterns';

const expression = (text: string, kind?: PatternKind) => patternsExpression([parsed(text, kind)]);
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
