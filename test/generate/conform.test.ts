import { stackOf } from './support/generate-files';
import { live, overriding, rulesOf } from './support/live-answer';

const told = (overrides: object) =>
  stackOf(overriding(overrides)).findings.map(({ code, subject }) => [
    code,
    subject.replace('rules[0].action_parameters.', ''),
  ]);

test.each<[string, object]>([
  ['text where a list of objects is due', { algorithms: 'b' }],
  ['a list of objects of which one is text', { algorithms: [{ name: 'a' }, 'b'] }],
  ['text that should be true or false', { increment: 'true' }],
  ['a map of which one value is no list', { rules: { a: ['b'], c: 1 } }],
  ['a list of which one item is no text', { products: ['a', 1] }],
  ['a list of which one item is null', { algorithms: [{ name: 'a' }, null] }],
])('a parameter is lost as a whole where it is %s', (_, parameters) => {
  const [name] = Object.keys(parameters);
  const answer = live({ action_parameters: { host_header: 'h', ...parameters } });
  expect(rulesOf(answer, 5)[0]!['action_parameters']).toEqual({ host_header: 'h' });
  expect(stackOf(answer).findings.map(({ code, subject }) => [code, subject])).toEqual([
    ['FIELD_NOT_SUPPORTED', `rules[0].action_parameters.${name}`],
  ]);
});

describe('overrides', () => {
  it.each<[string, object, unknown[]]>([
    ['one that sets a threshold', { rules: [{ id: 'a'.repeat(32), score_threshold: 25 }] }, []],
    ['one of sensitivity', { rules: [{ id: 'a'.repeat(32), sensitivity_level: 'low' }] }, []],
    ['a null beside a setting', { action: 'log', rules: null }, []],
    ['no object', { rules: ['x'] }, [['FIELD_NOT_SUPPORTED', 'overrides.rules']]],
  ])('of provider 5 are told of as far as they cannot be held: %s', (_, overrides, expected) => {
    expect(told(overrides)).toEqual(expected);
  });

  it('of provider 5 are left out where nothing but null is in them', () => {
    const [rule] = rulesOf(overriding({ rules: null, categories: null }), 5);
    expect(rule!['action_parameters']).toEqual({ id: 'b'.repeat(32) });
  });

  it('of provider 3 have no status of the service, which would say the contrary of enabled', () => {
    const status = { enabled: true, status: 'disabled' };
    const answer = overriding({ ...status, rules: [{ id: 'a'.repeat(32), ...status }] });
    answer.rules[0] = { ...answer.rules[0]!, ...{ logging: status } };
    const [rule] = rulesOf(answer, 3);
    const on = { status: 'enabled' };
    expect(rule!['logging']).toEqual([on]);
    expect(rule!['action_parameters'][0].overrides).toEqual([
      { ...on, rules: [{ id: 'a'.repeat(32), ...on }] },
    ]);
    const lost = stackOf(answer, { provider: 3 }).findings.filter(
      ({ code }) => code === 'FIELD_NOT_SUPPORTED',
    );
    expect(lost.map(({ subject }) => subject)).toEqual([
      'rules[0].action_parameters.overrides.status',
      'rules[0].action_parameters.overrides.rules[0].status',
      'rules[0].logging.status',
    ]);
  });

  it('of provider 3 are told of nothing where a status of the service is null', () => {
    const { findings } = stackOf(overriding({ status: null, action: 'log' }), { provider: 3 });
    expect(findings.map(({ code }) => code)).toEqual(['REFS_NOT_SUPPORTED']);
  });

  it('of provider 3 and 4 have no score of 0, which those cannot tell from none, and say so', () => {
    const scored = { id: 'a'.repeat(32), action: 'log', score_threshold: 0 };
    const answer = overriding({ rules: [scored] });
    for (const provider of [3, 4] as const) {
      const [rule] = rulesOf(answer, provider);
      const [overrides] = rule!['action_parameters'][0].overrides;
      expect(overrides.rules).toEqual([{ id: 'a'.repeat(32), action: 'log' }]);
      expect(stackOf(answer, { provider }).findings).toContainEqual(
        expect.objectContaining({
          code: 'FIELD_NOT_SUPPORTED',
          subject: 'rules[0].action_parameters.overrides.rules[0].score_threshold',
        }),
      );
    }
    const [rule] = rulesOf(answer, 5);
    expect(rule!['action_parameters'].overrides.rules).toEqual([scored]);
    expect(told({ rules: [scored] })).toEqual([]);
    // another 0 is none of these
    const [other] = rulesOf(live({ action_parameters: { increment: 0 } }), 4);
    expect(other!['action_parameters']).toEqual([{ increment: 0 }]);
  });

  it.each([3, 4, 5] as const)(
    'of provider %i have no version, and say so of one that is pinned',
    (provider) => {
      const toldOf = (version: string) => {
        const answer = live({ action_parameters: { id: 'a'.repeat(32), version } });
        expect(JSON.stringify(rulesOf(answer, provider))).not.toContain('version');
        const { findings } = stackOf(answer, { provider });
        return findings.filter(({ code }) => code === 'VERSION_NOT_DECLARED');
      };
      expect([...toldOf('latest'), ...toldOf('')]).toEqual([]);
      expect(toldOf('41')).toMatchObject([
        {
          severity: 'info',
          subject: 'rules[0].action_parameters.version',
          message: expect.stringContaining('pins the version'),
          remedy: expect.stringContaining('the latest version'),
        },
      ]);
    },
  );

  it('of provider 5 are told of nothing where a parameter is null', () => {
    const answer = live({ action: 'skip', action_parameters: { ruleset: 'current', rules: null } });
    expect(stackOf(answer).findings).toEqual([]);
  });

  it('of provider 3 have a status for what is on or off alone', () => {
    const [rule] = rulesOf(overriding({ enabled: 'yes', action: 'log' }), 3);
    expect(rule!['action_parameters'][0].overrides).toEqual([{ action: 'log' }]);
  });
});

describe('a list of nothing that an exception has', () => {
  const empty = { products: [], rulesets: [], phases: [], rules: {} };
  const answer = live({
    action: 'skip',
    logging: {},
    action_parameters: { ruleset: 'current', ...empty },
  });

  it('is left out for provider 5, which refuses it', () => {
    const [rule] = rulesOf(answer, 5);
    expect(rule).toMatchObject({ action_parameters: { ruleset: 'current' } });
    expect(rule).not.toHaveProperty('logging');
    expect(rule!['action_parameters']).toEqual({ ruleset: 'current' });
  });

  it('is lost, and told, where no provider knows what it would be of', () => {
    const odd = live({ action_parameters: { odd: [] } });
    for (const provider of [3, 4, 5] as const) {
      const { findings } = stackOf(odd, { provider });
      const decisions = findings.filter(({ severity }) => severity === 'decision');
      expect(decisions.map(({ code }) => code)).toEqual(['FIELD_NOT_SUPPORTED']);
    }
  });

  it('is left out for provider 3 and 4, which read it as none', () => {
    for (const provider of [3, 4] as const) {
      const [rule] = rulesOf(answer, provider);
      expect(rule!['action_parameters']).toEqual([{ ruleset: 'current', rules: {} }]);
    }
    const { findings } = stackOf(answer, { provider: 4 });
    expect(findings).toEqual([]);
  });

  it('is left out for provider 5 where it is one of several', () => {
    const rules = { ['a'.repeat(32)]: ['b'.repeat(32)], ['c'.repeat(32)]: [] };
    const several = live({
      action: 'skip',
      logging: { enabled: true },
      action_parameters: { rules },
    });
    const [rule] = rulesOf(several, 5);
    expect(rule!['action_parameters'].rules).toEqual({ ['a'.repeat(32)]: ['b'.repeat(32)] });
  });
});
