import { knowledgeOf } from '../../src/actions/review/review-knowledge';
import { parseRuleset } from '../../src/generate/parse-ruleset';
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
