import { SCORING_RULE } from '../../src/core/ruleset';
import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { intendedActions, ruleNamer } from '../../src/review/managed-rules';

const managed = 'efb7b8c949ac4650a09736fc376e9aee';
const owasp = '4814384a9e5d4991b9815dcfc25d2f1f';
const rule = '0242110ae62e44028a13bf4834780914';
const tagged = {
  ...{ rulesetId: managed, id: rule, description: '', action: 'block' },
  categories: ['wordpress'],
};
const rankOf = (id: string, overrides: object, ruleset = managed): number => {
  const parameters = { id: ruleset, overrides };
  const { rules } = parseRuleset({
    name: 'default',
    rules: [{ action: 'execute', expression: 'true', action_parameters: parameters }],
  }).ruleset;
  const { intended } = intendedActions(rules, [tagged]);
  return intended.rules.get(id) ?? intended.fallback;
};
const [block, challenge, log, none] = [3, 2, 1, 0];
const off = { enabled: false };

describe('a rule is configured to do', () => {
  const own = (more: object) => ({ rules: [{ id: rule, ...more }] });
  const tag = (more: object) => ({ categories: [{ category: 'wordpress', ...more }] });
  const [on, logs] = [{ enabled: true }, { action: 'log' }];
  test.each([
    ['nothing, if its ruleset is off', off, none],
    ['its own action, if it alone is on', { ...off, ...own(on) }, block],
    [
      'the action of its ruleset, if its tag switches it on',
      { ...off, action: 'managed_challenge', ...tag(on) },
      challenge,
    ],
    ['nothing, if its tag is off and it has an action', { ...tag(off), ...own(logs) }, none],
    ['[S41] the action of its override', { action: 'block', ...own(logs) }, log],
  ])('%s', (_, overrides, rank) => {
    expect(rankOf(rule, overrides)).toBe(rank);
  });

  test.each([
    ['block, whatever action the whole OWASP ruleset has', { action: 'log' }, block],
    [
      'its own action, if it is the scoring rule with one',
      { action: 'block', rules: [{ id: SCORING_RULE, ...logs }] },
      log,
    ],
    ['nothing, if it is the scoring rule of a ruleset that is off', { ...logs, ...off }, none],
  ])('%s', (_, overrides, rank) => {
    expect(rankOf(SCORING_RULE, overrides, owasp)).toBe(rank);
  });
});

test('names a legacy rule for its id in any case', () => {
  const nameOf = ruleNamer([]);
  const listed = nameOf('legacy', '100303_BETA');
  expect(listed.name).not.toBe('');
  expect(nameOf('legacy', '100303_beta')).toEqual(listed);
  expect(nameOf('legacy', 'unknown')).toEqual({ name: '' });
});
