import { effectOf } from '../../src/ruleset/deployments';
import { type JsonObject } from '../../src/core/json';

const SCORE = '6179ae15870a4bb7b2d480d4843b323c';
const effect = (overrides?: JsonObject, enabled = true, id = 'm') =>
  effectOf({
    action: 'execute',
    expression: 'true',
    enabled,
    fields: { action_parameters: { id, ...(overrides ? { overrides } : {}) } },
  });

describe('a deployed managed ruleset', () => {
  it.each<[string, JsonObject | undefined]>([
    ['without overrides', undefined],
    ['whose single rules log', { rules: [{ id: 'a', action: 'log' }] }],
    ['whose single rules are off', { rules: [{ id: 'a', enabled: false }] }],
    ['that logs but for one rule', { action: 'log', rules: [{ id: 'a', action: 'block' }] }],
    [
      'that is off but for a tag',
      { enabled: false, categories: [{ category: 'x', enabled: true }] },
    ],
    ['that is on by override', { enabled: true }],
    ['whose score only counts otherwise', { rules: [{ id: SCORE, score_threshold: 40 }] }],
  ])('%s acts', (_, overrides) => {
    expect(effect(overrides)).toBe('acts');
  });

  it.each<[string, JsonObject]>([
    ['as a whole', { action: 'log' }],
    ['with its single rules', { action: 'log', rules: [{ id: 'a', action: 'log' }] }],
    [
      'but for rules that are off',
      { action: 'log', rules: [{ id: 'a', action: 'block', enabled: false }] },
    ],
    [
      'with the one tag that is on',
      { enabled: false, categories: [{ category: 'x', enabled: true, action: 'log' }] },
    ],
    [
      'by the rule that looks at the score',
      { rules: [{ id: SCORE, action: 'log', score_threshold: 40 }] },
    ],
    [
      'by that rule, beside others whose action stays',
      {
        rules: [
          { id: SCORE, action: 'log' },
          { id: 'a', enabled: true },
        ],
      },
    ],
    [
      'by that rule, whatever the others would do',
      { action: 'block', rules: [{ id: SCORE, action: 'log' }] },
    ],
    ['whatever else stands among its overrides', { action: 'log', rules: [null], more: 'x' }],
  ])('logs %s', (_, overrides) => {
    expect(effect(overrides)).toBe('logs');
  });

  it('is on where the service does not say whether it is', () => {
    const fields = { action_parameters: { id: 'm' } };
    expect(effectOf({ action: 'execute', expression: 'true', fields })).toBe('acts');
  });

  it('is off with its rule, or with all of its own rules', () => {
    expect(effect(undefined, false)).toBe('off');
    expect(effect({ enabled: false })).toBe('off');
    expect(effect({ enabled: false, action: 'block', rules: [{ id: 'a', action: 'block' }] })).toBe(
      'off',
    );
  });

  describe('that is OWASP', () => {
    const owasp = (overrides: JsonObject) =>
      effect(overrides, true, '4814384a9e5d4991b9815dcfc25d2f1f');
    const levels = (enabled: boolean, ...of: number[]) => ({
      categories: of.map((level) => ({ category: `paranoia-level-${level}`, enabled })),
    });
    const scoring = (enabled: boolean) => ({ rules: [{ id: SCORE, enabled }] });

    it.each<[string, JsonObject]>([
      ['its scoring rule', scoring(false)],
      ['all levels', levels(false, 1, 2, 3, 4)],
      ['the first level', levels(false, 1)],
      [
        'its scoring rule as with all else, but for a level',
        { enabled: false, ...levels(true, 1) },
      ],
      [
        'all levels as with all else, but for its scoring rule',
        { enabled: false, ...scoring(true) },
      ],
    ])('is off without %s', (_, overrides) => {
      expect(owasp(overrides)).toBe('off');
    });

    it('acts with its first level and its scoring rule', () => {
      expect(owasp(levels(false, 2, 3, 4))).toBe('acts');
      expect(owasp({ enabled: false, ...levels(true, 1), ...scoring(true) })).toBe('acts');
      expect(effect(scoring(false))).toBe('acts');
    });

    it('acts with single rules that are on while their levels are off', () => {
      const single = { id: 'a', enabled: true };
      const on = { rules: [{ id: SCORE, enabled: true }, single] };
      expect(owasp({ enabled: false, ...on })).toBe('acts');
      expect(owasp({ ...levels(false, 1, 2, 3, 4), rules: [single] })).toBe('acts');
      expect(owasp({ enabled: false, rules: [single] })).toBe('off');
      expect(owasp({ ...levels(false, 1), rules: [{ id: 'a', enabled: false }] })).toBe('off');
    });
  });
});
