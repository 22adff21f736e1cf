import { idOf, ENTERPRISE, oneZone } from '../support/zones';
import { pathsOf, startService } from '../emulator/support/with-emulator';

const enterprise = pathsOf(ENTERPRISE);

test.each([
  ['[S77] OWASP on', {}, false],
  ['[S77] the vendor ruleset alone', { owasp: 'off' }, true],
  ['[S77] the WAF off', { enabled: false }, true],
  ['[S78] a rule that bypasses', { owasp: 'off', bypass: true }, false],
  ['[S78] a page rule that disables', { owasp: 'off', page: { id: 'disable_security' } }, false],
  ['[S78] a page rule that switches', { owasp: 'off', page: { id: 'waf', value: 'on' } }, false],
  ['[S79] a URI-based override', { owasp: 'off', override: true }, false],
  ['a partner account', { owasp: 'off', partner: true }, false],
  ['a page rule that is off', { owasp: 'off', page: { id: 'disable_security' }, off: true }, true],
])('phase one: %s', async (_what, given: any, compatible) => {
  const packages = given.owasp && {
    c504870194831cd12c3fc0284f294abb: { sensitivity: given.owasp, action_mode: 'block' },
  };
  const filter = { id: idOf('f', 1), expression: 'ssl' };
  const zone = oneZone({
    account: { id: idOf('b', 1), name: 'Account', partner: given.partner ?? false },
    oldWaf: {
      enabled: given.enabled ?? true,
      settings: { packages: packages ?? {} },
      overrides: given.override
        ? [{ id: idOf('0', 1), urls: ['a'], rules: { '100001': 'block' } }]
        : [],
    },
    filters: given.bypass ? [filter] : [],
    firewallRules: given.bypass
      ? [{ id: idOf('a', 1), filter: filter.id, action: 'bypass', products: ['waf'] }]
      : [],
    pageRules: given.page
      ? [
          {
            id: idOf('1', 1),
            targets: [{ target: 'url', constraint: { operator: 'matches', value: 'a/*' } }],
            actions: [given.page],
            status: given.off ? 'disabled' : 'active',
          },
        ]
      : [],
  });
  const client = await startService(zone);
  const check = await client.get(`/zones/${ENTERPRISE}/waf_migration/check`);
  expect(check.body.result.compatible).toBe(compatible);
});

test('[S133, S134, S137, S138] a zone over a limit has to contact support', async () => {
  const bypass = (count: number, expression: (index: number) => string) => {
    const list = Array.from({ length: count }, (_, index) => idOf('f', index));
    return oneZone({
      filters: list.map((id, index) => ({ id, expression: expression(index) })),
      firewallRules: list.map((id) => ({
        id: id.replace('f', 'a'),
        filter: id,
        action: 'bypass',
        products: ['waf'],
      })),
    });
  };
  const address = (index: number) => `ip.src eq 10.0.0.${index}`;
  const long = (bytes: number) => () => `http.host eq "${'a'.repeat(bytes - 15)}"`;
  const cases = [
    [bypass(200, address), true],
    [bypass(201, address), false],
    [bypass(1, long(4096)), true],
    [bypass(1, long(4097)), false],
  ] as const;
  for (const [zone, allowed] of cases) {
    const client = await startService(zone);
    const answer = await client.get(enterprise.config);
    expect(answer.status === 200).toBe(allowed);
    if (!allowed) expect(answer.body.errors[0].message).toContain('contact support');
  }
});
