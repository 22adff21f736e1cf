import { type Ruleset } from '../../src/model/ruleset';
import { answerRule } from '../../src/translate/parity/answer-rules';
import { Coverage } from '../../src/translate/parity/coverage';
import { viewRuleset } from '../../src/translate/parity/ruleset-view';
import { type Want } from '../../src/translate/reading/verdict';
import { managed, rulesetOf, to } from './support/compared-rulesets';
import { newId } from './support/small-catalogue';

const id = newId(1);
type RuleWant = Parameters<typeof answerRule>[0];
const wants: readonly (readonly [Want['kind'], RuleWant])[] = [
  ['rule-default', { kind: 'rule-default', id, within: ['a', 'b'] }],
  ['rule-off', { kind: 'rule-off', id, within: ['a', 'b'] }],
  ['rule-acts', { kind: 'rule-acts', id, action: 'block', within: ['a', 'b'] }],
];
/** A rule that runs the managed ruleset for some requests, with an override of the rule. */
const overridden = (expression: string, override: object) =>
  managed({ rules: [to(1, { ...override })] }, { expression });
const answerTo = (want: RuleWant, ruleset: Ruleset) => {
  const view = viewRuleset(ruleset);
  return answerRule(want, view, new Coverage([], view));
};

describe('of answers for several requests the weakest counts', () => {
  it.each(wants)('none before another: %s', (_, want) => {
    const off = overridden('a', { enabled: want.kind === 'rule-off', action: 'log' });
    expect(answerTo(want, rulesetOf(off))).toMatchObject({
      met: 'no',
      places: [{ rule: 0 }],
    });
  });

  it('the first of those that are as weak', () => {
    const [, , [, want]] = wants as any;
    const both = [overridden('a', { action: 'log' }), overridden('b', { action: 'challenge' })];
    const answer = answerTo(want as RuleWant, rulesetOf(...both));
    expect(answer).toMatchObject({ met: 'other', to: `rule ${id}: log` });
  });
});
