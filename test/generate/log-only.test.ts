import { logOnly } from '../../src/generate/log-only';
import { type DeclaredRule } from '../../src/model/ruleset';

const rule = (action: string, fields: object): DeclaredRule => ({
  ref: 'r',
  action,
  expression: 'true',
  enabled: true,
  fields: { ...fields },
});
const logged = (one: DeclaredRule): DeclaredRule | undefined =>
  logOnly({ name: 'n', kind: 'zone', phase: 'p', rules: [one], fields: {} }).rules[0];

test('a managed ruleset logs as a whole, and so do overrides that would win over that', () => {
  const given = {
    action_parameters: {
      id: 'x',
      version: 'latest',
      overrides: {
        action: 'block',
        categories: [
          { category: 'a', action: 'block' },
          { category: 'b', enabled: false },
        ],
        rules: [
          { id: '1', action: 'block', enabled: true },
          { id: '2', score_threshold: 25 },
        ],
      },
    },
  };
  expect(logged(rule('execute', given))?.fields).toEqual({
    action_parameters: {
      id: 'x',
      version: 'latest',
      overrides: {
        action: 'log',
        categories: [
          { category: 'a', action: 'log' },
          { category: 'b', enabled: false },
        ],
        rules: [
          { id: '1', action: 'log', enabled: true },
          { id: '2', score_threshold: 25 },
        ],
      },
    },
  });
  expect(logged(rule('execute', { action_parameters: { id: 'x' } }))?.fields).toEqual({
    action_parameters: { id: 'x', overrides: { action: 'log' } },
  });
});

test('an own rule logs, without the parameters of what it did; an exception stays', () => {
  expect(logged(rule('block', { action_parameters: { response: {} } }))).toEqual(rule('log', {}));
  const skip = rule('skip', { action_parameters: { ruleset: 'current' } });
  expect(logged(skip)).toEqual(skip);
});
