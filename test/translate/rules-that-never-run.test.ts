import { managed, rulesetOf, skip, to } from './support/compared-rulesets';
import { bypass, MANAGED_RULESET, pageRule, rule } from './support/old-zone';
import { newId } from './support/small-catalogue';
import { compared, HOST, type More } from './support/weighed-rulesets';

const settings = { rules: [rule('R1', 'disable')] };
const its = { rules: { [MANAGED_RULESET]: [newId(1)] } };
const others = { rules: { [MANAGED_RULESET]: [newId(2)] } };
const outcome = (...rules: More[]) => compared(settings, rulesetOf(...rules));
const statusOf = (...rules: More[]) => outcome(...rules).parity.settings[0]!.status;
const isLeftOut = (...rules: More[]) =>
  outcome(...rules).findings.some(
    ({ code, severity }) => code === 'MANAGED_RULES_LEFT_OUT' && severity === 'decision',
  );
const off = managed({ rules: [to(1, { enabled: false })] });

describe('a rule that was off is kept off by whatever surely keeps it from running', () => {
  it.each<[string, readonly More[], boolean]>([
    ['its override', [off], false],
    ['the override of the whole ruleset', [managed({ enabled: false })], true],
    [
      'the override of the whole ruleset, and one of another rule that is off as well',
      [managed({ enabled: false, rules: [to(2, { enabled: false })] })],
      true,
    ],
    ['an exception from it for all requests', [skip(its, 'true'), managed()], false],
    [
      'an exception from its ruleset',
      [skip({ rulesets: [MANAGED_RULESET] }, 'true'), managed()],
      true,
    ],
    ['an exception from everything', [skip({ ruleset: 'current' }, 'true'), managed()], true],
    ['a rule for no request', [managed(undefined, { expression: 'false' })], true],
    [
      'an exception for one part, an override for the other',
      [
        skip(its, HOST),
        managed(undefined, { expression: HOST }),
        { ...off, expression: `not (${HOST})` },
      ],
      false,
    ],
    [
      'an override for one part, an exception for the other',
      [
        skip(its, HOST),
        { ...off, expression: `not (${HOST})` },
        managed(undefined, { expression: HOST }),
      ],
      false,
    ],
  ])('%s', (_, rules, leftOut) => {
    expect(statusOf(...rules)).toBe('kept');
    expect(isLeftOut(...rules)).toBe(leftOut);
  });

  it.each<[string, readonly More[]]>([
    ['an exception for some requests', [skip(its, HOST), managed()]],
    ['an exception that is disabled', [skip(its, 'true', { enabled: false }), managed()]],
    ['an exception behind the rule that runs it', [managed(), skip(its, 'true')]],
    ['an exception from another rule', [skip(others, 'true'), managed()]],
    [
      'a whole ruleset that is off, and the rule on',
      [managed({ enabled: false, rules: [to(1, { enabled: true })] })],
    ],
  ])('not by %s', (_, rules) => {
    expect(statusOf(...rules)).not.toBe('kept');
    expect(isLeftOut(...rules)).toBe(false);
  });

  it.each<[string, readonly More[]]>([
    ['a rule that is disabled', [managed(undefined, { enabled: false })]],
    ['no rule at all', []],
  ])('but is lost with its managed ruleset, which is deployed by %s', (_, rules) => {
    expect(statusOf(...rules)).toBe('lost');
    expect(isLeftOut(...rules)).toBe(true);
  });

  it('and no other exception than those that name it is there for it', () => {
    const { settings: rows, rules } = outcome(
      skip(others, HOST),
      skip(its, 'true'),
      skip(its, HOST, { enabled: false }),
      managed(),
    ).parity;
    expect(rows[0]).toMatchObject({
      rules: [1],
      to: `rule ${newId(1)}: runs for none of its requests`,
    });
    expect(rules.map(({ from }) => from)).toEqual([[], [`${rows[0]!.from}.mode`], [], []]);
  });
});

describe('a rule that acted is lost by each of them', () => {
  const acting = { rules: [rule('R1', 'block')] };
  it.each<[string, readonly More[]]>([
    ['an exception', [skip(its, 'true'), managed({ rules: [to(1, { action: 'block' })] })]],
    ['no rule at all', []],
  ])('%s', (_, rules) => {
    expect(compared(acting, rulesetOf(...rules)).parity.settings[0]!.status).toBe('lost');
  });
});

describe('managed rules are not told to be left out', () => {
  it('where the old settings ask for it', () => {
    const codes = (parts: Parameters<typeof compared>[0], ...rules: More[]) =>
      compared(parts, rulesetOf(...rules)).findings.map(({ code }) => code);
    const wafSwitch = { from: 'settings', value: 'off' };
    expect(codes({ wafSwitch })).not.toContain('MANAGED_RULES_LEFT_OUT');
    const everything = { firewallRules: [bypass({ expression: 'true' })] };
    const excepted = [skip({ ruleset: 'current' }, 'true'), managed()];
    expect(codes(everything, ...excepted)).not.toContain('MANAGED_RULES_LEFT_OUT');
    const elsewhere = pageRule({ from: 'off', target: 'b.com/*', waf: 'off', priority: 2 });
    const none = {
      wafSwitch,
      pageRules: [pageRule({ from: 'on', target: 'a.com/*', waf: 'on' }), elsewhere],
      firewallRules: [bypass({ expression: `${HOST} and not http.host eq "b.com"` })],
    };
    expect(codes(none)).not.toContain('MANAGED_RULES_LEFT_OUT');
    const pages = { wafSwitch, pageRules: [pageRule({ waf: 'on' })] };
    expect(codes(pages)).toContain('MANAGED_RULES_LEFT_OUT');
  });
});
