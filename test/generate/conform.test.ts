import { textOf } from './support/generate-files';
import {
  live,
  type Major,
  majors,
  override,
  overriding,
  type Part,
  resourceOf,
  rulesOf,
  told,
} from './support/live-answer';

/** The parameters of the first rule. Below provider 5 they are a block, read as a list of one. */
const parametersOf = (answer: unknown, major: Major): Part =>
  [rulesOf(answer, major)[0]!['action_parameters']].flat()[0];
/** What overrides become. */
const overridesOf = (overrides: object, major: Major): Part =>
  [parametersOf(overriding(overrides), major)['overrides']].flat()[0];
/** The fields that are left out. */
const lost = (answer: unknown, major: Major): unknown[] =>
  told(answer, major).flatMap(([code, , subject]) =>
    code === 'FIELD_NOT_SUPPORTED' ? [subject] : [],
  );
const exception = (action_parameters: object, more: object = {}) =>
  live({ action: 'skip', action_parameters, ...more });

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

test.each<[string, object]>([
  ['text where a list of objects is due', { algorithms: 'b' }],
  ['a list of objects of which one is text', { algorithms: [{ name: 'a' }, 'b'] }],
  ['a list of objects of which one is null', { algorithms: [{ name: 'a' }, null] }],
  ['text that should be true or false', { increment: 'true' }],
  ['text where a number is due', { status_code: '5' }],
  ['an object where a list is due', { products: {} }],
  ['a list of which one item is no text', { products: ['a', 1] }],
  ['a map of which one value is no list', { rules: { a: ['b'], c: 1 } }],
  ['text in a map of objects', { headers: { a: 'x' } }],
])('a parameter is lost as a whole where it is %s', (_, parameters) => {
  const answer = live({ action_parameters: { host_header: 'h', ...parameters } });
  expect(parametersOf(answer, 5)).toEqual({ host_header: 'h' });
  const [name] = Object.keys(parameters);
  expect(lost(answer, 5)).toEqual([`rules[0].action_parameters.${name}`]);
});

describe('overrides', () => {
  const scored = { id: 'a'.repeat(32), action: 'log', score_threshold: 0 };

  it.each(majors)('keep the order of the API for provider %s', (major) => {
    const rules = [3, 1, 2].map((digit) => ({ ...override, id: String(digit).repeat(32) }));
    const categories = ['z', 'a', 'm'].map((category) => ({ category, enabled: false }));
    const overrides = overridesOf({ rules, categories }, major);
    expect(overrides['rules'].map(({ id }: Part) => id[0])).toEqual(['3', '1', '2']);
    expect(overrides['categories'].map((one: Part) => one['category'])).toEqual(['z', 'a', 'm']);
  });

  it('trap 1.4: have exactly the keys of the API: an action beside enabled false stays', () => {
    const rules = [
      { id: '1'.repeat(32), action: 'block', enabled: false },
      { id: '2'.repeat(32), score_threshold: 25 },
      { id: '3'.repeat(32), sensitivity_level: 'low' },
      scored,
    ];
    expect(overridesOf({ rules }, 5)).toEqual({ rules });
    expect(told(overriding({ rules }))).toEqual([]);
  });

  it.each(majors)('of nothing at all are none for provider %s', (major) => {
    const parameters = { id: 'b'.repeat(32) };
    for (const none of [{}, { overrides: null }]) {
      const answer = live({ action: 'execute', action_parameters: { ...parameters, ...none } });
      expect(parametersOf(answer, major)).toEqual(parameters);
    }
    if (major === 5) expect(overridesOf({ rules: null, categories: null }, 5)).toBeUndefined();
  });

  it('trap 0.9: provider 3 drops enabled inside overrides and logging: they have a status, and none of the API', () => {
    const status = { enabled: true, status: 'disabled' };
    const answer = overriding({ ...status, rules: [{ id: 'a'.repeat(32), ...status }] });
    answer.rules[0] = { ...answer.rules[0]!, ...{ logging: status } };
    const on = { status: 'enabled' };
    expect(rulesOf(answer, 3)[0]!['logging']).toEqual([on]);
    const rules = [{ id: 'a'.repeat(32), ...on }];
    expect(parametersOf(answer, 3)['overrides']).toEqual([{ ...on, rules }]);
    expect(lost(answer, 3)).toEqual([
      'rules[0].action_parameters.overrides.status',
      'rules[0].action_parameters.overrides.rules[0].status',
      'rules[0].logging.status',
    ]);
  });

  it('of provider 3 have a status for true and false only, and none for null', () => {
    expect(overridesOf({ enabled: 'yes', action: 'log' }, 3)).toEqual({ action: 'log' });
    expect(lost(overriding({ status: null, action: 'log' }), 3)).toEqual([]);
  });

  it.each([3, 4] as const)('of provider %i have no score of 0, and say so', (major) => {
    const { score_threshold, ...rest } = scored;
    expect(overridesOf({ rules: [scored] }, major)['rules']).toEqual([rest]);
    expect(lost(overriding({ rules: [scored] }), major)).toEqual([
      'rules[0].action_parameters.overrides.rules[0].score_threshold',
    ]);
    // another field keeps its 0
    expect(score_threshold).toBe(0);
    expect(parametersOf(live({ action_parameters: { increment: 0 } }), major)).toEqual({
      increment: 0,
    });
  });

  it.each(majors)('of provider %i lose the version of a ruleset if a user chose it', (major) => {
    const lostOf = (version: string) => {
      const answer = live({ action_parameters: { id: 'a'.repeat(32), version } });
      expect(JSON.stringify(rulesOf(answer, major))).not.toContain('version');
      return lost(answer, major);
    };
    expect([...lostOf('latest'), ...lostOf('')]).toEqual([]);
    expect(lostOf('41')).toEqual(['rules[0].action_parameters.version']);
  });
});

describe('lists', () => {
  const key = 'c'.repeat(32);
  const empty = { products: [], rulesets: [], phases: [], rules: {} };
  const withEmpty = exception({ ruleset: 'current', ...empty }, { logging: {} });

  it('trap 1.3: are in the order of the API for provider 5, which compares lists', () => {
    const lists = { rulesets: ['b', 'a'], products: ['waf', 'bic'], phases: ['z', 'a'] };
    expect(parametersOf(exception(lists, { logging: { enabled: true } }), 5)).toEqual(lists);
  });

  it.each([3, 4] as const)(
    'of rules to skip are joined without a space for provider %s',
    (major) => {
      const parameters = parametersOf(exception({ rules: { [key]: ['b', 'a'] } }), major);
      expect(parameters).toEqual({ rules: { [key]: 'b,a' } });
    },
  );

  it.each([[[]], [['a,b']], [['']], [['a', 1]]])(
    'that would not be read back when joined are left out, and reported: %j',
    (list) => {
      const answer = exception({ rules: { [key]: list } });
      expect(lost(answer, 4)).toEqual(['rules[0].action_parameters.rules']);
    },
  );

  it('that are empty are left out for provider 5, which refuses them', () => {
    const [rule] = rulesOf(withEmpty, 5);
    expect(rule!['action_parameters']).toEqual({ ruleset: 'current' });
    expect(rule).not.toHaveProperty('logging');
    const several = exception({ rules: { a: ['b'], [key]: [] } }, { logging: { enabled: true } });
    expect(parametersOf(several, 5)['rules']).toEqual({ a: ['b'] });
  });

  it.each([3, 4] as const)('that are empty are left out for provider %s', (major) => {
    expect(parametersOf(withEmpty, major)).toEqual({ ruleset: 'current', rules: {} });
    expect(lost(withEmpty, major)).toEqual([]);
  });

  it.each(majors)(
    'of an unknown field are reported also where they are empty, for provider %s',
    (major) => {
      const answer = live({ action_parameters: { odd: [] } });
      expect(lost(answer, major)).toEqual(['rules[0].action_parameters.odd']);
    },
  );
});

describe('another field', () => {
  it.each(majors)('is a decision if it is one of the ruleset, for provider %s', (major) => {
    const answer = { ...live({}), account_id: 'a', surprise: [] };
    expect(lost(answer, major)).toEqual(['account_id', 'surprise']);
    expect(resourceOf(answer, major)).not.toHaveProperty('account_id');
  });

  it('is left out without a finding if the API sets it itself, or if it is null', () => {
    const computed = { version: '7', last_updated: '2024-03-01', source: 'firewall_managed' };
    const answer = live(
      { categories: ['a'] },
      { description: null, logging: null, action_parameters: { odd: null } },
    );
    expect(told({ ...answer, ...computed, nothing: null })).toEqual([]);
    const [first, second] = rulesOf(answer, 5);
    expect(first).not.toHaveProperty('categories');
    expect(second).not.toHaveProperty('logging');
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

  it('is a live rule with empty overrides', () => {
    const found = ['NEVER_PLANS_EMPTY', 'decision', 'rules[0].action_parameters.overrides'];
    expect(told(overriding({}))).toEqual([found]);
    expect(told(overriding({ rules: [] }))).toEqual([found]);
    expect(told(overriding({ action: 'log', rules: [] }))).toEqual([found]);
    expect(told(overriding({}), 4)).toEqual([]);
  });

  it('is a live rule with an empty list of parameters', () => {
    const found = ['NEVER_PLANS_EMPTY', 'decision', 'rules[0].action_parameters.phases'];
    expect(told(exception({ ruleset: 'current', phases: [] }))).toEqual([found]);
  });

  it('is a live ruleset without a description', () => {
    const answer: Partial<ReturnType<typeof live>> = live({});
    delete answer.description;
    expect(told(answer)).toEqual([['NEVER_PLANS_EMPTY', 'decision', 'description']]);
    expect(told({ ...answer, description: '' })).toEqual([]);
    expect(told(answer, 4)).toEqual([]);
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
    ['that CDKTF reads as a reference', '${TfToken[TOKEN.0]}'],
    ['that CDKTF reads as a map', 'String Map Token Value'],
    ['that CDKTF reads as a number', 'x -8109562212591379e+283'],
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

  it.each([-8.109562212591379e298, Infinity])('needs a decision: the number %d', (score) => {
    const overrides = { rules: [{ id: 'a'.repeat(32), score_threshold: score }] };
    const answer = live({ action_parameters: { id: 'b'.repeat(32), overrides } });
    expect(told(answer).map(([code]) => code)).toEqual(['STRING_NOT_EXACT']);
  });

  it('is no text in NFC', () => {
    const others = `x${'\u0301'.repeat(30)} \u{1f600}\ufe0f \u{1f3f7}\ufe0f \u{103b1} \u0301`;
    expect(told(live({ description: `é \u{1f600} \${ \0 \ufeff ${others}` }))).toEqual([]);
  });
});
