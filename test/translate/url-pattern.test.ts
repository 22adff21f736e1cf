import { type PatternKind, parseUrlPattern } from '../../src/translate/reading/url-pattern';

const NO_SLASH = 'ends with the host, and every path has a slash';
const NO_HOST = 'has no host';
const CODES = 'holds characters that a request has percent-encoded';
const SPACE = 'holds a space or control character';
const STRANGE = 'has a host that is none';
const SCHEME = 'has a scheme other than http and https';

describe('an old URL pattern', () => {
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
