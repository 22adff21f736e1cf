import {
  bypass,
  bypassing,
  configOf,
  MANAGED,
  migrate,
  OLD_OWASP,
  pageRule,
  WAF_OFF,
  WAF_ON,
  emulateZone,
} from './support/with-emulator';

// test/service covers the mapping of OWASP settings

const managedOf = ({ rules }: any) =>
  rules.find((rule: any) => rule.action_parameters.id === MANAGED);

/** The configuration of a zone with settings of the legacy packages. */
const configWith = async (settings: object): Promise<any> => {
  const [call] = await emulateZone({ oldWaf: { settings } });
  return configOf(call);
};

it('OWASP with sensitivity off leaves the ruleset out', async () => {
  const packages = { [OLD_OWASP]: { sensitivity: 'off', action_mode: 'block' } };
  const { rules } = await configWith({ packages });
  expect(rules.map((rule: any) => rule.action_parameters.id)).toEqual([MANAGED]);
});

describe('legacy rules of the vendor', () => {
  it('become overrides of their successors; a rule at its default becomes nothing', async () => {
    const modes = { '100532': 'simulate', '100533': 'challenge', '100135D': 'disable' };
    const rules = { ...modes, '100015': 'block', '100546': 'default' };
    const config = await configWith({ rules });
    expect(managedOf(config).action_parameters.overrides).toEqual({
      rules: [
        { id: '8e361ee4328f4a3caf6caf3e664ed6fe', action: 'block', enabled: true },
        { id: 'a3bac0f1289243e9a4c00c50aa290ad9', action: 'block', enabled: false },
        { id: '0242110ae62e44028a13bf4834780914', action: 'log', enabled: true },
        { id: '920e3b10aa934194928a598a2753531e', action: 'managed_challenge', enabled: true },
      ],
    });
  });

  it('are lost if no successor is known', async () => {
    const rules = { PHP100006: 'disable', WP0033: 'simulate' };
    const config = await configWith({ rules });
    expect(managedOf(config).action_parameters).toEqual({ id: MANAGED });
  });

  it('are disabled one by one if their group is off', async () => {
    const groups = { f90712123fb02287348dd34c0a282bb9: 'off' };
    const config = await configWith({ groups });
    const { rules } = managedOf(config).action_parameters.overrides;
    expect(rules.length).toBeGreaterThan(15);
    expect(rules.every((rule: any) => rule.enabled === false)).toBe(true);
  });
});

describe('traffic that bypassed the legacy WAF', () => {
  it('bypass rules become skip rules, before the rules that they are exceptions from', async () => {
    const fields = bypassing(
      bypass(1, 'ip.src eq 192.0.2.1', { description: 'office' }),
      bypass(2, 'ip.src eq 192.0.2.2', { paused: true }),
      bypass(3, 'ip.src eq 192.0.2.3', { products: ['uaBlock'] }),
    );
    const [call] = await emulateZone(fields);
    const { rules } = await configOf(call);
    const blank = { id: '', version: '', ref: '' };
    const skip = { ...blank, action: 'skip', action_parameters: { ruleset: 'current' } };
    expect(rules.slice(0, 2)).toEqual([
      { ...skip, expression: 'ip.src eq 192.0.2.1', description: 'office', enabled: true },
      { ...skip, expression: 'ip.src eq 192.0.2.2', description: '', enabled: false },
    ]);
    expect(rules.slice(2).map((rule: any) => rule.action)).toEqual(['execute', 'execute']);
  });

  it.each([
    ['one.example.com/admin', '(http.host eq "one.example.com" and http.request.uri eq "/admin")'],
    [
      'one.example.com/admin/*',
      '(http.host eq "one.example.com" and http.request.uri wildcard "/admin/*")',
    ],
    ['*.example.com/*', 'http.host wildcard "*.example.com"'],
    [
      '*example.com/*.php',
      '(http.host wildcard "*example.com" and http.request.uri wildcard "/*.php")',
    ],
    ['https://one.example.com/*', '(ssl and http.host eq "one.example.com")'],
    ['http://one.example.com/*', '(not ssl and http.host eq "one.example.com")'],
    ['*/a"b\\c*', 'http.request.uri wildcard "/a\\"b\\\\c*"'],
    ['*/*', 'true'],
  ])(
    '[S73] a page rule that switches the WAF off for %s becomes a skip rule',
    async (url, expression) => {
      const [call] = await emulateZone({ pageRules: [pageRule(url, WAF_OFF)] });
      const config = await configOf(call);
      expect(config.rules[0]).toMatchObject({ action: 'skip', expression, enabled: true });
      expect((await migrate(call, 'pending', config)).status).toBe(200);
    },
  );

  it('a page rule that is disabled, or has another effect, becomes none', async () => {
    const pageRules = [
      pageRule('one.example.com/a', { id: 'disable_security' }),
      pageRule('one.example.com/b', WAF_OFF, { status: 'disabled' }, 1),
      pageRule('one.example.com/c', WAF_ON, {}, 2),
      pageRule('one.example.com/d', { id: 'cache_level', value: 'bypass' }, {}, 3),
    ];
    const [call] = await emulateZone({ pageRules });
    const { rules } = await configOf(call);
    const skips = rules.filter(({ action }: any) => action === 'skip');
    expect(skips.map(({ expression }: any) => expression)).toEqual([
      '(http.host eq "one.example.com" and http.request.uri eq "/a")',
    ]);
  });

  it('a page rule with a higher priority keeps its URLs', async () => {
    const times = { created_on: '2019-05-01T08:00:00.000000Z', modified_on: 'later' };
    const pageRules = [
      pageRule('*/shop/*', WAF_OFF, { priority: 1 }),
      pageRule('*/shop/pay*', WAF_ON, { priority: 2, ...times }, 1),
    ];
    const [call] = await emulateZone({ pageRules });
    expect((await configOf(call)).rules[0].expression).toBe(
      '(http.request.uri wildcard "/shop/*" and not http.request.uri wildcard "/shop/pay*")',
    );
    const listed = await call('GET', '/zones/e0000000000000000000000000000001/pagerules');
    expect(listed.body.result.map(({ priority }: any) => priority)).toEqual([2, 1]);
    expect(listed.body.result[0]).toMatchObject(times);
  });

  it.each<[string, object[], string, boolean]>([
    ['gives rules that are off', [], 'true', false],
    [
      'gives rules for the URLs of a page rule that switches it on',
      [pageRule('*/login', WAF_ON)],
      'http.request.uri eq "/login"',
      true,
    ],
  ])('a WAF that is off %s', async (_what, pageRules, expression, enabled) => {
    const [call] = await emulateZone({ oldWaf: { enabled: false }, pageRules });
    const rule = { action: 'execute', expression, enabled };
    expect((await configOf(call)).rules).toMatchObject([rule, rule]);
  });
});
