import { events } from './support/events';
import { ID, oneZone } from './support/zone';
import { withEmulator } from './support/with-emulator';

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
      '[S41] a rule wins over its tags',
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
      'a score whose rule an action of the whole does not reach',
      [execute(OWASP, { action: 'log', rules: [{ id: SCORE, score_threshold: 40 }] })],
      [`${SCORE} block`],
    ],
    [
      'a score whose rule has an action of its own',
      [execute(OWASP, { rules: [{ id: SCORE, action: 'log', score_threshold: 40 }] })],
      [`${SCORE} log`],
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
