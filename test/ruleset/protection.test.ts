import { type Finding } from '../../src/core/finding';
import { type JsonObject } from '../../src/core/json';
import { type RulesetRule, SCORING_RULE } from '../../src/core/ruleset';
import { deploymentsOf, deploysAny, lostProtection } from '../../src/ruleset/protection';
import { OWASP_RULESET } from '../../src/ruleset/known-rulesets';

const rule = (action: string, parameters: JsonObject, more: object = {}): RulesetRule => ({
  action,
  expression: 'true',
  fields: { action_parameters: parameters },
  ...more,
});
const deploy = (expression: string, enabled = true) =>
  rule('execute', { id: 'm' }, { expression, enabled });
const skip = (expression: string, from: JsonObject = { ruleset: 'current' }, enabled = true) =>
  rule('skip', from, { expression, enabled });

describe('a deployed managed ruleset', () => {
  const effect = (overrides: JsonObject, id = 'm') =>
    deploymentsOf([rule('execute', { id, overrides })])[0]?.effect;

  const of = (id: string, more: JsonObject): JsonObject => ({ rules: [{ id, ...more }] });
  const one = (more: JsonObject) => of('a', more);
  const score = (more: JsonObject) => of(SCORING_RULE, more);
  const tag = (more: JsonObject) => ({ categories: [{ category: 'x', ...more }] });
  const [on, off, log, block] = [
    ...[{ enabled: true }, { enabled: false }],
    ...[{ action: 'log' }, { action: 'block' }],
  ] as const;
  /** The scoring rule, and another one. */
  const both = (scoring: object, other: object) => ({
    rules: [
      { id: SCORING_RULE, ...scoring },
      { id: 'a', ...other },
    ],
  });

  it.each<['acts' | 'logs' | 'off', string, JsonObject]>([
    ['acts', 'whose single rules log', one(log)],
    ['acts', 'whose single rules are off', one(off)],
    ['acts', 'that logs but for one rule', { ...log, ...one(block) }],
    ['acts', 'that is off but for a tag', { ...off, ...tag(on) }],
    ['acts', 'that is on by override', on],
    ['acts', 'with another threshold', score({ score_threshold: 40 })],
    ['acts', 'that is not OWASP', score(off)],
    ['logs', 'as a whole', log],
    ['logs', 'with its rules', { ...log, ...one(log) }],
    ['logs', 'but for rules that are off', { ...log, ...one({ ...block, ...off }) }],
    ['logs', 'with the one tag that is on', { ...off, ...tag({ ...on, ...log }) }],
    ['logs', 'with odd overrides', { ...log, rules: [null], more: 'x' }],
    ['off', 'with all of its rules', off],
    ['off', 'with an action that reaches no rule', { ...off, ...block, ...one(block) }],
  ])('%s: one %s', (expected, _, overrides) => {
    expect(effect(overrides)).toBe(expected);
  });

  const levels = (enabled: boolean, ...numbers: number[]) => ({
    categories: numbers.map((level) => ({ category: `paranoia-level-${level}`, enabled })),
  });
  it.each<['acts' | 'logs' | 'off', string, JsonObject]>([
    ['off', 'without its scoring rule', score(off)],
    ['off', 'without levels', levels(false, 1, 2, 3, 4)],
    ['off', 'without the first level', levels(false, 1)],
    ['off', 'with a level alone', { ...off, ...levels(true, 1) }],
    ['off', 'with its scoring rule alone', { ...off, ...score(on) }],
    ['off', 'with a rule that does not count', { ...off, ...one(on) }],
    ['off', 'with a rule off', { ...levels(false, 1), ...one(off) }],
    ['acts', 'with its first level', levels(false, 2, 3, 4)],
    ['acts', 'with its first level and scoring rule', { ...off, ...levels(true, 1), ...score(on) }],
    ['acts', 'with single rules beside its scoring rule', { ...off, ...both(on, on) }],
    ['acts', 'with its scoring rule, whatever the whole does', { ...log, ...score(block) }],
    ['logs', 'as a whole', log],
    ['logs', 'as a whole, whatever another rule does', { ...log, ...one(block) }],
    ['logs', 'by the scoring rule', score(log)],
    ['logs', 'by the scoring rule, beside rules whose action stays', both(log, on)],
    ['logs', 'by the scoring rule, whatever the whole does', { ...block, ...score(log) }],
    [
      'logs',
      'by the scoring rule, with its first level alone',
      { ...off, ...levels(true, 1), ...score({ ...on, ...log }) },
    ],
    ['acts', 'with single rules', { ...levels(false, 1, 2, 3, 4), ...one(on) }],
  ])('%s: OWASP %s', (expected, _, overrides) => {
    expect(effect(overrides, OWASP_RULESET)).toBe(expected);
  });
});

/** More than is taken apart to compare it with another one. */
const long = Array.from({ length: 200 }, (_, at) => `(a${at} and b${at})`).join(' or ');

describe('a deployment sees no request behind', () => {
  it.each<[string, RulesetRule, string]>([
    ['an exception for every request', skip('true'), 'ssl'],
    ['an exception for its requests, however they are written', skip('((ssl))'), '(ssl)'],
    ['an exception for its requests, in however many words', skip(`(${long})`), long],
    ['an exception for more requests', skip('ssl or http.host eq "a"'), 'ssl'],
    ['an exception from the ruleset', skip('true', { rulesets: ['m'] }), 'true'],
    [
      'an exception from the phase',
      skip('true', { phases: ['http_request_firewall_managed'] }),
      'true',
    ],
    ['one from the rule that acts', skip('true', { rules: { m: [SCORING_RULE] } }), 'true'],
  ])('%s', (_, exceptedBy, expression) => {
    const rules = [skip('http.host eq "b"'), exceptedBy, deploy(expression)];
    expect(deploymentsOf(rules)).toMatchObject([
      { rule: rules.at(-1), rulesetId: 'm', expression, effect: 'off', exceptedBy },
    ]);
    expect(deploysAny(rules)).toBe(false);
  });
});

describe('a deployment sees some request', () => {
  it.each<[string, RulesetRule[]]>([
    ['before the exception', [deploy('true'), skip('true')]],
    ['behind one that is off', [skip('true', undefined, false), deploy('true')]],
    ['behind one for some requests', [skip('ssl'), deploy('true')]],
    ['behind one from another ruleset', [skip('true', { rulesets: ['o'] }), deploy('true')]],
    ['behind one of another phase', [skip('true', { phases: ['http_ratelimit'] }), deploy('true')]],
    ['behind one from some of its rules', [skip('true', { rules: { m: ['a'] } }), deploy('true')]],
  ])('%s', (_, rules) => {
    expect(deploymentsOf(rules)).toMatchObject([{ effect: 'acts', exceptedBy: undefined }]);
    expect(deploysAny(rules)).toBe(true);
  });
});

describe('protection that a new entry point would lose', () => {
  const rulesetOf = (...rules: RulesetRule[]) => ({
    ...{ name: 'default', kind: 'zone', phase: 'http_request_firewall_managed', fields: {} },
    rules,
  });
  const owasp = rule('execute', { id: OWASP_RULESET });
  const logs = rule('execute', { id: 'm', overrides: { action: 'log' } });
  const [all, some, others] = ['true', 'ssl', 'not ssl'].map((one) => deploy(one)) as [
    RulesetRule,
    RulesetRule,
    RulesetRule,
  ];

  it.each<[string, RulesetRule[], RulesetRule[], string[]]>([
    ['nothing, where nothing changes', [all, owasp], [owasp, all], []],
    ['nothing, where several rules see the same requests', [some, others], [others, some], []],
    ['nothing, where the new rule sees every request', [some], [all], []],
    ['nothing of what was not on', [], [all], []],
    ['what is gone', [all, owasp], [all], [`MANAGED_RULESET_OFF ${OWASP_RULESET} true`]],
    ['what saw every request', [all], [some], ['MANAGED_RULESET_OFF m true']],
    ['what saw other requests', [some], [others], ['MANAGED_RULESET_OFF m ssl']],
    ['the same twice, once', [all, all], [], ['MANAGED_RULESET_OFF m true']],
    ['what blocked and would log', [all], [logs], ['NEW_RULES_LOG m true']],
    ['nothing of what logged and logs', [logs], [logs], []],
  ])('is %s', (_, before, after, lost) => {
    const told = (findings: readonly Finding[]) =>
      findings.map(({ code, subject, message }) =>
        [code, subject, /where (.*?)[,:]/.exec(message)?.[1]].join(' '),
      );
    expect(told(lostProtection(rulesetOf(...before), undefined, rulesetOf(...after)))).toEqual(
      lost,
    );
    expect(told(lostProtection(rulesetOf(), rulesetOf(...before), rulesetOf(...after)))).toEqual(
      lost,
    );
  });
});
