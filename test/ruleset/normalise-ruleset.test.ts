import fc from 'fast-check';
import { normaliseRuleset } from '../../src/ruleset/normalise-ruleset';
import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { configRuleset, liveRuleset } from '../generate/support/arbitrary-ruleset';
import { runs } from '../generate/support/runs';

const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
const rule = { action: 'log', expression: 'true', enabled: true };
const execute = { ...rule, action: 'execute', action_parameters: { id: MANAGED } };
const skip = { ...rule, action: 'skip', action_parameters: { ruleset: 'current' } };
const live = { id: 'f'.repeat(32) };

const normalise = (rules: object[], more: object = {}) =>
  normaliseRuleset(parseRuleset({ name: 'default', rules, ...more }).ruleset).rules;
const refs = (rules: object[], more: object = {}) => normalise(rules, more).map(({ ref }) => ref);

describe('the ref of a rule', () => {
  it('is made from what the rule does if it has neither', () => {
    expect(refs([execute, skip, rule])).toEqual([
      `execute_${MANAGED}`,
      expect.stringMatching(/^skip_[0-9a-f]{8}$/),
      expect.stringMatching(/^log_[0-9a-f]{8}$/),
    ]);
  });

  it('gets a number if two rules do the same, or another rule has it', () => {
    expect(refs([execute, execute, execute])).toEqual([
      `execute_${MANAGED}`,
      `execute_${MANAGED}_2`,
      `execute_${MANAGED}_3`,
    ]);
    expect(refs([execute, { ...rule, ref: `execute_${MANAGED}` }])[0]).toBe(`execute_${MANAGED}_2`);
  });

  it('contains nothing of a hostile id or action, and at most 32 characters of an action', () => {
    const hostile = { ...execute, action_parameters: { id: '${x}"\n' } };
    const long = { ...rule, action: `a-B${'x'.repeat(40)}` };
    const log = { ...rule, action_parameters: { id: MANAGED } };
    expect(refs([hostile, { ...rule, action: '</script>${' }, log, long])).toEqual([
      expect.stringMatching(/^execute_[0-9a-f]{8}$/),
      expect.stringMatching(/^[a-z0-9_]+$/),
      expect.stringMatching(/^log_[0-9a-f]{8}$/),
      expect.stringMatching(/^a__x{29}_[0-9a-f]{8}$/),
    ]);
  });

  it('exists and is unique for any answer', () => {
    fc.assert(
      fc.property(fc.oneof(liveRuleset, configRuleset), (answer) => {
        const all = normaliseRuleset(parseRuleset(answer).ruleset).rules.map(({ ref }) => ref);
        expect(new Set(all).size).toBe(answer.rules.length);
        expect(all).not.toContain('');
      }),
      runs(200),
    );
  });
});

describe('trap 1.5: provider 5 accepts duplicates, so they are refused:', () => {
  it.each([
    ['two rules with one ref', { ref: 'same' }, { ref: 'same' }],
    ['a ref that is the id of another rule', { ref: 'a'.repeat(32) }, { id: 'a'.repeat(32) }],
    ['refs that differ only in how they are composed', { ref: '\u00e9' }, { ref: 'e\u0301' }],
    ['refs that differ only by a lone surrogate', { ref: '\ud800' }, { ref: '\udfff' }],
  ])('%s', (_, one, other) => {
    expect(() => normalise([{ ...rule, ...one }, rule, { ...rule, ...other }], live)).toThrow(
      expect.objectContaining({
        code: 'RULESET_INVALID',
        message: expect.stringContaining('rules[2].ref: two rules have the ref'),
      }),
    );
  });

  const overriding = (overrides: unknown) => ({
    ...execute,
    action_parameters: { id: MANAGED, overrides },
  });

  it.each(['rules', 'categories'])('two overrides in %s', (list) => {
    const key = list === 'rules' ? 'id' : 'category';
    const entries = [{ [key]: 'a' }, { [key]: 'b' }, { [key]: 'a', enabled: false }];
    expect(() => normalise([rule, overriding({ [list]: entries })])).toThrow(
      expect.objectContaining({
        code: 'RULESET_INVALID',
        message: `rules[1].action_parameters.overrides.${list}: two overrides of "a"`,
      }),
    );
  });

  it('but not overrides of different rules, or of no name', () => {
    const one = overriding({ rules: [{ id: 'a' }] });
    expect(normalise([one, one])).toHaveLength(2);
    for (const odd of [null, 'x', { rules: null }, { rules: ['a', 'a'] }, { rules: [{}, {}] }]) {
      expect(normalise([overriding(odd)])).toHaveLength(1);
    }
  });
});

it('a rule is enabled unless the API says otherwise', () => {
  const silent = { action: 'log', expression: 'true' };
  const rules = [rule, { ...rule, enabled: false }, silent, { ...silent, enabled: null }];
  expect(normalise(rules).map(({ enabled }) => enabled)).toEqual([true, false, true, true]);
});

it.each<[string, object, object, object | undefined]>([
  ['is what the API says', { ...skip, logging: { enabled: false } }, {}, { enabled: false }],
  ['is what the API says', { ...execute, logging: { enabled: true } }, live, { enabled: true }],
  ['is explicit on a skip rule to create', skip, {}, { enabled: true }],
  ['is explicit on a skip rule to create', { ...skip, logging: null }, {}, { enabled: true }],
  ['stays absent on a live skip rule: any provider would plan a difference', skip, live, undefined],
  ['is added to no other rule', execute, {}, undefined],
  ['is added to no other rule', rule, live, undefined],
])('the logging of a rule %s', (_, given, more, expected) => {
  expect(normalise([given], more)[0]!.fields['logging']).toEqual(expected);
});
