import { renderEntryPoint } from '../../src/ruleset/compare-rulesets';
import { type DeclaredRuleset } from '../../src/core/ruleset';

const rule = { ref: 'r', action: 'log', expression: 'true', enabled: true };
const ruleset = (more: { description?: string }): DeclaredRuleset => ({
  ...{ name: 'n', kind: 'zone', phase: 'p', fields: {} },
  rules: [{ ...rule, fields: { version: '7' } }],
  ...more,
});

it.each([
  ['without a description', {}],
  ['with one', { description: 'd' }],
  ['with an empty one', { description: '' }],
])('an entry point %s is sent as it is declared', (_, more) => {
  expect(renderEntryPoint(ruleset(more))).toStrictEqual({ name: 'n', ...more, rules: [rule] });
});
