import fc from 'fast-check';
import { normaliseRuleset } from '../../src/ruleset/normalise-ruleset';
import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { configRuleset, liveRuleset } from '../generate/support/arbitrary-ruleset';
import { runs } from '../generate/support/runs';

const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
const rule = { action: 'log', expression: 'true', enabled: true };
const execute = { ...rule, action: 'execute', action_parameters: { id: MANAGED } };
const skip = { ...rule, action: 'skip', action_parameters: { ruleset: 'current' } };

const normalise = (rules: object[], more: object = {}) =>
  normaliseRuleset(parseRuleset({ name: 'default', rules, ...more }).ruleset);
const live = { id: 'f'.repeat(32) };
const refs = (rules: object[], more: object = {}) =>
  normalise(rules, more).ruleset.rules.map(({ ref }) => ref);
const codes = (rules: object[], more: object = {}) =>
  normalise(rules, more).findings.map(({ code, severity, subject }) => [code, severity, subject]);

describe('the ref of a rule', () => {
  it('is the one that it has', () => {
    expect(refs([{ ...rule, id: 'a'.repeat(32), ref: 'mine' }], live)).toEqual(['mine']);
  });

  it('is its id where it has none', () => {
    expect(refs([{ ...rule, id: 'a'.repeat(32) }], live)).toEqual(['a'.repeat(32)]);
  });

  it('is made from what the rule does where it has neither', () => {
    expect(refs([execute, skip, rule])).toEqual([
      `execute_${MANAGED}`,
      expect.stringMatching(/^skip_[0-9a-f]{8}$/),
      expect.stringMatching(/^log_[0-9a-f]{8}$/),
    ]);
  });

  it('does not depend on the rules around it', () => {
    const [first] = refs([skip, execute]);
    expect(refs([rule, execute, { ...skip, enabled: false, description: 'x' }])[2]).toBe(first);
  });

  it('gets a number where two rules do the same', () => {
    expect(refs([execute, execute, execute])).toEqual([
      `execute_${MANAGED}`,
      `execute_${MANAGED}_2`,
      `execute_${MANAGED}_3`,
    ]);
  });

  it('never takes one that another rule has', () => {
    expect(refs([execute, { ...rule, ref: `execute_${MANAGED}` }])[0]).toBe(`execute_${MANAGED}_2`);
  });

  it('holds nothing of a hostile id or action', () => {
    const hostile = { ...execute, action_parameters: { id: '${x}"\n' } };
    const [first, second] = refs([hostile, { ...rule, action: '</script>${' }]);
    expect(first).toMatch(/^execute_[0-9a-f]{8}$/);
    expect(second).toMatch(/^[a-z0-9_]+$/);
  });

  it('begins with the action, as far as a name can hold it', () => {
    const parameters = { action_parameters: { id: MANAGED } };
    const odd = { ...rule, action: `a-B${'x'.repeat(40)}` };
    const [logging, long] = refs([{ ...rule, ...parameters }, odd]);
    expect(logging).toMatch(/^log_[0-9a-f]{8}$/);
    expect(long).toMatch(/^a__x{29}_[0-9a-f]{8}$/);
  });

  it('is told when a live rule has neither ref nor id, since the first plan will show it', () => {
    expect(codes([rule], live)).toEqual([['REF_MADE', 'decision', 'rules[0]']]);
    expect(codes([{ ...rule, id: 'a' }], live)).toEqual([['REF_MADE', 'decision', 'rules[0]']]);
    expect(codes([rule])).toEqual([]);
  });

  it.each([
    ['in how they are composed', '\u00e9', 'e\u0301'],
    ['by a lone surrogate', '\ud800', '\udfff'],
  ])('is refused where two are one to Terraform: they differ %s alone', (_, one, other) => {
    const two = [one, other].map((ref) => ({ ...rule, ref }));
    expect(() => refs(two)).toThrow('rules[1].ref: two rules have the ref');
    const categories = [one, other].map((category) => ({ category, enabled: false }));
    const action_parameters = { id: MANAGED, overrides: { categories } };
    expect(() => refs([{ ...execute, action_parameters }])).toThrow('two overrides of');
  });

  it('is there and unique for any answer', () => {
    fc.assert(
      fc.property(fc.oneof(liveRuleset, configRuleset), (answer) => {
        const { ruleset } = normaliseRuleset(parseRuleset(answer).ruleset);
        const all = ruleset.rules.map(({ ref }) => ref);
        expect(new Set(all).size).toBe(answer.rules.length);
        expect(all).not.toContain('');
      }),
      runs(200),
    );
  });
});

describe('trap 1.5: provider 5 takes duplicates: two rules with one ref', () => {
  it.each([
    ['in both', { ref: 'same' }, { ref: 'same' }],
    ['as the id of the other', { ref: 'a'.repeat(32) }, { id: 'a'.repeat(32) }],
  ])('are refused: %s', (_, one, other) => {
    expect(() => normalise([{ ...rule, ...one }, rule, { ...rule, ...other }], live)).toThrow(
      expect.objectContaining({
        code: 'RULESET_INVALID',
        message: expect.stringContaining('rules[2].ref: two rules have the ref'),
      }),
    );
  });
});

describe('trap 1.5: provider 5 takes duplicates: two overrides of one rule or category', () => {
  const overriding = (overrides: object) => ({
    ...execute,
    action_parameters: { id: MANAGED, overrides },
  });

  it.each(['rules', 'categories'])('are refused: %s', (list) => {
    const key = list === 'rules' ? 'id' : 'category';
    const entries = [{ [key]: 'a' }, { [key]: 'b' }, { [key]: 'a', enabled: false }];
    expect(() => normalise([rule, overriding({ [list]: entries })])).toThrow(
      expect.objectContaining({
        code: 'RULESET_INVALID',
        message: `rules[1].action_parameters.overrides.${list}: two overrides of "a"`,
      }),
    );
  });

  it('are no trouble in different rules, or where nothing is overridden', () => {
    const one = overriding({ rules: [{ id: 'a' }] });
    expect(normalise([one, one]).ruleset.rules).toHaveLength(2);
    for (const odd of [
      null,
      [],
      'x',
      { rules: null },
      { rules: ['a', 'a'] },
      { rules: [{}, {}] },
    ]) {
      expect(normalise([{ ...execute, action_parameters: { overrides: odd } }]).findings).toEqual(
        [],
      );
    }
  });
});

describe('enabled', () => {
  it('is what the service says', () => {
    const both = normalise([rule, { ...rule, enabled: false }]).ruleset.rules;
    expect(both.map(({ enabled }) => enabled)).toEqual([true, false]);
  });

  it.each([{}, { enabled: null }])('is on where the service does not say, and told: %j', (said) => {
    const silent = { action: 'log', expression: 'true', ...said };
    expect(normalise([silent]).ruleset.rules[0]?.enabled).toBe(true);
    expect(codes([silent])).toEqual([['ENABLED_ASSUMED', 'info', 'rules[0]']]);
    const standing = codes([{ ...silent, ref: 'mine' }], live);
    expect(standing).toEqual([['ENABLED_ASSUMED', 'decision', 'rules[0]']]);
  });
});

describe('the logging of a rule', () => {
  const logging = (given: object, more: object = {}) =>
    normalise([given], more).ruleset.rules[0]?.fields['logging'];

  it('is what the service says', () => {
    expect(logging({ ...skip, logging: { enabled: false } })).toEqual({ enabled: false });
    expect(logging({ ...execute, logging: { enabled: true } }, live)).toEqual({ enabled: true });
  });

  it('is made explicit on a skip rule that is to be created', () => {
    expect(logging(skip)).toEqual({ enabled: true });
    expect(logging({ ...skip, logging: null })).toEqual({ enabled: true });
  });

  it('is not added to a live skip rule that has none: every major would plan a difference', () => {
    expect(logging(skip, live)).toBeUndefined();
  });

  it('is added to no other rule', () => {
    expect(logging(execute)).toBeUndefined();
    expect(logging(rule, live)).toBeUndefined();
  });
});

describe('an expression of more than 4 KB', () => {
  const long = (length: number) => ({ ...rule, ref: 'r', expression: 'é'.repeat(length / 2) });

  it('is carried, and told: it may stop a migration', () => {
    const { ruleset, findings } = normalise([rule, long(4098)]);
    expect(ruleset.rules[1]?.expression).toHaveLength(2049);
    expect(findings).toEqual([
      expect.objectContaining({
        code: 'EXPRESSION_LONG',
        severity: 'decision',
        subject: 'rules[1].expression',
        message: expect.stringContaining('4098 bytes'),
      }),
    ]);
  });

  it('is no decision where it is live already', () => {
    expect(codes([long(4098)], live)).toEqual([['EXPRESSION_LONG', 'info', 'rules[0].expression']]);
  });

  it('is one from the first byte over', () => {
    expect(codes([long(4096)], live)).toEqual([]);
  });
});
