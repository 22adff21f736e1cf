import { stackOf } from './support/generate-files';
import { live, override, overriding, told } from './support/live-answer';

describe('trap 1.6: what the validators of provider 5 refuse', () => {
  const at = 'rules[0].action_parameters.overrides';
  it.each<[string, object, string]>([
    ['an override of nothing', { rules: [{ id: override.id }] }, `${at}.rules[0]`],
    ['a category of nothing', { categories: [{ category: 'a' }] }, `${at}.categories[0]`],
    [
      'an override whose keys are null',
      { rules: [{ ...override, action: null, enabled: null }] },
      `${at}.rules[0]`,
    ],
    ['an id in capitals', { rules: [{ ...override, id: 'A'.repeat(32) }] }, `${at}.rules[0].id`],
    ['a blank id', { rules: [{ ...override, id: '' }] }, `${at}.rules[0].id`],
    ['a blank action', { action: '', enabled: true }, `${at}.action`],
    ['an action in capitals', { rules: [{ ...override, action: 'LOG' }] }, `${at}.rules[0].action`],
    ['an action that begins with one', { action: 'Log' }, `${at}.action`],
    ['an action that ends with one', { action: 'loG' }, `${at}.action`],
    [
      'a blank sensitivity',
      { rules: [{ ...override, sensitivity_level: '' }] },
      `${at}.rules[0].sensitivity_level`,
    ],
  ])('is told beforehand: %s', (_, overrides, subject) => {
    expect(told(overriding(overrides))).toContainEqual(['PROVIDER_REFUSES', 'decision', subject]);
  });

  it.each<[string, object, string]>([
    ['no id', { rules: [{ enabled: true }] }, 'rules[0].id'],
    ['no category', { categories: [{ enabled: true }] }, 'categories[0].category'],
    [
      'a category that is null',
      { categories: [{ category: null, enabled: true }] },
      'categories[0].category',
    ],
  ])('is told beforehand, and once: %s', (_, overrides, subject) => {
    expect(told(overriding(overrides))).toEqual([
      ['PROVIDER_REFUSES', 'decision', `${at}.${subject}`],
    ]);
  });

  it.each<[object, string]>([
    [{ rules: [{ enabled: true }] }, 'no value here'],
    [{ odd: 1 }, 'overrides with unknown fields alone'],
    [{ sensitivity_level: 'high' }, 'an unknown sensitivity'],
    [{ action: 'LOG' }, 'an action that is not of the letters a to z and _'],
  ])('is told with what is wrong with it: %j', (overrides, shape) => {
    expect(stackOf(overriding(overrides)).findings.map(({ message }) => message)).toContain(
      `the service answers ${shape}, which provider 5 refuses`,
    );
  });

  it.each<[string, object, string]>([
    [
      'matched data without a key',
      { action_parameters: { matched_data: {} } },
      'action_parameters.matched_data.public_key',
    ],
    [
      'half a check of credentials',
      { exposed_credential_check: { username_expression: 'u' } },
      'exposed_credential_check.password_expression',
    ],
  ])('is told beforehand: %s', (_, rule, subject) => {
    const refused = [['PROVIDER_REFUSES', 'decision', `rules[0].${subject}`]];
    expect(told(live(rule))).toEqual(refused);
    expect(told(live(rule), 4)).toEqual([]);
  });

  it('is told beforehand: overrides with unknown fields alone, and one of a category by its score', () => {
    expect(told(overriding({ odd: 1, rules: [] }))).toContainEqual([
      ...['PROVIDER_REFUSES', 'decision', at],
    ]);
    const scored = { categories: [{ category: 'a', score_threshold: 25 }] };
    expect(told(overriding(scored))).toContainEqual([
      ...['PROVIDER_REFUSES', 'decision', `${at}.categories[0]`],
    ]);
  });

  it('is told as lost where it is no text', () => {
    expect(told(overriding({ action: 7, enabled: true }))).toEqual([
      ['FIELD_NOT_SUPPORTED', 'decision', `${at}.action`],
    ]);
  });

  it('is told beforehand: overrides of a skip rule', () => {
    const parameters = { ruleset: 'current', overrides: { action: 'log' } };
    const answer = live({
      action: 'skip',
      logging: { enabled: true },
      action_parameters: parameters,
    });
    expect(told(answer)).toEqual([['PROVIDER_REFUSES', 'decision', at]]);
  });

  it('is nothing that the service answers in fact', () => {
    const whole = { action: 'log', enabled: true, sensitivity_level: 'low', rules: [override] };
    expect(told(overriding(whole))).toEqual([]);
  });
});

describe('trap 1.6: a sensitivity that the providers do not know', () => {
  const at = 'rules[0].action_parameters.overrides';
  const levels = (sensitivity_level: string) => ({
    sensitivity_level,
    rules: [{ ...override, sensitivity_level }],
  });
  const refusedBy = (level: string, major: 3 | 4 | 5) =>
    told(overriding(levels(level)), major)
      .filter(([code]) => code === 'PROVIDER_REFUSES')
      .map(([, , subject]) => subject);

  it('is told beforehand: of a whole ruleset, and for provider 5 of a rule and a category', () => {
    expect(refusedBy('high', 3)).toEqual([`${at}.sensitivity_level`]);
    expect(refusedBy('high', 4)).toEqual([`${at}.sensitivity_level`]);
    expect(refusedBy('high', 5)).toEqual([
      `${at}.sensitivity_level`,
      `${at}.rules[0].sensitivity_level`,
    ]);
    const ofCategory = { categories: [{ category: 'a', sensitivity_level: 'high' }] };
    expect(told(overriding(ofCategory))).toEqual([
      ['PROVIDER_REFUSES', 'decision', `${at}.categories[0].sensitivity_level`],
    ]);
  });

  it('is none of theirs, in capitals only for provider 3', () => {
    for (const level of ['default', 'medium', 'low', 'eoff']) {
      expect([3, 4, 5].flatMap((major) => refusedBy(level, major as 3 | 4 | 5))).toEqual([]);
      const capitals = level.toUpperCase();
      expect(refusedBy(capitals, 3)).toEqual([`${at}.sensitivity_level`]);
      expect([...refusedBy(capitals, 4), ...refusedBy(capitals, 5)]).toEqual([]);
    }
  });
});

describe('trap 1.6: an action of an override that provider 3 and 4 refuse', () => {
  const at = 'rules[0].action_parameters.overrides';
  it.each(['allow', 'zz'])('is told beforehand, and not that it is carried: %j', (action) => {
    const subjects = [`${at}.action`, `${at}.rules[0].action`, `${at}.categories[0].action`];
    const odd = {
      action,
      rules: [{ ...override, action }],
      categories: [{ category: 'a', action }],
    };
    for (const major of [3, 4] as const) {
      expect(
        told(overriding(odd), major).filter(([code]) => code !== 'REFS_NOT_SUPPORTED'),
      ).toEqual(subjects.map((subject) => ['PROVIDER_REFUSES', 'decision', subject]));
    }
  });

  it('is none that they know, in capitals only for provider 3', () => {
    const codes = (action: string, major: 3 | 4) =>
      told(overriding({ action }), major).map(([code]) => code);
    expect(codes('score', 3)).toEqual(['REFS_NOT_SUPPORTED', 'UNKNOWN_ACTION']);
    expect(codes('score', 4)).toEqual(['UNKNOWN_ACTION']);
    expect(codes('LOG', 3)).toEqual(['REFS_NOT_SUPPORTED', 'PROVIDER_REFUSES']);
    expect(codes('LOG', 4)).toEqual(['UNKNOWN_ACTION']);
  });
});
