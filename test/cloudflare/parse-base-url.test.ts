import fc from 'fast-check';
import { anyCharacter } from '../support/any-character';
import { DEFAULT_BASE_URL, parseBaseUrl } from '../../src/cloudflare/parse-base-url';
import { failureOf } from '../support/client-under-test';

test.each([
  [DEFAULT_BASE_URL, 'https://api.cloudflare.com', '/client/v4'],
  ['https://api.cloudflare.com/client/v4/', 'https://api.cloudflare.com', '/client/v4'],
  ['https://example.test', 'https://example.test', ''],
  ['https://example.test:8443//', 'https://example.test:8443', ''],
  ['http://127.0.0.1:8787/client/v4', 'http://127.0.0.1:8787', '/client/v4'],
  ['http://127.8.9.1/x', 'http://127.8.9.1', '/x'],
  ['http://localhost:1/x', 'http://localhost:1', '/x'],
  ['http://[::1]:9/x', 'http://[::1]:9', '/x'],
  ['HTTPS://API.Cloudflare.com/client/v4', 'https://api.cloudflare.com', '/client/v4'],
])('accepts %s', (text, origin, pathPrefix) => {
  expect(parseBaseUrl(text)).toEqual({ origin, pathPrefix });
});

test.each([
  ['http://api.cloudflare.com/client/v4', 'would send the credentials in clear text'],
  ['http://10.0.0.1', 'would send the credentials in clear text'],
  ['http://localhost.example.test', 'would send the credentials in clear text'],
  ['http://127.0.0.1.example.test', 'would send the credentials in clear text'],
  ['http://[::ffff:127.0.0.1]', 'would send the credentials in clear text'],
  ['ftp://127.0.0.1', 'has the scheme ftp, not https'],
  ['file:///etc/passwd', 'has the scheme file, not https'],
  ['api.cloudflare.com', 'the base URL api.cloudflare.com is not a URL'],
  ['', 'the base URL is not a URL'],
  ['https://', 'is not a URL'],
  ['https://exa mple.test', 'is not a URL'],
  ['https://example.test/\nx', 'is not a URL'],
  ['https://me:pass-word@example.test/', 'the base URL https://example.test contains credentials'],
  ['https://example.test/?key=pass-word', 'has a query or a fragment'],
  ['https://example.test/#pass-word', 'has a query or a fragment'],
  ['https://example.test/?', 'has a query or a fragment'],
  ['https//me:pass-word@example.test/', 'the base URL is not a URL'],
])('refuses %s', async (text, words) => {
  const error = await failureOf(() => parseBaseUrl(text));
  expect(error.code).toBe('BASE_URL_INVALID');
  expect(error.message).toContain(words);
  expect(`${error.message}${String(error.stack)}`).not.toContain('pass-word');
});

test('accepts or refuses any text, and http only for this machine', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.webUrl(),
    fc.webUrl({ validSchemes: ['http'], withQueryParameters: true, withFragments: true }),
  );
  fc.assert(
    fc.property(text, (candidate) => {
      try {
        const { origin, pathPrefix } = parseBaseUrl(candidate);
        expect(origin).toMatch(/^(https:|http:\/\/(localhost|127\.|\[::1\]))/);
        expect(pathPrefix).toMatch(/^(\/.*[^/])?$/);
      } catch (error) {
        expect(error).toMatchObject({ name: 'MigrationError', code: 'BASE_URL_INVALID' });
      }
    }),
  );
});
