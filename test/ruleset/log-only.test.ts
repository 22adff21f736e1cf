import { logOnly } from '../../src/ruleset/log-only';
import { type DeclaredRule } from '../../src/core/ruleset';

const rule = (action: string, fields: object): DeclaredRule => ({
  ref: 'r',
  action,
  expression: 'true',
  enabled: true,
  fields: { ...fields },
});
const logged = (one: DeclaredRule): DeclaredRule | undefined =>
  logOnly({ name: 'n', kind: 'zone', phase: 'p', rules: [one], fields: {} }).rules[0];

test('a managed ruleset logs as a whole, and so do its overrides', () => {
  const acting = (action: string) => ({
    action,
    categories: [
      { category: 'a', action },
      { category: 'b', enabled: false },
    ],
    rules: [
      { id: '1', action, enabled: true },
      { id: '2', score_threshold: 25 },
    ],
  });
  const runs = (overrides: object) => ({ action_parameters: { id: 'x', overrides } });
  expect(logged(rule('execute', runs(acting('block'))))?.fields).toEqual(runs(acting('log')));
});

describe('OWASP logs by its scoring rule', () => {
  const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';
  const SCORE = '6179ae15870a4bb7b2d480d4843b323c';
  const overridesOf = (overrides?: object): unknown => {
    const parameters = { id: OWASP, ...(overrides ? { overrides } : {}) };
    return logged(rule('execute', { action_parameters: parameters }))?.fields['action_parameters'];
  };
  const asked = { id: SCORE, action: 'log' };
  const off = { id: '1', enabled: false };

  it.each<[string, object | undefined, object]>([
    ['without overrides', undefined, { rules: [asked] }],
    [
      'with a threshold alone',
      { rules: [off, { id: SCORE, score_threshold: 25 }] },
      {
        rules: [off, { ...asked, score_threshold: 25 }],
      },
    ],
    ['with an action', { rules: [{ id: SCORE, action: 'block' }] }, { rules: [asked] }],
    ['with other rules', { rules: [off] }, { rules: [off, asked] }],
    [
      'with an action of the whole',
      { action: 'block', enabled: false },
      {
        action: 'log',
        enabled: false,
        rules: [asked],
      },
    ],
    ['with nulls', { action: null, rules: null }, { action: null, rules: [asked] }],
  ])('%s', (_, overrides, expected) => {
    expect(overridesOf(overrides)).toEqual({ id: OWASP, overrides: expected });
  });
});

test('another rule logs without its parameters; an exception does not change', () => {
  expect(logged(rule('block', { action_parameters: { response: {} } }))).toEqual(rule('log', {}));
  const skip = rule('skip', { action_parameters: { ruleset: 'current' } });
  expect(logged(skip)).toEqual(skip);
});
