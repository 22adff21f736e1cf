import { SCORING_RULE } from '../../src/core/ruleset';
import { overridden, viewRuleset } from '../../src/ruleset/view-ruleset';
import { rulesetOf } from '../translate/support/rulesets';

const nothing = { action: undefined, enabled: undefined, threshold: undefined };

it('the view of a ruleset ignores fields of an unexpected type', () => {
  const execute = (parameters: any) => ({ fields: { action_parameters: parameters } });
  const { executes, skips } = viewRuleset(
    rulesetOf(
      execute({ id: 'a', overrides: 'all' }),
      execute({
        id: 'b',
        overrides: { rules: 'x', categories: [[], { category: 7 }, {}, null] },
      }),
      execute({ id: 'c', overrides: { action: '', enabled: 'yes', score_threshold: 0 } }),
      execute({ id: 'd', overrides: { rules: [{ id: 'r', score_threshold: '5', action: 1 }] } }),
      execute({ id: 7 }),
      execute('none'),
      { ...execute({ id: 'e' }), action: 'block' },
      { action: 'skip', ...execute({ ruleset: 'other', rulesets: 'x', rules: { m: [7, 'r'] } }) },
      { action: 'skip', fields: {}, enabled: false },
    ),
  );
  expect(executes).toEqual(
    ['a', 'b', 'c', 'd'].map((ruleset, index) => ({
      index,
      enabled: true,
      expression: 'true',
      ruleset,
      rules: ruleset === 'd' ? new Map([['r', nothing]]) : new Map(),
      categories: new Map(),
      all: nothing,
    })),
  );
  const none = { current: false, rulesets: new Set(), rules: new Map() };
  expect(skips).toEqual([
    {
      index: 7,
      enabled: true,
      expression: 'true',
      ...none,
      rules: new Map([['m', new Set('r')]]),
    },
    { index: 8, enabled: false, expression: 'true', ...none },
  ]);
});

const says = (action?: string, enabled?: boolean) => ({ action, enabled, threshold: undefined });
const overrides = {
  all: says('log', false),
  categories: new Map([
    ['first', says('block', true)],
    ['last', says('challenge')],
  ]),
  rules: new Map([['own', says(undefined, false)]]),
};
const without = { ...overrides, categories: new Map() };

it.each([
  ['its own override', 'own', overrides, ['first', 'last'], says('challenge', false)],
  ['the last of its categories', 'other', overrides, ['last', 'first'], says('challenge', true)],
  ['the category that it has', 'other', overrides, ['first'], says('block', true)],
  ['the whole ruleset', 'other', overrides, [], says('log', false)],
  ['the whole, where no category is overridden', 'other', without, undefined, says('log', false)],
  ['nothing for sure, where its categories are not known', 'other', overrides, undefined, says()],
  ['its own override, whatever it has', 'own', overrides, undefined, says(undefined, false)],
  ['of the score no action of the whole', SCORING_RULE, without, [], says(undefined, false)],
] as const)('a rule does what is said by %s', (_, id, all, categories, { action, enabled }) => {
  expect(overridden(id, all, categories)).toEqual({ action, enabled });
});
