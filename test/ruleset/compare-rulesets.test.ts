import { diffRulesets, renderEntryPoint, ruleContent } from '../../src/ruleset/compare-rulesets';
import { type DeclaredRule, type DeclaredRuleset } from '../../src/core/ruleset';

const rule = (action: string, fields: DeclaredRule['fields'] = {}): DeclaredRule => ({
  ref: 'r',
  action,
  expression: 'true',
  enabled: true,
  fields,
});
const logs = { logging: { enabled: true } };
const runs = (action_parameters: object): DeclaredRule =>
  rule('execute', { action_parameters: { ...action_parameters } });

it.each([
  ['whatever they are called', rule('log'), { ...rule('log'), id: 'i', ref: 's' }],
  ['whatever is said of them', rule('log'), { ...rule('log'), description: 'd' }],
  ['whatever the API sets alone', rule('log'), rule('log', { version: '9' })],
  ['in any order of keys', runs({ a: 1, b: { c: 1, d: 2 } }), runs({ b: { d: 2, c: 1 }, a: 1 })],
  ['in any order of keys in a list', runs({ a: [{ c: 1, d: 2 }] }), runs({ a: [{ d: 2, c: 1 }] })],
  ['with the latest version said or not', runs({ id: 'm' }), runs({ id: 'm', version: 'latest' })],
  ['where one logs, said or not', rule('skip'), rule('skip', logs)],
])('two rules do the same %s', (_, one, other) => {
  expect(ruleContent(one)).toBe(ruleContent(other));
});

it.each([
  ['by their actions', rule('log'), rule('block')],
  ['by their expressions', rule('log'), { ...rule('log'), expression: 'ssl' }],
  ['where one is off', rule('log'), { ...rule('log'), enabled: false }],
  ['by the order of a list', runs({ a: [1, 2] }), runs({ a: [2, 1] })],
  ['by where a number ends', runs({ a: [1, 23] }), runs({ a: [12, 3] })],
  ['by where a list ends', runs({ a: ['b', 'c'] }), runs({ a: ['b,c'] })],
  ['by a version that is not the latest', runs({ id: 'm' }), runs({ id: 'm', version: '7' })],
  ['by an exception without logs', rule('skip'), rule('skip', { logging: { enabled: false } })],
  ['by logging, of what logs only where it says so', rule('log'), rule('log', logs)],
  ['by a key', runs({ a: 1 }), runs({ b: 1 })],
  ['by a value', runs({ a: 1 }), runs({ a: '1' })],
])('two rules do different things %s', (_, one, other) => {
  expect(ruleContent(one)).not.toBe(ruleContent(other));
});

/** Rules by a letter each; a capital does something else than its small letter. */
const ruleset = (letters: string): DeclaredRuleset => ({
  name: letters,
  kind: 'zone',
  phase: 'p',
  fields: {},
  rules: letters.split('').map((letter) => ({
    ref: letter.toLowerCase(),
    action: letter === letter.toLowerCase() ? 'log' : 'block',
    expression: 'true',
    enabled: true,
    description: letters,
    fields: {},
  })),
});

it.each([
  ['abc', 'abc', []],
  ['', '', []],
  ['abc', 'aBc', ['rule b was changed']],
  ['abc', 'ac', ['rule b was removed']],
  ['ac', 'abc', ['rule b was added']],
  ['abc', 'acb', ['rule c has another position', 'rule b has another position']],
  [
    'abc',
    'Bad',
    [
      'rule c was removed',
      'rule b was changed',
      'rule d was added',
      'rule b has another position',
      'rule a has another position',
    ],
  ],
])('how one ruleset differs from another %s is not %s', (one, other, told) => {
  expect(diffRulesets(ruleset(one), ruleset(other))).toEqual(told);
});

it.each([
  ['without a description', {}],
  ['with one', { description: 'd' }],
  ['with an empty one', { description: '' }],
])('an entry point %s is sent as it is declared', (_, more) => {
  const declared = { kind: 'zone', phase: 'p', fields: {}, rules: [rule('log', { version: '7' })] };
  const { fields, ...sent } = rule('log');
  expect(fields).toEqual({});
  expect(renderEntryPoint({ name: 'n', ...declared, ...more })).toStrictEqual({
    ...{ name: 'n', rules: [sent] },
    ...more,
  });
});
