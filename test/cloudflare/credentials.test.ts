import { type Credentials, readCredentials } from '../../src/cloudflare/credentials';
import { MigrationError } from '../../src/core/migration-error';
import { ZONE } from '../support/client-under-test';
import { ok, withServer } from '../support/fault-server';

const token = 'tok_0123456789';
const pair = { email: 'me@example.test', key: 'key_0123456789' };
const bearer = { authorization: `Bearer ${token}` };
const keyPair = { 'x-auth-email': pair.email, 'x-auth-key': pair.key };

function refusalOf(credentials: Credentials): MigrationError {
  try {
    readCredentials(credentials);
  } catch (error) {
    if (error instanceof MigrationError) return error;
    throw error;
  }
  throw new Error('the credentials were taken');
}

test.each<[string, Credentials, object, object]>([
  ['a token', { token }, bearer, bearer],
  ['a key pair', pair, keyPair, keyPair],
  ['both', { token, ...pair }, bearer, keyPair],
  ['a token and half a pair', { token, email: pair.email }, bearer, bearer],
  ['an empty token and a pair', { token: '', ...pair }, keyPair, keyPair],
])('with %s, each interface gets one scheme', async (_, credentials, forNew, forOld) => {
  const { headersFor } = readCredentials(credentials);
  expect(headersFor('token')).toEqual(forNew);
  expect(headersFor('key')).toEqual(forOld);
  await withServer(
    [ok(1)],
    async ({ client, server }) => {
      await client.request('GET', `/zones/${ZONE}`);
      await client.request('GET', `/zones/${ZONE}/filters`, { prefer: 'key' });
      const sent = server.requests.map(({ headers }) =>
        Object.entries(headers).filter(([name]) => /^(authorization|x-auth-)/.test(name)),
      );
      expect(sent.map((headers) => Object.fromEntries(headers))).toEqual([forNew, forOld]);
    },
    { credentials },
  );
});

test.each<[Credentials, string]>([
  [{}, 'there is neither an API token nor an API key with its e-mail address'],
  [{ token: '' }, 'there is neither an API token nor an API key with its e-mail address'],
  [{ email: pair.email }, 'there is an e-mail address but no API key, and no API token'],
  [{ key: pair.key }, 'there is an API key but no e-mail address, and no API token'],
])('%j are CREDENTIALS_MISSING', (credentials, message) => {
  expect(refusalOf(credentials)).toMatchObject({ code: 'CREDENTIALS_MISSING', message });
});

test.each<[string, Credentials, string]>([
  [
    'a line end',
    { token: `${token}\n` },
    'the API token holds white space or a line end at position 15',
  ],
  ['a header', { token: `${token}\r\nx-evil: 1` }, 'the API token holds white space or a line end'],
  [
    'a space',
    { token: ` ${token}` },
    'the API token holds white space or a line end at position 1',
  ],
  ['a NUL', { token: `${token}\0` }, 'the API token holds a control character'],
  ['a typographic dash', { token: `${token}–` }, 'the API token holds a control character or a'],
  ['a line end', { ...pair, key: `${pair.key}\n` }, 'the API key holds white space or a line end'],
  ['an umlaut', { ...pair, email: 'mü@example.test' }, 'the e-mail address holds a control'],
])('%s is refused before anything is sent, and not shown', (_, credentials, words) => {
  const error = refusalOf(credentials);
  expect(error.code).toBe('API_UNAUTHORIZED');
  expect(error.message).toContain(words);
  expect(`${String(error.stack)} ${error.hint}`).not.toMatch(/0123456789|example/);
});
