import { type JsonObject } from '../../src/core/json';
import { type Ruleset } from '../../src/core/ruleset';
import { answerRule } from '../../src/translate/compare/answer-rules';
import { Coverage } from '../../src/translate/compare/coverage';
import { viewRuleset } from '../../src/ruleset/view-ruleset';
import { CHALLENGE_NOTE } from '../../src/translate/reading/setting';
import { managed, rulesetOf, skip, to } from './support/compared-rulesets';
import { MANAGED_RULESET } from './support/old-zone';
import { newId } from './support/small-catalogue';

const id = newId(1);
const isOnByDefault = () => true;
type RuleWant = Parameters<typeof answerRule>[0];
/** A rule that runs the managed ruleset for some requests, with an override of the rule. */
const overridden = (expression: string, override: object) =>
  managed({ rules: [to(1, { ...override })] }, { expression });
const exception = (parameters: JsonObject) => skip(parameters, 'x');
const blocks: RuleWant = { kind: 'rule-acts', id, action: 'block', within: 'a' };
const answerTo = (want: RuleWant, ruleset: Ruleset) => {
  const view = { ...viewRuleset(ruleset), isOnByDefault };
  return answerRule(want, view, new Coverage([], view));
};

describe('of an answer for some requests', () => {
  const whole = { ruleset: 'current' };
  const its = { rulesets: [MANAGED_RULESET] };
  const one = { rules: { [MANAGED_RULESET]: [id] } };

  it.each([
    ['a rule', 'everything', blocks, whole, 'other'],
    ['a rule', 'its ruleset', blocks, its, 'other'],
    ['a rule', 'the rule', blocks, one, 'other'],
  ])('%s: an exception from %s', (_, __, want, parameters, met) => {
    const run = managed({ action: 'block' }, { expression: 'a' });
    expect(answerTo(want, rulesetOf(exception(parameters), run)).met).toBe(met);
  });

  it.each<[string, RuleWant, string, string]>([
    ['what does something else does so', blocks, 'other', 'log'],
  ])('although an exception stands before it, %s', (_, want, met, does) => {
    const rule = overridden('a', does === 'off' ? { enabled: false } : { action: does });
    const answer = answerTo(want, rulesetOf(exception(whole), rule));
    expect(answer).toMatchObject({ met, to: `rule ${id}: ${does}` });
  });

  it('what is nearly met says both why it is not quite, and where it holds', () => {
    const rules = [exception(whole), overridden('a', { action: 'managed_challenge' })];
    const challenges: RuleWant = { ...blocks, action: 'challenge' };
    expect(answerTo(challenges, rulesetOf(...rules))).toMatchObject({
      partial: true,
      why: expect.stringMatching(
        new RegExp(`^${CHALLENGE_NOTE}; an exception .* before it: x$`),
      ) as string,
    });
  });
});

describe('a rule that is to be as by default', () => {
  const byDefault: RuleWant = { kind: 'rule-default', id, within: 'a' };
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
    expect(answerTo(byDefault, rulesetOf(run(level))).why).toMatch(/categories .* not known/);
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
