import { exampleCredentials } from '../../src/emulator/world';
import { ENTERPRISE, withEmulator } from './support/with-emulator';

const { token, email, key } = exampleCredentials;
const bearer = { authorization: `Bearer ${token}` };
const pair = { 'x-auth-email': email, 'x-auth-key': key };

describe('authentication', () => {
  it.each([
    ['a bearer token', bearer],
    ['a bearer token, its scheme in any case', { authorization: `bEARER ${token}` }],
    ['a key pair', pair],
    ['both', { ...bearer, ...pair }],
  ])('accepts %s', async (_what, headers) => {
    await withEmulator({}, async (call) => {
      const answer = await call.raw('GET', '/zones', { headers });
      expect(answer.status).toBe(200);
    });
  });

  it.each([
    ['nothing', {}, 400, 9106],
    ['an e-mail address alone', { 'x-auth-email': email }, 400, 9106],
    ['a key alone', { 'x-auth-key': key }, 400, 9106],
    ['a key sent as a token', { authorization: `Bearer ${key}` }, 400, 6003],
    ['a token without its scheme', { authorization: token }, 400, 6003],
    ['a token sent as a key', { ...pair, 'x-auth-key': token }, 400, 6003],
    ['a wrong token', { authorization: `Bearer ${'x'.repeat(40)}` }, 403, 10000],
    ['a wrong key', { ...pair, 'x-auth-key': '0'.repeat(37) }, 403, 10000],
    ['a wrong e-mail address', { ...pair, 'x-auth-email': 'else@example.com' }, 403, 10000],
    [
      'a right token beside a wrong key',
      { ...bearer, ...pair, 'x-auth-key': '0'.repeat(37) },
      403,
      10000,
    ],
  ])('refuses %s', async (_what, headers, status, code) => {
    await withEmulator({}, async (call) => {
      const answer = await call.raw('GET', '/zones', { headers });
      expect(answer.status).toBe(status);
      expect(answer.body.errors[0].code).toBe(code);
      expect(answer.body.result).toBeNull();
    });
  });

  it.each([
    `/zones/${ENTERPRISE}`,
    `/zones/${ENTERPRISE}/waf_migration/check`,
    `/zones/${ENTERPRISE}/waf_migration/config?phase_two=1`,
    `/zones/${ENTERPRISE}/rulesets`,
    `/zones/${ENTERPRISE}/firewall/waf/packages`,
    `/zones/${ENTERPRISE}/firewall/waf/overrides`,
    `/zones/${ENTERPRISE}/filters`,
    `/zones/${ENTERPRISE}/firewall/rules`,
    `/zones/${ENTERPRISE}/pagerules`,
  ])('is the same for %s: either scheme or both, and not none, nor a wrong one', async (path) => {
    await withEmulator({}, async (call) => {
      const wrong = { authorization: `Bearer ${'x'.repeat(40)}` };
      const statuses: number[] = [];
      for (const headers of [bearer, pair, { ...bearer, ...pair }, {}, wrong]) {
        statuses.push((await call.raw('GET', path, { headers })).status);
      }
      expect(statuses).toEqual([200, 200, 200, 400, 403]);
    });
  });

  it('does not tell a stranger which paths there are', async () => {
    await withEmulator({}, async (call) => {
      expect((await call.raw('GET', '/nothing')).body.errors[0].code).toBe(9106);
    });
  });
});
