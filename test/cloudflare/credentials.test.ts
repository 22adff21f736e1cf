import { type Credentials, readCredentials } from '../../src/cloudflare/credentials';
import { failureOf, ZONE } from '../support/client-under-test';
import { body, ok, serve } from '../support/fault-server';

const token = 'tok_0123456789';
const pair = { email: 'me@example.test', key: 'key_0123456789' };
const bearer = { authorization: `Bearer ${token}` };
const keyPair = { 'x-auth-email': pair.email, 'x-auth-key': pair.key };

const refusalOf = (credentials: Credentials) => failureOf(() => readCredentials(credentials));

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
  const { client, server } = await serve([ok(1)], { credentials });
  await client.request('GET', `/zones/${ZONE}`);
  await client.request('GET', `/zones/${ZONE}/filters`, { prefer: 'key' });
  const sent = server.requests.map(({ headers }) =>
    Object.entries(headers).filter(([name]) => /^(authorization|x-auth-)/.test(name)),
  );
  expect(sent.map((headers) => Object.fromEntries(headers))).toEqual([forNew, forOld]);
});

test.each<[string, Credentials, string]>([
  ['a line end', { token: `${token}\n` }, 'API token contains an invalid character at position 15'],
  ['a header', { token: `${token}\r\nx-evil: 1` }, 'API token contains'],
  ['a space', { token: ` ${token}` }, 'API token contains an invalid character at position 1'],
  ['a NUL', { token: `${token}\0` }, 'API token contains'],
  ['a typographic dash', { token: `${token}–` }, 'API token contains'],
  ['a line end', { ...pair, key: `${pair.key}\n` }, 'API key contains'],
  ['an umlaut', { ...pair, email: 'mü@example.test' }, 'e-mail address contains'],
])('%s is refused before anything is sent, and not shown', async (_, credentials, words) => {
  const error = await refusalOf(credentials);
  expect(error.code).toBe('API_UNAUTHORIZED');
  expect(error.message).toContain(words);
  expect(`${String(error.stack)} ${error.hint}`).not.toMatch(/0123456789|example/);
});

test.each([
  ['', token],
  [
    ' with an escaped character',
    `\\u${token.charCodeAt(0).toString(16).padStart(4, '0')}${token.slice(1)}`,
  ],
])('an answer that repeats a credential%s is redacted', async (_, repeated) => {
  const answer = `{"success":true,"errors":[],"messages":[],"result":"${repeated}"}`;
  const { client } = await serve([body(answer)], { credentials: { token } });
  const { text, result } = await client.request('GET', `/zones/${ZONE}`);
  expect([result, text.includes('[redacted]')]).toEqual(['[redacted]', true]);
});
