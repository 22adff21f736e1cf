import { type Emulator } from '../../src/emulator/emulator';
import {
  bypass,
  bypassing,
  configOf,
  ENTERPRISE,
  entryPoint,
  execute,
  MANAGED,
  migrate,
  OLD_OWASP,
  oneZone,
  OWASP,
  pageRule,
  SCORE,
  WAF_OFF,
  emulate,
  emulateZone,
} from './support/with-emulator';

type Sample = Parameters<Emulator['sendTraffic']>[0]['requests'][number];

/** What sample requests to the one zone yield: source, rule and action of each event. */
const events = ({ sendTraffic }: Emulator, ...requests: Sample[]): string[] =>
  sendTraffic({ zone: ENTERPRISE, requests }).map(
    ({ Source, RuleID, Action }) => `${Source} ${RuleID} ${Action}`,
  );

/** A request that a rule of the legacy and one of the new WAF block. */
const SCANNER = { userAgent: 'sqlmap/1.7', path: '/search', query: 'q=1' };
const OLD_PHP = { query: 'f=php://input' };
const NEW_WORDPRESS = { path: '/wp-json/wp/v2/users' };

const SQL = { query: 'id=1%20or%201=1' };

/** Settings of the legacy packages of a zone. */
const settings = (all: object): object => ({ oldWaf: { settings: all } });

/** OWASP off, so that single rules decide. */
const noOwasp = { packages: { [OLD_OWASP]: { sensitivity: 'off', action_mode: 'block' } } };

describe('sample traffic', () => {
  it('[S129] meets the old WAF alone before the migration, and the new one alone after it', async () => {
    const [call, emulator] = await emulateZone(settings(noOwasp));
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

  it('[S62, S83] meets the new WAF first in validation mode, and a rule that terminates hides the old one', async () => {
    const rules = { '100546': 'simulate' };
    const [call, emulator] = await emulateZone(settings({ ...noOwasp, rules }));
    await migrate(call, 'validation', await configOf(call));
    expect(events(emulator, SCANNER)).toEqual([
      'firewallmanaged 0242110ae62e44028a13bf4834780914 block',
    ]);
    expect(events(emulator, { query: 'q=&#x3c;' })).toEqual([
      'firewallmanaged 4c3415859ead4436976240d11d870399 log',
      'waf 100546 log',
    ]);
    expect(events(emulator, OLD_PHP)).toEqual(['waf PHP100006 block']);
  });

  it('[S82] reaches the old WAF in validation mode where the new rules only log', async () => {
    const [call, emulator] = await emulateZone(settings(noOwasp));
    const action_parameters = { id: MANAGED, overrides: { action: 'log' } };
    await migrate(call, 'validation', { rules: [execute({ action_parameters })] });
    expect(events(emulator, SCANNER)).toEqual([
      'firewallmanaged 0242110ae62e44028a13bf4834780914 log',
      'waf 100532 block',
    ]);
  });

  it('has the shape of the log export', async () => {
    const [, { sendTraffic }] = await emulate({
      scenario: oneZone(settings(noOwasp)),
      clock: () => new Date('2024-05-06T07:08:09Z'),
    });
    expect(sendTraffic({ zone: ENTERPRISE, requests: [SCANNER] })).toEqual([
      {
        Action: 'block',
        ClientASN: 64_496,
        ClientCountry: 'us',
        ClientIP: '198.51.100.7',
        ClientRequestHost: 'shop.example.com',
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
  });

  it('numbers the matches of one request from the last, under one Ray ID', async () => {
    const [call, { sendTraffic }] = await emulateZone(settings(noOwasp));
    const config = await configOf(call);
    await migrate(call, 'validation', {
      rules: config.rules.map((rule: any) => ({
        ...rule,
        action_parameters: { id: rule.action_parameters.id, overrides: { action: 'log' } },
      })),
    });
    const found = sendTraffic({ zone: ENTERPRISE, requests: [SCANNER, {}] });
    expect(found.map(({ MatchIndex }) => MatchIndex)).toEqual([1, 0]);
    expect(new Set(found.map(({ RayID }) => RayID)).size).toBe(1);
  });
});

it.each([
  ['an unknown zone', 'x', {}, 'there is no zone x'],
  [
    'an operator that the emulator does not evaluate',
    ENTERPRISE,
    bypassing(bypass(1, 'http.host gt "a"')),
    'the emulator does not evaluate gt in expressions',
  ],
  [
    'a function that the emulator does not evaluate',
    ENTERPRISE,
    bypassing(bypass(1, 'len(http.host) eq 1')),
    'the emulator does not evaluate len() in expressions',
  ],
  [
    'a connective that the emulator does not evaluate',
    ENTERPRISE,
    bypassing(bypass(1, 'ssl xor ssl')),
    'the emulator does not evaluate xor in expressions',
  ],
])('traffic is refused for %s', async (_what, zone, fields, message) => {
  const [, { sendTraffic }] = await emulateZone(fields);
  expect(() => sendTraffic({ zone, requests: [{}] })).toThrow(message);
});

describe('the legacy WAF under traffic', () => {
  it.each<[string, object, string[]]>([
    ['a rule at its default', {}, ['waf 100532 block']],
    ['a rule that is disabled', { rules: { '100532': 'disable' } }, []],
    ['a rule that simulates', { rules: { '100532': 'simulate' } }, ['waf 100532 log']],
    ['a rule that challenges', { rules: { '100532': 'challenge' } }, ['waf 100532 challenge']],
    ['a group that is off', { groups: { f90712123fb02287348dd34c0a282bb9: 'off' } }, []],
  ])('has %s', async (_what, all, expected) => {
    const [, emulator] = await emulateZone(settings({ ...noOwasp, ...all }));
    expect(events(emulator, SCANNER)).toEqual(expected);
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
      const [, emulator] = await emulateZone(settings(all));
      expect(events(emulator, SQL)).toEqual(expected);
    },
  );

  it('is not emulated for a zone with URI-based overrides', async () => {
    const overrides = [{ id: 'a'.repeat(32), urls: ['*'], rules: { '100532': 'block' } }];
    const [, emulator] = await emulateZone({ oldWaf: { overrides } });
    expect(() => events(emulator, SCANNER)).toThrow(
      'the effect of URI-based overrides is not emulated',
    );
  });

  it('[S73] is kept out by bypass rules and page rules, and the new WAF is not by page rules', async () => {
    const one = bypass(1, 'ip.src in {192.0.2.0/24}');
    const pageRules = [pageRule('*/search*', WAF_OFF)];
    const fields = { ...settings(noOwasp), ...bypassing(one), pageRules };
    const [call, emulator] = await emulateZone(fields);
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

describe('the new WAF under traffic', () => {
  const XSS = { query: 'q=<script' };
  const XSS_RULE = 'b5ef1ace353841a0856b5e07790c9dde';
  const deploy = (id: string, overrides?: object) =>
    execute({ action_parameters: { id, ...(overrides !== undefined && { overrides }) } });
  const skip = (action_parameters: object, expression = 'true') => ({
    action: 'skip',
    expression,
    action_parameters,
    logging: { enabled: false },
  });

  it.each<[string, object[], string[]]>([
    [
      '[S41] a rule wins over its tags',
      [
        deploy(MANAGED, {
          categories: [{ category: 'xss', action: 'log' }],
          rules: [{ id: XSS_RULE, action: 'challenge' }],
        }),
      ],
      [`${XSS_RULE} challenge`],
    ],
    [
      'a tag wins over the ruleset',
      [
        deploy(MANAGED, {
          action: 'log',
          categories: [{ category: 'xss', action: 'js_challenge' }],
        }),
      ],
      [`${XSS_RULE} jschallenge`],
    ],
    [
      'the last tag listed wins',
      [
        deploy(MANAGED, {
          categories: [
            { category: 'xss', enabled: false },
            { category: 'xss', enabled: true },
          ],
        }),
      ],
      [`${XSS_RULE} block`],
    ],
    ['a ruleset can be switched off', [deploy(MANAGED, { enabled: false })], []],
    ['a rule that is disabled', [{ ...deploy(MANAGED), enabled: false }], []],
    ['another host', [{ ...deploy(MANAGED), expression: 'http.host eq "x"' }], []],
    ['skip the phase', [skip({ phases: ['http_request_firewall_managed'] }), deploy(MANAGED)], []],
    ['skip the rest', [skip({ ruleset: 'current' }), deploy(MANAGED)], []],
    ['skip a ruleset', [skip({ rulesets: [MANAGED] }), deploy(MANAGED)], []],
    ['skip a rule', [skip({ rules: { [MANAGED]: [XSS_RULE] } }), deploy(MANAGED)], []],
    [
      'a skip that comes too late',
      [deploy(MANAGED), skip({ ruleset: 'current' })],
      [`${XSS_RULE} block`],
    ],
    [
      'a score that is reached',
      [deploy(OWASP, { rules: [{ id: SCORE, score_threshold: 40 }] })],
      [`${SCORE} block`],
    ],
    [
      'a score whose rule an action of the whole does not reach',
      [deploy(OWASP, { action: 'log', rules: [{ id: SCORE, score_threshold: 40 }] })],
      [`${SCORE} block`],
    ],
    [
      'a score that a paranoia level keeps low',
      [
        deploy(OWASP, {
          categories: [{ category: 'paranoia-level-2', enabled: false }],
          rules: [{ id: SCORE, score_threshold: 40 }],
        }),
      ],
      [],
    ],
  ])('%s', async (_what, rules, expected) => {
    const [call, emulator] = await emulateZone({ migration: { state: 'complete' } });
    expect((await call('PUT', entryPoint(ENTERPRISE), { rules })).status).toBe(200);
    expect(events(emulator, XSS)).toEqual(expected.map((event) => `firewallmanaged ${event}`));
  });
});

const filter = { datetime_geq: '2026-01-01T00:00:00Z', datetime_lt: '2026-01-01T01:00:00Z' };
const node = (text: string) => ({
  query: `query($zoneTag: string) { viewer { zones(filter: {zoneTag: $zoneTag}) { ${text} } } }`,
  variables: { zoneTag: ENTERPRISE, filter },
});
const eventsQuery = (fields: string) =>
  node(`firewallEventsAdaptive(limit: 10, filter: $filter) { ${fields} }`);
const settingsQuery = (fields: string) => node(`settings { firewallEventsAdaptive { ${fields} } }`);

describe('a query of security events', () => {
  it.each([
    ['an event', eventsQuery('rayName nothing'), 'nothing'],
    ['an event, by a name that every object has', eventsQuery('toString'), 'toString'],
    ['the settings', settingsQuery('maxPageSize everything'), 'everything'],
  ])('is refused for a field that is none of %s', async (_what, query, name) => {
    const [call] = await emulate({});
    const { status, body } = await call('POST', '/graphql', query);
    expect([status, body.data]).toEqual([200, null]);
    expect(body.errors[0].message).toBe(`unknown field "${name}"`);
  });

  it('answers the settings that it asks for', async () => {
    const [call] = await emulate({});
    const { body } = await call('POST', '/graphql', settingsQuery('maxPageSize'));
    expect(body.data.viewer.zones).toEqual([
      { settings: { firewallEventsAdaptive: { maxPageSize: 10_000 } } },
    ]);
  });
});
