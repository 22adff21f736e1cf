import { asMet, findExcepted, surelySees } from '../../src/ruleset/exceptions';
import { type JsonObject } from '../../src/core/json';
import { type RulesetRule, SCORING_RULE } from '../../src/core/ruleset';

const deploy = (expression: string, id = 'm', enabled = true): RulesetRule => ({
  action: 'execute',
  expression,
  enabled,
  fields: { action_parameters: { id } },
});
const skip = (
  expression: string,
  parameters: JsonObject = { ruleset: 'current' },
  enabled = true,
): RulesetRule => ({
  action: 'skip',
  expression,
  enabled,
  fields: { action_parameters: parameters },
});
/** More than is taken apart to compare it with another one. */
const long = Array.from({ length: 200 }, (_, at) => `(a${at} and b${at})`).join(' or ');

describe('a deployment sees no request behind', () => {
  it.each<[string, RulesetRule[], string]>([
    ['an exception for every request', [skip('true')], 'ssl'],
    ['an exception for its requests, however they are written', [skip('((ssl))')], '(ssl)'],
    ['an exception for its requests, in however many words', [skip(`(${long})`)], long],
    ['an exception for more requests', [skip('ssl or http.host eq "a"')], 'ssl'],
    ['exceptions that are for all of them together', [skip('ssl'), skip('not ssl')], 'true'],
    ['an exception from the ruleset', [skip('true', { rulesets: ['m'] })], 'true'],
    [
      'an exception from the phase',
      [skip('true', { phases: ['http_request_firewall_managed'] })],
      'true',
    ],
    [
      'an exception from the rule that acts on the score',
      [skip('true', { rules: { m: [SCORING_RULE] } })],
      'true',
    ],
  ])('%s', (_, exceptions, expression) => {
    const rules = [...exceptions, deploy(expression)];
    expect([...findExcepted(rules)]).toEqual([[rules.at(-1), exceptions]]);
    expect(asMet(rules).at(-1)).toEqual({ ...rules.at(-1), enabled: false });
  });
});

describe('a deployment sees some request', () => {
  it.each<[string, RulesetRule[]]>([
    ['before the exception', [deploy('true'), skip('true')]],
    ['behind one that is off', [skip('true', undefined, false), deploy('true')]],
    ['behind one for some requests', [skip('ssl'), deploy('true')]],
    ['behind one from another ruleset', [skip('true', { rulesets: ['o'] }), deploy('true')]],
    [
      'behind one from another phase',
      [skip('true', { phases: ['http_ratelimit'] }), deploy('true')],
    ],
    ['behind one from some of its rules', [skip('true', { rules: { m: ['a'] } }), deploy('true')]],
    ['behind none', [deploy('true')]],
  ])('%s', (_, rules) => {
    expect([...findExcepted(rules)]).toEqual([]);
    expect(asMet(rules)).toEqual(rules);
  });

  it('where it is off, and is not said to be excepted', () => {
    expect([...findExcepted([skip('true'), deploy('true', 'm', false)])]).toEqual([]);
  });
});

it('names the one exception that takes all, where there is one', () => {
  const rules = [skip('ssl'), skip('true'), deploy('true')];
  expect([...findExcepted(rules).values()]).toEqual([[rules[1]]]);
});

it('rules without an expression see nothing', () => {
  expect(surelySees([], 'true')).toBe(false);
});
