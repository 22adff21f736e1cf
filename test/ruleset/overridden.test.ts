import { SCORING_RULE } from '../../src/core/ruleset';
import { overridden } from '../../src/ruleset/view-ruleset';

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
