import { describeDifference, diffRulesets } from '../../src/ruleset/rule-content';
import { type DeclaredRuleset } from '../../src/core/ruleset';

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

describe('how one ruleset differs from another', () => {
  it.each([
    ['abc', 'abc', []],
    ['', '', []],
    ['abc', 'aBc', ['rule b was changed']],
    ['abc', 'ac', ['rule b was removed']],
    ['ac', 'abc', ['rule b was added']],
    ['abc', 'acb', ['rule c stands elsewhere', 'rule b stands elsewhere']],
    [
      'abc',
      'Bad',
      [
        'rule c was removed',
        'rule b was changed',
        'rule d was added',
        'rule b stands elsewhere',
        'rule a stands elsewhere',
      ],
    ],
  ])('%s is not %s', (one, other, told) => {
    expect(diffRulesets(ruleset(one), ruleset(other)).map(describeDifference)).toEqual(told);
  });
});
