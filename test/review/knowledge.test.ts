import { knowledgeOf } from '../../src/review/managed-rules';
import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';

const managed = 'efb7b8c949ac4650a09736fc376e9aee';
const rule = '0242110ae62e44028a13bf4834780914';
const config = parseRuleset({
  name: 'default',
  rules: [
    {
      action: 'execute',
      expression: 'true',
      action_parameters: {
        id: managed,
        overrides: { categories: [{ category: 'wordpress', action: 'log' }] },
      },
    },
  ],
}).ruleset;

it('an override of a tag asks a person where nothing tells which rules have it', () => {
  expect(knowledgeOf(builtInCatalogue(), config).findings).toEqual([
    expect.objectContaining({
      code: 'TAG_UNRESOLVED',
      severity: 'decision',
      subject: 'wordpress',
      remedy: expect.stringContaining('--zone'),
    }),
  ]);
});

it('and none where the managed rulesets of the zone tell', () => {
  const known = [
    { rulesetId: managed, id: rule, description: '', action: 'block', categories: ['wordpress'] },
  ];
  expect(knowledgeOf(builtInCatalogue(), config, known).findings).toEqual([]);
  expect(knowledgeOf(builtInCatalogue()).findings).toEqual([]);
});

describe('what a rule is meant to do', () => {
  const known = { rulesetId: managed, description: '', action: 'block' };
  const rankOf = (overrides: object): number | undefined => {
    const deployed = parseRuleset({
      name: 'default',
      rules: [
        { action: 'execute', expression: 'true', action_parameters: { id: managed, overrides } },
      ],
    }).ruleset;
    const zoneRules = [{ ...known, id: rule, categories: ['wordpress'] }];
    const { intended } = knowledgeOf(builtInCatalogue(), deployed, zoneRules);
    return intended?.rules.get(rule) ?? intended?.fallback;
  };
  const [block, challenge, log, none] = [3, 2, 1, 0];
  const off = { enabled: false };

  test.each([
    ['nothing, where its ruleset is off', off, none],
    [
      'its own action, where it alone is on',
      { ...off, rules: [{ id: rule, enabled: true }] },
      block,
    ],
    [
      'the action of its ruleset, where its tag switches it on',
      {
        ...off,
        action: 'managed_challenge',
        categories: [{ category: 'wordpress', enabled: true }],
      },
      challenge,
    ],
    [
      'nothing, where its tag is off and it has an action',
      { categories: [{ category: 'wordpress', ...off }], rules: [{ id: rule, action: 'log' }] },
      none,
    ],
    ['the action of its override', { action: 'block', rules: [{ id: rule, action: 'log' }] }, log],
  ])('%s', (_, overrides, rank) => {
    expect(rankOf(overrides)).toBe(rank);
  });
});

test('the scoring rule of OWASP blocks, whatever action the whole ruleset has, but for one of its own', () => {
  const score = '6179ae15870a4bb7b2d480d4843b323c';
  const rankOf = (overrides: object): number | undefined => {
    const parameters = { id: '4814384a9e5d4991b9815dcfc25d2f1f', overrides };
    const deployed = parseRuleset({
      name: 'default',
      rules: [{ action: 'execute', expression: 'true', action_parameters: parameters }],
    }).ruleset;
    const { intended } = knowledgeOf(builtInCatalogue(), deployed);
    return intended?.rules.get(score) ?? intended?.fallback;
  };
  expect(rankOf({ action: 'log' })).toBe(3);
  expect(rankOf({ action: 'block', rules: [{ id: score, action: 'log' }] })).toBe(1);
  expect(rankOf({ action: 'log', enabled: false })).toBe(0);
});
