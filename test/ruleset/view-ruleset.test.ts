import { normaliseExpression, viewRuleset } from '../../src/ruleset/view-ruleset';
import { rulesetOf } from '../translate/support/compared-rulesets';

describe('an expression', () => {
  it.each([
    [' a eq 1 ', 'a eq 1'],
    ['(a eq 1)', 'a eq 1'],
    ['( a eq 1 )', 'a eq 1'],
    ['((a eq 1))', '(a eq 1)'],
    ['(a eq 1) or (b eq 2)', '(a eq 1) or (b eq 2)'],
    ['(a eq 1', '(a eq 1'],
    ['a in (1)', 'a in (1)'],
    ['(a eq ")" or b eq 2)', 'a eq ")" or b eq 2'],
    ['(a eq "(" or b eq 2)', 'a eq "(" or b eq 2'],
    ['(a eq "\\")" or b eq 2)', 'a eq "\\")" or b eq 2'],
    ['(a eq "\\\\") or (b eq 2)', '(a eq "\\\\") or (b eq 2)'],
    ['(lower(a) eq 1 and b in {1 (2)})', 'lower(a) eq 1 and b in {1 (2)}'],
    ['(a eq r"\\") and (b eq "c")', '(a eq r"\\") and (b eq "c")'],
    ['(a eq r#"")("#)', 'a eq r#"")("#'],
    [`(${'a'.repeat(4094)})`, 'a'.repeat(4094)],
    [`(${'a'.repeat(4095)})`, `(${'a'.repeat(4095)})`],
    ['()', ''],
    ['', ''],
  ])('%j compares as %j', (text, compared) => {
    expect(normaliseExpression(text)).toBe(compared);
  });
});

describe('a ruleset as far as it can answer', () => {
  const nothing = { action: undefined, enabled: undefined, threshold: undefined };

  it('takes what has another form than expected for nothing', () => {
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
});
