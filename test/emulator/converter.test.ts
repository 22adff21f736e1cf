import enterprise from '../../src/emulator/scenarios/enterprise.json';
import { bypass, configOf, migrate, oneZone, pageRule, WAF_OFF, WAF_ON } from './support/zone';
import { ENTERPRISE, withEmulator } from './support/with-emulator';

const OLD_OWASP = 'c504870194831cd12c3fc0284f294abb';
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';
const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
const SCORE = '6179ae15870a4bb7b2d480d4843b323c';
const owaspOf = (config: any) =>
  config.rules.find((rule: any) => rule.action_parameters.id === OWASP);
const managedOf = (config: any) =>
  config.rules.find((rule: any) => rule.action_parameters.id === MANAGED);
const skipsOf = (config: any) => config.rules.filter((rule: any) => rule.action === 'skip');

const withSettings = (settings: object) => oneZone({ oldWaf: { settings } });

describe('the old OWASP settings', () => {
  it.each([
    ['high', [3, 4], 40],
    ['medium', [2, 3, 4], 25],
    ['low', [2, 3, 4], 40],
    ['default', [3, 4], 40],
  ])(
    'sensitivity %s turns off the paranoia levels %j and scores %d',
    async (sensitivity, off, threshold) => {
      const packages = { [OLD_OWASP]: { sensitivity, action_mode: 'block' } };
      await withEmulator({ scenario: withSettings({ packages }) }, async (call) => {
        expect(owaspOf(await configOf(call)).action_parameters.overrides).toEqual({
          categories: off.map((level) => ({ category: `paranoia-level-${level}`, enabled: false })),
          rules: [{ id: SCORE, action: 'block', score_threshold: threshold, enabled: true }],
        });
      });
    },
  );

  it.each([
    ['simulate', 'log'],
    ['block', 'block'],
    ['challenge', 'managed_challenge'],
  ])('action %s becomes %s', async (action_mode, action) => {
    const packages = { [OLD_OWASP]: { sensitivity: 'high', action_mode } };
    await withEmulator({ scenario: withSettings({ packages }) }, async (call) => {
      const [score] = owaspOf(await configOf(call)).action_parameters.overrides.rules;
      expect(score.action).toBe(action);
    });
  });

  it('sensitivity off leaves the ruleset out', async () => {
    const packages = { [OLD_OWASP]: { sensitivity: 'off', action_mode: 'block' } };
    await withEmulator({ scenario: withSettings({ packages }) }, async (call) => {
      expect(owaspOf(await configOf(call))).toBeUndefined();
      expect(managedOf(await configOf(call))).toBeDefined();
    });
  });

  it('overrides of its groups and rules are dropped', async () => {
    const settings = {
      groups: { '07d700cf30fda7548be94ff01087d0c4': 'off' },
      rules: { '981231': 'off' },
    };
    await withEmulator({ scenario: oneZone() }, async (plain) => {
      await withEmulator({ scenario: withSettings(settings) }, async (call) => {
        expect(await configOf(call)).toEqual(await configOf(plain));
      });
    });
  });
});

describe('the old rules of the vendor', () => {
  it('become overrides of their successors; a rule at its default becomes nothing', async () => {
    const rules = {
      '100532': 'simulate',
      '100533': 'challenge',
      '100135D': 'disable',
      '100015': 'block',
      '100546': 'default',
    };
    await withEmulator({ scenario: withSettings({ rules }) }, async (call) => {
      expect(managedOf(await configOf(call)).action_parameters.overrides).toEqual({
        rules: [
          { id: '8e361ee4328f4a3caf6caf3e664ed6fe', action: 'block', enabled: true },
          { id: 'a3bac0f1289243e9a4c00c50aa290ad9', action: 'block', enabled: false },
          { id: '0242110ae62e44028a13bf4834780914', action: 'log', enabled: true },
          { id: '920e3b10aa934194928a598a2753531e', action: 'managed_challenge', enabled: true },
        ],
      });
    });
  });

  it('are lost where no successor is known', async () => {
    const rules = { PHP100006: 'disable', WP0033: 'simulate' };
    await withEmulator({ scenario: withSettings({ rules }) }, async (call) => {
      expect(managedOf(await configOf(call)).action_parameters).toEqual({ id: MANAGED });
    });
  });

  it('are disabled one by one where their group is off', async () => {
    const groups = { f90712123fb02287348dd34c0a282bb9: 'off' };
    await withEmulator({ scenario: withSettings({ groups }) }, async (call) => {
      const { rules } = managedOf(await configOf(call)).action_parameters.overrides;
      expect(rules.length).toBeGreaterThan(15);
      expect(rules.every((rule: any) => rule.enabled === false)).toBe(true);
    });
  });
});

describe('what did not pass through the old WAF', () => {
  it('bypass rules become skip rules, before the rules that they are exceptions from', async () => {
    const one = bypass(1, 'ip.src eq 192.0.2.1', { description: 'office' });
    const paused = bypass(2, 'ip.src eq 192.0.2.2', { paused: true });
    const other = bypass(3, 'ip.src eq 192.0.2.3', { products: ['uaBlock'] });
    const all = [one, paused, other];
    const scenario = oneZone({
      filters: all.map(({ filter }) => filter),
      firewallRules: all.map(({ rule }) => rule),
    });
    await withEmulator({ scenario }, async (call) => {
      const config = await configOf(call);
      const skip = {
        id: '',
        version: '',
        ref: '',
        action: 'skip',
        action_parameters: { ruleset: 'current' },
      };
      expect(config.rules.slice(0, 2)).toEqual([
        { ...skip, expression: 'ip.src eq 192.0.2.1', description: 'office', enabled: true },
        { ...skip, expression: 'ip.src eq 192.0.2.2', description: '', enabled: false },
      ]);
      expect(config.rules.slice(2).map((rule: any) => rule.action)).toEqual(['execute', 'execute']);
    });
  });

  it.each<[string, string]>([
    ['one.example.com/admin', '(http.host eq "one.example.com" and http.request.uri eq "/admin")'],
    [
      'one.example.com/admin/*',
      '(http.host eq "one.example.com" and starts_with(http.request.uri, "/admin/"))',
    ],
    ['*.example.com/*', 'ends_with(http.host, ".example.com")'],
    [
      '*example.com/*.php',
      '(ends_with(http.host, "example.com") and http.request.uri wildcard "/*.php")',
    ],
    ['https://one.example.com/*', '(ssl and http.host eq "one.example.com")'],
    ['*/a"b\\c*', 'starts_with(http.request.uri, "/a\\"b\\\\c")'],
    ['*/*', 'true'],
  ])(
    'a page rule that switches the WAF off for %s becomes a skip rule',
    async (url, expression) => {
      const rule = { id: 'a'.repeat(32), ...pageRule(url, [WAF_OFF]) };
      await withEmulator({ scenario: oneZone({ pageRules: [rule] }) }, async (call) => {
        const config = await configOf(call);
        expect(skipsOf(config)).toMatchObject([{ expression, enabled: true }]);
        expect((await migrate(call, 'pending', config)).status).toBe(200);
      });
    },
  );

  it('a page rule that disables security does so too; a disabled rule and others do not', async () => {
    const rules = [
      pageRule('one.example.com/a', [{ id: 'disable_security' }]),
      pageRule('one.example.com/b', [WAF_OFF], { status: 'disabled' }),
      pageRule('one.example.com/c', [WAF_ON]),
      pageRule('one.example.com/d', [{ id: 'cache_level', value: 'bypass' }]),
    ].map((rule, index) => ({ id: String(index).repeat(32), ...rule }));
    await withEmulator({ scenario: oneZone({ pageRules: rules }) }, async (call) => {
      expect(skipsOf(await configOf(call))).toMatchObject([
        { expression: '(http.host eq "one.example.com" and http.request.uri eq "/a")' },
      ]);
    });
  });

  it('a stronger page rule keeps its URLs', async () => {
    const rules = [
      { id: 'a'.repeat(32), ...pageRule('*/shop/*', [WAF_OFF], { priority: 1 }) },
      { id: 'b'.repeat(32), ...pageRule('*/shop/pay*', [WAF_ON], { priority: 2 }) },
    ];
    await withEmulator({ scenario: oneZone({ pageRules: rules }) }, async (call) => {
      const [skip] = skipsOf(await configOf(call));
      expect(skip.expression).toBe(
        '(starts_with(http.request.uri, "/shop/") and not starts_with(http.request.uri, "/shop/pay"))',
      );
    });
  });

  it('a page rule that switches on a WAF that is off deploys the rulesets for its URLs', async () => {
    const rule = { id: 'a'.repeat(32), ...pageRule('*/login', [WAF_ON]) };
    const scenario = oneZone({ oldWaf: { enabled: false }, pageRules: [rule] });
    await withEmulator({ scenario }, async (call) => {
      const { rules } = await configOf(call);
      expect(rules).toMatchObject([
        { action: 'execute', expression: 'http.request.uri eq "/login"', enabled: true },
        { action: 'execute', expression: 'http.request.uri eq "/login"', enabled: true },
      ]);
    });
  });

  it('a WAF that is off gives rules that are off', async () => {
    await withEmulator({ scenario: oneZone({ oldWaf: { enabled: false } }) }, async (call) => {
      const { rules } = await configOf(call);
      expect(rules.map((rule: any) => rule.enabled)).toEqual([false, false]);
    });
  });
});

describe('the shape of the configuration', () => {
  it('has the fields of the specification, with id, version and ref blank', async () => {
    await withEmulator({ scenario: enterprise }, async (call) => {
      const config = await configOf(call, ENTERPRISE);
      expect(config.name).toBe('default');
      expect(config.rules.length).toBeGreaterThan(2);
      for (const rule of config.rules) {
        expect(Object.keys(rule)).toEqual([
          'id',
          'version',
          'action',
          'expression',
          'description',
          'ref',
          'enabled',
          'action_parameters',
        ]);
        expect([rule.id, rule.version, rule.ref]).toEqual(['', '', '']);
      }
    });
  });

  it('is what the entry point takes in either mode', async () => {
    await withEmulator({ scenario: enterprise }, async (call) => {
      const config = await configOf(call, ENTERPRISE);
      expect((await migrate(call, '2', config, ENTERPRISE)).status).toBe(200);
      const { body } = await migrate(call, '1', config, ENTERPRISE);
      expect(body.result.rules.map((rule: any) => rule.action)).toEqual(
        config.rules.map((rule: any) => rule.action),
      );
    });
  });
});
