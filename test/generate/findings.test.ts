import { textOf } from './support/generate-files';
import {
  live,
  majors,
  override,
  overriding,
  resourceOf,
  rulesOf,
  told,
} from './support/live-answer';

it('an unknown action is kept: Terraform judges it', () => {
  const answer = live({ action: 'rewrite_the_world' });
  expect(rulesOf(answer, 5)[0]?.['action']).toBe('rewrite_the_world');
  expect(told(answer)).toEqual([]);
});

describe('a field without a rule of its own', () => {
  it('is kept where the schema of the provider has it', () => {
    const parameters = {
      action_parameters: { host_header: 'h', uri: { path: { value: '/' } } },
    };
    const answer = live(parameters);
    expect(rulesOf(answer, 5)[0]).toMatchObject(parameters);
    expect(told(answer)).toEqual([]);
  });

  it('is a decision where it is lost', () => {
    const answer = live({
      novelty: { deep: 1 },
      logging: [{ enabled: true }],
      action_parameters: { host_header: ['a list'] },
    });
    expect(told(answer).sort()).toEqual([
      ['FIELD_NOT_SUPPORTED', 'decision', 'rules[0].action_parameters.host_header'],
      ['FIELD_NOT_SUPPORTED', 'decision', 'rules[0].logging'],
      ['FIELD_NOT_SUPPORTED', 'decision', 'rules[0].novelty'],
    ]);
    expect(textOf(answer)).not.toContain('novelty');
  });

  it.each(majors)('needs a decision where it is one of the ruleset, for provider %s', (major) => {
    const answer = { ...live({}), account_id: 'a', surprise: [] };
    const lost = told(answer, major).filter(([code]) => code === 'FIELD_NOT_SUPPORTED');
    expect(lost.map(([, , subject]) => subject)).toEqual(['account_id', 'surprise']);
    expect(resourceOf(answer, major)).not.toHaveProperty('account_id');
  });

  it('is none that the API sets itself', () => {
    const computed = { version: '7', last_updated: '2024-03-01', source: 'firewall_managed' };
    const answer = live({ categories: ['a'] });
    expect(told({ ...answer, ...computed, nothing: null })).toEqual([]);
    expect(rulesOf(answer, 5)[0]).not.toHaveProperty('categories');
  });

  it('is left out in silence where it is null', () => {
    const answer = live({ description: null, logging: null, action_parameters: { odd: null } });
    expect(told(answer)).toEqual([]);
    expect(rulesOf(answer, 5)[0]).not.toHaveProperty('logging');
    expect(told(overriding({ action: 'log', rules: null }))).toEqual([]);
  });
});

describe('trap 1.2: what provider 5 can never plan empty', () => {
  it.each([
    ['overrides that are empty', {}],
    ['an empty list of rules', { action: 'log', rules: [] }],
    ['an empty list of categories', { categories: [], rules: [override] }],
    ['two empty lists', { categories: [], rules: [] }],
  ])('is left out of the stack: %s', (_, overrides) => {
    expect(textOf(overriding(overrides))).not.toMatch(/\[\]|\{\}/);
  });

  it('is a live ruleset without a description', () => {
    const answer: Partial<ReturnType<typeof live>> = live({});
    delete answer.description;
    expect(told(answer)).toEqual([['NEVER_PLANS_EMPTY', 'decision', 'description']]);
    expect(told({ ...answer, description: '' })).toEqual([]);
    expect(told(answer, 4)).toEqual([]);
  });

  it('is no trouble for a ruleset that is to be created', () => {
    expect(told({ name: 'default', rules: live({}).rules })).toEqual([]);
  });
});

describe('trap 8.3: a string that Terraform cannot carry', () => {
  it.each([
    ['that is not in NFC', 'e\u0301'],
    ['with half a character', 'a\ud800b'],
    ['behind a byte order mark', '\ufeffa'],
    ['with a lone carriage return', 'a\rb'],
    ['that joins the quote behind it', 'a\u{110bd}'],
    ['that CDKTF takes for a reference', '${TfToken[TOKEN.0]}'],
    ['that CDKTF takes for a map', 'String Map Token Value'],
    ['that CDKTF takes for a number', '-8.109562212591379e+298'],
  ])('needs a decision: one %s', (_, text) => {
    const parameters = { rules: { [text]: ['a'] } };
    const answer = {
      ...live({ description: text, expression: text, action_parameters: parameters }),
      name: text,
    };
    expect(told(answer)).toEqual([
      ['STRING_NOT_EXACT', 'decision', 'ruleset.name'],
      ['STRING_NOT_EXACT', 'decision', 'ruleset.rules[0].expression'],
      ['STRING_NOT_EXACT', 'decision', 'ruleset.rules[0].description'],
      ['STRING_NOT_EXACT', 'decision', `ruleset.rules[0].action_parameters.rules.${text}`],
    ]);
  });

  it('is none that is in NFC', () => {
    const others = `x${'\u0301'.repeat(30)} \u{1f600}\ufe0f \u{1f3f7}\ufe0f \u{103b1} \u0301`;
    expect(told(live({ description: `é \u{1f600} \${ \0 \ufeff ${others}` }))).toEqual([]);
  });
});
