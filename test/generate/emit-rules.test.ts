import { stackOf } from './support/generate-files';
import {
  live,
  majors,
  override,
  overriding,
  type Part,
  resourceOf,
  rulesOf,
} from './support/live-answer';

describe('trap 1.1: any other name, and for 5 any other kind, replaces the entry point: name, kind, phase and description', () => {
  it.each(majors)(
    '[S116] are exactly the live ones for provider %s, or it replaces the ruleset',
    (major) => {
      const name = ' Zone-Level  phase entry point ';
      expect(resourceOf({ ...live({}), name }, major)).toMatchObject({
        zone_id: '0123456789abcdef0123456789abcdef',
        name,
        kind: 'zone',
        phase: 'http_request_firewall_managed',
        description: 'd',
      });
    },
  );

  it.each(majors)('an empty description is left out for provider %s', (major) => {
    const answer = { ...live({ description: '' }), description: '' };
    expect(resourceOf(answer, major)).not.toHaveProperty('description');
    expect(rulesOf(answer, major)[0]).not.toHaveProperty('description');
  });
});

describe('overrides', () => {
  const many = [3, 1, 2].map((digit) => ({ ...override, id: String(digit).repeat(32) }));

  it.each(majors)('keep the order of the service for provider %s', (major) => {
    const categories = ['z', 'a', 'm'].map((category) => ({ category, enabled: false }));
    const [rule] = rulesOf(overriding({ rules: many, categories }), major);
    const [parameters] = [rule?.['action_parameters']].flat();
    const [overrides] = [parameters.overrides].flat();
    expect(overrides.rules.map(({ id }: Part) => id[0])).toEqual(['3', '1', '2']);
    expect(overrides.categories.map(({ category }: Part) => category)).toEqual(['z', 'a', 'm']);
  });

  it('trap 1.4: have exactly the keys of the service: an action beside enabled false stays', () => {
    const entries = [
      { id: '1'.repeat(32), action: 'block', enabled: false },
      { id: '2'.repeat(32), score_threshold: 25 },
      { id: '3'.repeat(32), sensitivity_level: 'low' },
    ];
    const [rule] = rulesOf(overriding({ rules: entries }), 5);
    expect(rule?.['action_parameters'].overrides).toEqual({ rules: entries });
  });

  it('of nothing at all are none', () => {
    for (const none of [{ overrides: null }, {}]) {
      const answer = live({
        action: 'execute',
        action_parameters: { id: 'b'.repeat(32), ...none },
      });
      for (const major of majors) {
        const [parameters] = [rulesOf(answer, major)[0]?.['action_parameters']].flat();
        expect(parameters).toEqual({ id: 'b'.repeat(32) });
      }
    }
  });
});

describe('lists', () => {
  it('trap 1.3: are in the order of the service for provider 5, which compares lists', () => {
    const skip = { action: 'skip', logging: { enabled: true } };
    const lists = { rulesets: ['b', 'a'], products: ['waf', 'bic'], phases: ['z', 'a'] };
    const [rule] = rulesOf(live({ ...skip, action_parameters: lists }), 5);
    expect(rule?.['action_parameters']).toEqual(lists);
  });

  it.each([3, 4] as const)(
    'of rules to skip are joined without a space for provider %s',
    (major) => {
      const parameters = { rules: { ['c'.repeat(32)]: ['b', 'a'] } };
      const [rule] = rulesOf(live({ action: 'skip', action_parameters: parameters }), major);
      expect(rule?.['action_parameters']).toEqual([{ rules: { ['c'.repeat(32)]: 'b,a' } }]);
    },
  );

  it.each([[[]], [['a,b']], [['']], [['a', 1]]])(
    'that would not be read back joined are told as lost: %j',
    (list) => {
      const parameters = { rules: { ['c'.repeat(32)]: list } };
      const { findings } = stackOf(live({ action: 'skip', action_parameters: parameters }), {
        provider: 4,
      });
      expect(findings).toEqual([
        expect.objectContaining({
          code: 'FIELD_NOT_SUPPORTED',
          subject: 'rules[0].action_parameters.rules',
        }),
      ]);
    },
  );
});
