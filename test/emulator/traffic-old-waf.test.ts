import { events, noOwasp, SCANNER, settings } from './support/events';
import { bypass, configOf, ID, migrate, oneZone, pageRule, WAF_OFF } from './support/zone';
import { withEmulator } from './support/with-emulator';

const SQL = { query: 'id=1%20or%201=1' };
const OLD_OWASP = 'c504870194831cd12c3fc0284f294abb';

describe('the old WAF under traffic', () => {
  it.each<[string, object, string[]]>([
    ['a rule at its default', {}, ['waf 100532 block']],
    ['a rule that is disabled', { rules: { '100532': 'disable' } }, []],
    ['a rule that simulates', { rules: { '100532': 'simulate' } }, ['waf 100532 log']],
    ['a rule that challenges', { rules: { '100532': 'challenge' } }, ['waf 100532 challenge']],
    ['a group that is off', { groups: { f90712123fb02287348dd34c0a282bb9: 'off' } }, []],
  ])('has %s', async (_what, all, expected) => {
    await withEmulator(
      { scenario: oneZone(settings({ ...noOwasp, ...all })) },
      (_call, emulator) => {
        expect(events(emulator, SCANNER)).toEqual(expected);
        return Promise.resolve();
      },
    );
  });

  it.each([
    ['high', 'block', ['waf 981176 block']],
    ['medium', 'simulate', ['waf 981176 log']],
    ['low', 'block', []],
    ['off', 'block', []],
  ])(
    'scores OWASP at sensitivity %s, and acts with %s',
    async (sensitivity, action_mode, expected) => {
      const all = {
        packages: { [OLD_OWASP]: { sensitivity, action_mode } },
        groups: { f90712123fb02287348dd34c0a282bb9: 'off' },
      };
      await withEmulator({ scenario: oneZone(settings(all)) }, (_call, emulator) => {
        expect(events(emulator, SQL)).toEqual(expected);
        return Promise.resolve();
      });
    },
  );

  it('follows the URI-based override of the lowest priority', async () => {
    const overrides = [
      {
        id: 'a'.repeat(32),
        urls: ['one.example.com/*'],
        priority: 2,
        rules: { '100532': 'block' },
      },
      { id: 'b'.repeat(32), urls: ['*/search*'], priority: 1, rules: { '100532': 'simulate' } },
      {
        id: 'c'.repeat(32),
        urls: ['*'],
        priority: 0,
        paused: true,
        rules: { '100532': 'disable' },
      },
    ];
    const scenario = oneZone({ oldWaf: { settings: noOwasp, overrides } });
    await withEmulator({ scenario }, (_call, emulator) => {
      expect(events(emulator, SCANNER, { ...SCANNER, path: '/' })).toEqual([
        'waf 100532 log',
        'waf 100532 block',
      ]);
      return Promise.resolve();
    });
  });

  it('[S73] is kept out by bypass rules and page rules, and the new WAF is not by page rules', async () => {
    const one = bypass(1, 'ip.src in {192.0.2.0/24}');
    const scenario = oneZone({
      ...settings(noOwasp),
      filters: [one.filter],
      firewallRules: [one.rule],
      pageRules: [{ id: ID, ...pageRule('*/search*', [WAF_OFF]) }],
    });
    await withEmulator({ scenario }, async (call, emulator) => {
      const office = { ...SCANNER, path: '/', clientIP: '192.0.2.9' };
      expect(events(emulator, SCANNER)).toEqual([]);
      expect(events(emulator, office)).toEqual([`firewallrules ${one.rule.id} bypass`]);
      const config = await configOf(call);
      const { body } = await migrate(call, 'pending', config);
      const [first, second] = body.result.rules;
      expect(events(emulator, office)).toEqual([
        `firewallrules ${one.rule.id} bypass`,
        `firewallmanaged ${first.id} skip`,
      ]);
      expect(events(emulator, SCANNER)).toEqual([`firewallmanaged ${second.id} skip`]);
    });
  });
});
