import { exampleCredentials } from '../../src/emulator/world';
import enterprise from '../../src/emulator/scenarios/enterprise.json';
import { ENTERPRISE, MIGRATED, withEmulator } from './support/with-emulator';

const OWASP = 'c504870194831cd12c3fc0284f294abb';
const CLOUDFLARE = '1e334934fd7ae32ad705667f8c1057aa';
const SPECIALS = 'f90712123fb02287348dd34c0a282bb9';
const waf = (zone: string) => `/zones/${zone}/firewall/waf`;
const packages = `${waf(ENTERPRISE)}/packages`;

describe('the old interfaces of a migrated zone', () => {
  const paths = [
    '/packages',
    `/packages/${OWASP}`,
    `/packages/${CLOUDFLARE}/groups/${SPECIALS}`,
    `/packages/${CLOUDFLARE}/rules/100532`,
    '/overrides',
    `/overrides/${'f'.repeat(32)}`,
  ];
  const scenario = (gone: string) => ({
    name: 'gone',
    settings: { gone },
    include: ['migrated'],
  });

  it.each([
    ['403/10000', 403, 10000],
    ['404', 404, 7003],
    ['400/1002', 400, 1002],
    ['410', 410, undefined],
  ])('answer %s', async (gone, status, code) => {
    await withEmulator({ scenario: scenario(gone) }, async (call) => {
      for (const path of paths) {
        const answer = await call('GET', waf(MIGRATED) + path);
        expect([answer.status, answer.body.errors[0].code]).toEqual([status, code]);
      }
      const change = await call('PATCH', `${waf(MIGRATED)}/packages/${OWASP}`, {});
      expect(change.status).toBe(status);
    });
  });

  it('can answer a page of HTML', async () => {
    await withEmulator({ scenario: scenario('html') }, async (call) => {
      const answer = await call('GET', `${waf(MIGRATED)}/packages`);
      expect(answer.headers.get('content-type')).toContain('text/html');
      expect(answer.text).toContain('<html>');
      expect(answer.headers.get('cf-ray')).not.toBeNull();
    });
  });

  it('die with the migration, not before', async () => {
    await withEmulator({}, async (call) => {
      expect((await call('GET', packages)).status).toBe(200);
      const { body } = await call('GET', `/zones/${ENTERPRISE}/waf_migration/config?phase_two=1`);
      const path = `/zones/${ENTERPRISE}/rulesets/phases/http_request_firewall_managed/entrypoint`;
      await call('PUT', `${path}?waf_migration=2&phase_two=1`, body.result);
      expect((await call('GET', packages)).status).toBe(200);
      await call('PUT', `${path}?waf_migration=1&phase_two=1`, body.result);
      expect((await call('GET', packages)).status).toBe(403);
    });
  });
});

it('can refuse a token where it takes the key pair', async () => {
  const scenario = { ...enterprise, settings: { oldInterfacesRefuseTokens: true } };
  await withEmulator({ scenario }, async (call) => {
    const refused = await call('GET', packages);
    expect([refused.status, refused.body.errors[0].code]).toEqual([403, 10000]);
    const { email, key } = exampleCredentials;
    const headers = { 'x-auth-email': email, 'x-auth-key': key };
    expect((await call.raw('GET', packages, { headers })).status).toBe(200);
    expect((await call('GET', `/zones/${ENTERPRISE}/waf_migration/status`)).status).toBe(200);
  });
});
