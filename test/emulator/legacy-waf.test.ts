import { ENTERPRISE, MIGRATED, NOT_ELIGIBLE, OLD_OWASP, emulate } from './support/with-emulator';

const CLOUDFLARE = '1e334934fd7ae32ad705667f8c1057aa';
const SPECIALS = 'f90712123fb02287348dd34c0a282bb9';
const none = 'f'.repeat(32);
const waf = (zone: string) => `/zones/${zone}/firewall/waf`;
const packages = `${waf(ENTERPRISE)}/packages`;
const groups = `${packages}/${CLOUDFLARE}/groups`;
const rules = `${packages}/${CLOUDFLARE}/rules`;

describe('legacy packages', () => {
  it('have settings only if they are OWASP', async () => {
    const [call] = await emulate({});
    const { result, result_info } = (await call('GET', packages)).body;
    expect(result_info).toMatchObject({ per_page: 50, total_count: 3 });
    const [owasp, cloudflare, user] = result;
    expect(owasp).toEqual({
      id: OLD_OWASP,
      name: 'OWASP ModSecurity Core Rule Set',
      description: 'Covers OWASP Top 10 vulnerabilities, and more.',
      detection_mode: 'anomaly',
      zone_id: ENTERPRISE,
      status: 'active',
      sensitivity: 'medium',
      action_mode: 'simulate',
    });
    expect(cloudflare).not.toHaveProperty('sensitivity');
    expect(user.name).toBe('USER');
    const settings = { sensitivity: 'off', action_mode: 'block' };
    const path = `${packages}/${OLD_OWASP}`;
    expect((await call('PATCH', path, settings)).body.result).toEqual({ ...owasp, ...settings });
    expect((await call('GET', path)).body.result).toEqual({ ...owasp, ...settings });
  });

  it('refuse settings with 1027 if they are traditional', async () => {
    const [call] = await emulate({});
    const answer = await call('PATCH', `${packages}/${CLOUDFLARE}`, { sensitivity: 'high' });
    const message = 'Only anomaly WAF packages can have their package attributes updated';
    expect([answer.status, answer.body.errors]).toEqual([400, [{ code: 1027, message }]]);
  });
});

describe('legacy groups and rules', () => {
  it('count the rules that differ from their default, and turn off', async () => {
    const [call] = await emulate({});
    const { result } = (await call('GET', `${groups}/${SPECIALS}`)).body;
    const own = (await call('GET', `${rules}?per_page=100`)).body.result.filter(
      ({ group }: any) => group.id === SPECIALS,
    );
    expect(result).toMatchObject({
      ...{ mode: 'on', allowed_modes: ['on', 'off'], package_id: CLOUDFLARE },
      ...{ modified_rules_count: 4, rules_count: own.length },
    });
    const off = await call('PATCH', `${groups}/${SPECIALS}`, { mode: 'off' });
    expect(off.body.result).toEqual({ ...result, mode: 'off' });
    const listed = (await call('GET', groups)).body.result;
    expect(listed).toContainEqual({ ...result, mode: 'off' });
  });

  it.each([
    ['a rule that denies', CLOUDFLARE, '100532', 'simulate', 'block', 5],
    ['a rule that allows', CLOUDFLARE, 'WP0003', 'on', undefined, 2],
    ['a rule that scores', OLD_OWASP, '990012', 'on', undefined, 2],
  ])('know the modes of %s', async (_what, pack, rule, mode, fallback, modes) => {
    const [call] = await emulate({});
    const { result } = (await call('GET', `${packages}/${pack}/rules/${rule}`)).body;
    expect(result).toMatchObject({ mode });
    expect(result.default_mode).toBe(fallback);
    expect(result.allowed_modes).toHaveLength(modes);
  });

  it('accept each allowed mode, and refuse others without a change', async () => {
    const [call] = await emulate({});
    const path = `${rules}/100533`;
    const { allowed_modes: modes } = (await call('GET', path)).body.result;
    for (const mode of modes) {
      expect((await call('PATCH', path, { mode })).body.result.mode).toBe(mode);
    }
    const refused = await call.refused('PATCH', path, { mode: 'on' });
    expect(refused.body.errors[0].source).toEqual({ pointer: '/mode' });
  });

  it.each([
    ['package', `${packages}/${none}`, 1002],
    ['package of a group', `${packages}/${none}/groups`, 1002],
    ['group', `${groups}/${none}`, 1003],
    ['group of another package', `${packages}/${OLD_OWASP}/groups/${SPECIALS}`, 1003],
    ['rule', `${rules}/990012`, 1004],
  ])('name the unknown %s', async (_what, path, code) => {
    const [call] = await emulate({});
    const answer = await call('GET', path);
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, code]);
  });
});

describe('URI-based overrides', () => {
  const overrides = `${waf(NOT_ELIGIBLE)}/overrides`;
  const fields = { urls: ['legacy.example.com/x'], rules: { '100532': 'disable' } };

  it('are created with defaults, changed, read back and deleted', async () => {
    const [call] = await emulate({});
    const created = (await call('POST', overrides, fields)).body.result;
    expect(created).toMatchObject({ ...fields, priority: 0, paused: false, groups: {} });
    const path = `${overrides}/${created.id}`;
    const changed = { ...created, paused: true, priority: -5 };
    await call('PUT', path, changed);
    expect((await call('GET', path)).body.result).toEqual(changed);
    expect((await call('DELETE', path)).body.result).toEqual({ id: created.id });
    const gone = await call('GET', path);
    expect(gone.status).toBe(404);
    expect(gone.body.errors[0].message).toContain('wafuriconfig.api.not_found');
  });

  it.each([
    ['no url', { ...fields, urls: [] }, '/urls'],
    ['neither rules nor groups', { urls: fields.urls }, '/rules'],
    ['a priority beyond its range', { ...fields, priority: 1e9 + 1 }, '/priority'],
    ['a wrong name of a field', { ...fields, rewrite_actions: {} }, '/rewrite_actions'],
  ])('refuse %s', async (_what, body, pointer) => {
    const [call] = await emulate({});
    const answer = await call.refused('POST', overrides, body);
    expect([answer.status, answer.body.errors[0].source]).toEqual([400, { pointer }]);
  });
});

it.each([
  ['403/10000', 403, 10000],
  ['404', 404, 7003],
  ['400/1002', 400, 1002],
  ['410', 410, undefined],
  ['html', 403, 'html'],
])('the legacy API of a migrated zone answers %s', async (gone, status, code) => {
  const scenario = { name: 'gone', settings: { gone }, include: ['migrated'] };
  const [call] = await emulate({ scenario });
  for (const path of ['/packages', `/packages/${OLD_OWASP}`, '/overrides', `/overrides/${none}`]) {
    const { status: found, headers, text, body } = await call('GET', waf(MIGRATED) + path);
    expect(found).toBe(status);
    expect(headers.get('cf-ray')).not.toBeNull();
    if (code === 'html') expect(text).toContain('<html>');
    else expect(body.errors[0].code).toBe(code);
  }
  const change = await call('PATCH', `${waf(MIGRATED)}/packages/${OLD_OWASP}`, {});
  expect(change.status).toBe(status);
});
