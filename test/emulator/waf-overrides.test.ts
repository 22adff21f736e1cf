import { NOT_ELIGIBLE, withEmulator } from './support/with-emulator';

const waf = (zone: string) => `/zones/${zone}/firewall/waf`;

describe('URI-based overrides', () => {
  const overrides = `${waf(NOT_ELIGIBLE)}/overrides`;
  const fields = { urls: ['legacy.example.com/x'], rules: { '100532': 'disable' } };

  it('keep a zone from migrating until the last one is deleted', async () => {
    await withEmulator({}, async (call) => {
      const check = async () =>
        (await call('GET', `/zones/${NOT_ELIGIBLE}/waf_migration/check?phase_two=1`)).body.result
          .compatible;
      const { result } = (await call('GET', overrides)).body;
      expect(result).toHaveLength(2);
      for (const { id } of result) {
        expect(await check()).toBe(false);
        expect((await call('DELETE', `${overrides}/${id}`)).body.result).toEqual({ id });
      }
      expect(await check()).toBe(true);
    });
  });

  it('are created with defaults, changed, and read back', async () => {
    await withEmulator({}, async (call) => {
      const created = (await call('POST', overrides, fields)).body.result;
      expect(created).toMatchObject({ ...fields, priority: 0, paused: false, groups: {} });
      const changed = { ...created, paused: true, priority: -5 };
      await call('PUT', `${overrides}/${created.id}`, changed);
      expect((await call('GET', `${overrides}/${created.id}`)).body.result).toEqual(changed);
    });
  });

  it.each([
    ['no urls', { rules: fields.rules }, '/urls'],
    ['no url', { ...fields, urls: [] }, '/urls'],
    ['neither rules nor groups', { urls: fields.urls }, '/rules'],
    ['an unknown mode', { ...fields, rules: { '100532': 'on' } }, '/rules/100532'],
    ['a priority beyond its range', { ...fields, priority: 1e9 + 1 }, '/priority'],
    ['a long description', { ...fields, description: 'x'.repeat(1025) }, '/description'],
    ['the old name of a field', { ...fields, rewrite_actions: {} }, '/rewrite_actions'],
  ])('refuse %s', async (_what, body, pointer) => {
    await withEmulator({}, async (call) => {
      const before = (await call('GET', overrides)).body;
      const answer = await call('POST', overrides, body);
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].source).toEqual({ pointer });
      expect((await call('GET', overrides)).body).toEqual(before);
    });
  });

  it('say "wafuriconfig.api.not_found" where there is none', async () => {
    await withEmulator({}, async (call) => {
      const answer = await call('GET', `${overrides}/${'f'.repeat(32)}`);
      expect(answer.status).toBe(404);
      expect(answer.body.errors[0].message).toContain('wafuriconfig.api.not_found');
    });
  });
});
