import { type JsonObject } from '../../src/model/json';
import { type Ruleset } from '../../src/model/ruleset';
import { answerRule } from '../../src/translate/parity/answer-rules';
import { Coverage } from '../../src/translate/parity/coverage';
import { viewRuleset } from '../../src/translate/parity/ruleset-view';
import { CHALLENGE_NOTE } from '../../src/translate/reading/modes';
import { type Want } from '../../src/translate/reading/verdict';
import { managed, rulesetOf, skip, to } from './support/compared-rulesets';
import { MANAGED_RULESET } from './support/old-zone';
import { newId } from './support/small-catalogue';

const id = newId(1);
const isOnByDefault = () => true;
type RuleWant = Parameters<typeof answerRule>[0];
const wants: readonly (readonly [Want['kind'], RuleWant])[] = [
  ['rule-default', { kind: 'rule-default', id, within: ['a', 'b'] }],
  ['rule-off', { kind: 'rule-off', id, within: ['a', 'b'] }],
  ['rule-acts', { kind: 'rule-acts', id, action: 'block', within: ['a', 'b'] }],
];
/** A rule that runs the managed ruleset for some requests, with an override of the rule. */
const overridden = (expression: string, override: object) =>
  managed({ rules: [to(1, { ...override })] }, { expression });
const exception = (parameters: JsonObject) => skip(parameters, 'x');
function blocks(...within: string[]): Extract<RuleWant, { kind: 'rule-acts' }> {
  return { kind: 'rule-acts', id, action: 'block', within };
}
const answerTo = (want: RuleWant, ruleset: Ruleset) => {
  const view = { ...viewRuleset(ruleset), isOnByDefault };
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

  it.each<[string, RuleWant, JsonObject]>([
    [
      'one that nothing surely switches on',
      blocks('a', 'b'),
      { rules: [to(1, { action: 'block' })], categories: [{ category: 'x', enabled: false }] },
    ],
    [
      'a ruleset that is off',
      { kind: 'all-act', action: 'block', within: ['a', 'b'] },
      { action: 'block', enabled: false },
    ],
  ])('none before %s', (_, want, overrides) => {
    expect(answerTo(want, rulesetOf(managed(overrides, { expression: 'a' }))).met).toBe('no');
  });

  it('the first of those that are as weak', () => {
    const [, , [, want]] = wants as any;
    const both = [overridden('a', { action: 'log' }), overridden('b', { action: 'challenge' })];
    const answer = answerTo(want as RuleWant, rulesetOf(...both));
    expect(answer).toMatchObject({ met: 'other', to: `rule ${id}: log` });
  });

  it('none before what holds for a part', () => {
    const rules = [exception({ ruleset: 'current' }), overridden('a', { action: 'block' })];
    expect(answerTo(blocks('a', 'b'), rulesetOf(...rules)).met).toBe('no');
  });
});

describe('of an answer for some requests', () => {
  const all: RuleWant = { kind: 'all-act', action: 'block', within: ['a'] };
  const whole = { ruleset: 'current' };
  const its = { rulesets: [MANAGED_RULESET] };
  const one = { rules: { [MANAGED_RULESET]: [id] } };

  it.each([
    ['a rule', 'everything', blocks('a'), whole, 'other'],
    ['a rule', 'its ruleset', blocks('a'), its, 'other'],
    ['a rule', 'the rule', blocks('a'), one, 'other'],
    ['all rules', 'their ruleset', all, its, 'other'],
    ['all rules', 'one of them', all, one, 'same'],
  ])('%s: an exception from %s', (_, __, want, parameters, met) => {
    const run = managed({ action: 'block' }, { expression: 'a' });
    expect(answerTo(want, rulesetOf(exception(parameters), run)).met).toBe(met);
  });

  it.each<[string, RuleWant, string, string]>([
    ['what is off stays off', { ...blocks('a'), kind: 'rule-off' }, 'same', 'off'],
    ['what does something else does so', blocks('a'), 'other', 'log'],
  ])('although an exception stands before it, %s', (_, want, met, does) => {
    const rule = overridden('a', does === 'off' ? { enabled: false } : { action: does });
    const answer = answerTo(want, rulesetOf(exception(whole), rule));
    expect(answer).toMatchObject({ met, to: `rule ${id}: ${does}` });
  });

  it('what is nearly met says both why it is not quite, and where it holds', () => {
    const rules = [exception(whole), overridden('a', { action: 'managed_challenge' })];
    const challenges: RuleWant = { ...blocks('a'), action: 'challenge' };
    expect(answerTo(challenges, rulesetOf(...rules))).toMatchObject({
      partial: true,
      why: expect.stringMatching(
        new RegExp(`^${CHALLENGE_NOTE}; an exception .* before it: x$`),
      ) as string,
    });
  });
});

describe('a rule that is to be as by default', () => {
  const byDefault: RuleWant = { kind: 'rule-default', id, within: ['a'] };
  const rewritten: RuleWant = { ...byDefault, rewritten: 'challenge' };
  const level = { categories: [{ category: 'broad', enabled: false }] };
  const itself = (override: object) => ({ rules: [to(1, { ...override })] });

  it.each<[string, RuleWant, object, string, string]>([
    ['no override', byDefault, {}, 'same', 'its default'],
    [
      'an override of others',
      byDefault,
      { rules: [to(2, { enabled: false })] },
      'same',
      'its default',
    ],
    ['one that says nothing', byDefault, itself({ action: '' }), 'same', 'its default'],
    ['one of the rule', byDefault, itself({ action: 'log' }), 'other', 'log'],
    ['one that switches it on', byDefault, itself({ enabled: true }), 'other', 'on'],
    ['the whole ruleset off', byDefault, { enabled: false }, 'other', 'off'],
    ['the whole ruleset in log', byDefault, { action: 'log' }, 'other', 'log'],
    ['a category', byDefault, level, 'other', 'its default'],
    [
      'a category, and the rule',
      byDefault,
      { ...level, ...itself({ action: '' }) },
      'same',
      'its default',
    ],
    ['no override of what is rewritten', rewritten, {}, 'other', 'its default'],
    ['the action of the whole ruleset', rewritten, { action: 'challenge' }, 'same', 'challenge'],
    ['one nearly it', rewritten, { action: 'managed_challenge' }, 'similar', 'managed_challenge'],
    ['another one', rewritten, { action: 'log' }, 'other', 'log'],
    [
      'the action, and off',
      rewritten,
      { action: 'challenge', enabled: false },
      'other',
      'off (challenge)',
    ],
  ])('with %s', (_, want, overrides, met, state) => {
    const run = managed(overrides as JsonObject, { expression: 'a' });
    expect(answerTo(want, rulesetOf(run))).toMatchObject({ met, to: `rule ${id}: ${state}` });
  });

  it('names what it comes from, and why it is not quite the same', () => {
    const run = (overrides: object) => managed(overrides as JsonObject, { expression: 'a' });
    const places = (want: RuleWant, overrides: object) =>
      answerTo(want, rulesetOf(run(overrides))).places;
    expect(places(byDefault, { action: 'log' })).toStrictEqual([{ rule: 0 }]);
    expect(places(byDefault, itself({ action: 'log' }))).toEqual([
      { rule: 0, override: `rules/${id}` },
    ]);
    expect(places(rewritten, { action: 'challenge' })).toEqual([{ rule: 0, override: 'all' }]);
    expect(answerTo(byDefault, rulesetOf(run(level))).why).toMatch(/categories .* not known/);
    const nearly = answerTo(rewritten, rulesetOf(run({ action: 'managed_challenge' })));
    expect(nearly).toMatchObject({ why: CHALLENGE_NOTE });
  });
});

describe('of an answer of several rules for all requests', () => {
  const answer = (here: string, elsewhere: string) =>
    answerTo(
      { kind: 'rule-acts', id, action: 'challenge' },
      rulesetOf(overridden('a', { action: here }), overridden('not a', { action: elsewhere })),
    );

  it.each([
    ['challenge', 'challenge', 'same'],
    ['managed_challenge', 'challenge', 'other'],
    ['challenge', 'managed_challenge', 'similar'],
    ['log', 'challenge', 'other'],
    ['log', 'managed_challenge', 'other'],
  ])('%s here and %s elsewhere is %s', (here, elsewhere, met) => {
    expect(answer(here, elsewhere).met).toBe(met);
  });
});
