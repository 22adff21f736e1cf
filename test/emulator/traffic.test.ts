import { type Emulator } from '../../src/emulator/emulator';
import { bypass, configOf, ID, migrate, oneZone, pageRule, WAF_OFF } from './support/zone';
import { withEmulator } from './support/with-emulator';

const SCANNER = { userAgent: 'sqlmap/1.7', path: '/search', query: 'q=1' };
const OLD_PHP = { query: 'f=php://input' };
const NEW_WORDPRESS = { path: '/wp-json/wp/v2/users' };
const SQL = { query: 'id=1%20or%201=1' };
const OLD_OWASP = 'c504870194831cd12c3fc0284f294abb';

type Sample = Parameters<Emulator['sendTraffic']>[0]['requests'][number];
const events = ({ sendTraffic }: Emulator, ...requests: Sample[]) =>
  sendTraffic({ zone: ID, requests }).map(
    ({ Source, RuleID, Action }) => `${Source} ${RuleID} ${Action}`,
  );
const settings = (all: object) => ({ oldWaf: { settings: all } });
const noOwasp = { packages: { [OLD_OWASP]: { sensitivity: 'off', action_mode: 'block' } } };

describe('sample traffic', () => {
  it('meets the old WAF alone before the migration, and the new one alone after it', async () => {
    await withEmulator({ scenario: oneZone(settings(noOwasp)) }, async (call, emulator) => {
      expect(events(emulator, SCANNER, OLD_PHP, NEW_WORDPRESS, {})).toEqual([
        'waf 100532 block',
        'waf PHP100006 block',
      ]);
      await migrate(call, 'pending', await configOf(call));
      expect(events(emulator, SCANNER, OLD_PHP, NEW_WORDPRESS, {})).toEqual([
        'firewallmanaged 0242110ae62e44028a13bf4834780914 block',
        'firewallmanaged bba3d37891a440fb8bc95b970cbd9abc block',
      ]);
    });
  });

  it('meets the new WAF first in validation mode, and a rule that terminates hides the old one', async () => {
    const rules = { '100546': 'simulate' };
    await withEmulator(
      { scenario: oneZone(settings({ ...noOwasp, rules })) },
      async (call, emulator) => {
        await migrate(call, 'validation', await configOf(call));
        expect(events(emulator, SCANNER)).toEqual([
          'firewallmanaged 0242110ae62e44028a13bf4834780914 block',
        ]);
        expect(events(emulator, { query: 'q=&#x3c;' })).toEqual([
          'firewallmanaged 4c3415859ead4436976240d11d870399 log',
          'waf 100546 log',
        ]);
        expect(events(emulator, OLD_PHP)).toEqual(['waf PHP100006 block']);
      },
    );
  });

  it('reaches the old WAF in validation mode where the new rules only log', async () => {
    await withEmulator({ scenario: oneZone(settings(noOwasp)) }, async (call, emulator) => {
      const rules = [
        {
          action: 'execute',
          expression: 'true',
          action_parameters: {
            id: 'efb7b8c949ac4650a09736fc376e9aee',
            overrides: { action: 'log' },
          },
        },
      ];
      await migrate(call, 'validation', { rules });
      expect(events(emulator, SCANNER)).toEqual([
        'firewallmanaged 0242110ae62e44028a13bf4834780914 log',
        'waf 100532 block',
      ]);
    });
  });

  it('has the shape of the log export', async () => {
    await withEmulator(
      { scenario: oneZone(settings(noOwasp)), clock: () => new Date('2024-05-06T07:08:09Z') },
      (_call, { sendTraffic }) => {
        expect(sendTraffic({ zone: ID, requests: [SCANNER] })).toEqual([
          {
            Action: 'block',
            ClientASN: 64_496,
            ClientCountry: 'us',
            ClientIP: '198.51.100.7',
            ClientRequestHost: 'one.example.com',
            ClientRequestMethod: 'GET',
            ClientRequestPath: '/search',
            ClientRequestProtocol: 'HTTP/1.1',
            ClientRequestQuery: '?q=1',
            ClientRequestScheme: 'https',
            ClientRequestUserAgent: 'sqlmap/1.7',
            Datetime: '2024-05-06T07:08:09.000000Z',
            Description: 'Vulnerability scanner activity',
            EdgeColoCode: 'FRA',
            EdgeResponseStatus: 403,
            Kind: 'firewall',
            MatchIndex: 0,
            Metadata: {},
            OriginResponseStatus: 0,
            OriginatorRayID: '00',
            RayID: expect.stringMatching(/^[0-9a-f]{16}$/),
            Ref: '',
            RuleID: '100532',
            Source: 'waf',
          },
        ]);
        return Promise.resolve();
      },
    );
  });

  it('numbers the matches of one request from the last, under one Ray ID', async () => {
    await withEmulator({ scenario: oneZone(settings(noOwasp)) }, async (call, { sendTraffic }) => {
      const config = await configOf(call);
      await migrate(call, 'validation', {
        rules: config.rules.map((rule: any) => ({
          ...rule,
          action_parameters: { id: rule.action_parameters.id, overrides: { action: 'log' } },
        })),
      });
      const found = sendTraffic({ zone: ID, requests: [SCANNER, {}] });
      expect(found.map(({ MatchIndex }) => MatchIndex)).toEqual([1, 0]);
      expect(new Set(found.map(({ RayID }) => RayID)).size).toBe(1);
    });
  });
});

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

  it('is kept out by bypass rules and page rules, and the new WAF is not by page rules', async () => {
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

describe('the new WAF under traffic', () => {
  const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
  const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';
  const SCORE = '6179ae15870a4bb7b2d480d4843b323c';
  const XSS = { query: 'q=<script' };
  const XSS_RULE = 'b5ef1ace353841a0856b5e07790c9dde';
  const execute = (id: string, overrides?: object) => ({
    action: 'execute',
    expression: 'true',
    action_parameters: overrides === undefined ? { id } : { id, overrides },
  });
  const skip = (action_parameters: object, expression = 'true') => ({
    action: 'skip',
    expression,
    action_parameters,
    logging: { enabled: false },
  });

  it.each<[string, object[], string[]]>([
    [
      'a rule wins over its tags',
      [
        execute(MANAGED, {
          categories: [{ category: 'xss', action: 'log' }],
          rules: [{ id: XSS_RULE, action: 'challenge' }],
        }),
      ],
      [`${XSS_RULE} challenge`],
    ],
    [
      'a tag wins over the ruleset',
      [
        execute(MANAGED, {
          action: 'log',
          categories: [{ category: 'xss', action: 'js_challenge' }],
        }),
      ],
      [`${XSS_RULE} jschallenge`],
    ],
    [
      'the last tag listed wins',
      [
        execute(MANAGED, {
          categories: [
            { category: 'xss', enabled: false },
            { category: 'xss', enabled: true },
          ],
        }),
      ],
      [`${XSS_RULE} block`],
    ],
    ['a ruleset can be switched off', [execute(MANAGED, { enabled: false })], []],
    ['a rule that is disabled', [{ ...execute(MANAGED), enabled: false }], []],
    [
      'an expression that does not hold',
      [{ ...execute(MANAGED), expression: 'http.host eq "x"' }],
      [],
    ],
    ['skip the rest', [skip({ ruleset: 'current' }), execute(MANAGED)], []],
    ['skip the phase', [skip({ phases: ['http_request_firewall_managed'] }), execute(MANAGED)], []],
    ['skip a ruleset', [skip({ rulesets: [MANAGED] }), execute(MANAGED)], []],
    ['skip a rule', [skip({ rules: { [MANAGED]: [XSS_RULE] } }), execute(MANAGED)], []],
    [
      'a skip that comes too late',
      [execute(MANAGED), skip({ ruleset: 'current' })],
      [`${XSS_RULE} block`],
    ],
    [
      'a score that is reached',
      [execute(OWASP, { rules: [{ id: SCORE, score_threshold: 40 }] })],
      [`${SCORE} block`],
    ],
    [
      'a score that a paranoia level keeps low',
      [
        execute(OWASP, {
          categories: [{ category: 'paranoia-level-2', enabled: false }],
          rules: [{ id: SCORE, score_threshold: 40 }],
        }),
      ],
      [],
    ],
  ])('%s', async (_what, rules, expected) => {
    const scenario = oneZone({ migration: { state: 'complete' } });
    await withEmulator({ scenario }, async (call, emulator) => {
      const path = `/zones/${ID}/rulesets/phases/http_request_firewall_managed/entrypoint`;
      expect((await call('PUT', path, { rules })).status).toBe(200);
      expect(events(emulator, XSS)).toEqual(expected.map((event) => `firewallmanaged ${event}`));
    });
  });
});

describe('traffic over the control path', () => {
  it('yields the same events, and refuses what is malformed', async () => {
    await withEmulator({ scenario: oneZone(), control: true }, async (_call, emulator) => {
      const { baseUrl, credentials, sendTraffic } = emulator;
      const send = async (body: unknown): Promise<{ status: number; body: any }> => {
        const answer = await fetch(`${new URL(baseUrl).origin}/_emulator/traffic`, {
          method: 'POST',
          headers: { authorization: `Bearer ${credentials.token}` },
          body: JSON.stringify(body),
        });
        return { status: answer.status, body: await answer.json() };
      };
      const { body } = await send({ zone: ID, requests: [SCANNER] });
      const [here] = sendTraffic({ zone: ID, requests: [SCANNER] });
      expect(body.result).toMatchObject([{ RuleID: here!.RuleID, Action: here!.Action }]);
      expect((await send({ zone: 'x', requests: [{}] })).status).toBe(400);
      expect((await send({ zone: ID, requests: [{ path: 'x' }] })).body.errors[0].source).toEqual({
        pointer: '/requests/0/path',
      });
      expect(() => sendTraffic({ zone: 'x', requests: [{}] })).toThrow('there is no zone x');
    });
  });
});
