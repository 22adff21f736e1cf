import { bothDeploymentsOf, deploymentsOf, findSwitchedOff } from '../../src/ruleset/deployments';
import { type DeclaredRule } from '../../src/core/ruleset';

const rule = (more: Partial<DeclaredRule>): DeclaredRule => ({
  ref: 'r',
  action: 'execute',
  expression: 'true',
  enabled: true,
  fields: { action_parameters: { id: 'managed' } },
  ...more,
});
const deployed = (...rules: DeclaredRule[]) =>
  deploymentsOf({ name: 'n', kind: 'zone', phase: 'p', rules, fields: {} });

describe('what a ruleset deploys', () => {
  it('is each managed ruleset that is on, and the requests that it sees', () => {
    const other = rule({ expression: 'ssl', fields: { action_parameters: { id: 'owasp' } } });
    expect(deployed(rule({}), other)).toEqual([
      { rulesetId: 'managed', expression: 'true' },
      { rulesetId: 'owasp', expression: 'ssl' },
    ]);
  });

  it.each<[string, Partial<DeclaredRule>]>([
    ['a rule that is off', { enabled: false }],
    ['a rule of another action, whatever its parameters are', { action: 'skip' }],
    ['an id that is no text', { fields: { action_parameters: { id: 7 } } }],
    ['a rule without parameters', { fields: {} }],
    ['parameters that are none', { fields: { action_parameters: null } }],
  ])('is none of %s', (_, more) => {
    expect(deployed(rule(more))).toEqual([]);
  });
});

it('of what a ruleset deploys, what only logs does not act', () => {
  const logging = { id: 'owasp', overrides: { action: 'log' } };
  const rules = [rule({}), rule({ fields: { action_parameters: logging } })];
  const ruleset = { name: 'n', kind: 'zone', phase: 'p', rules, fields: {} };
  expect(deploymentsOf(ruleset).map(({ rulesetId }) => rulesetId)).toEqual(['managed', 'owasp']);
  expect(bothDeploymentsOf(ruleset).acting).toEqual([{ rulesetId: 'managed', expression: 'true' }]);
});

describe('what is on before and not after', () => {
  const all = { rulesetId: 'managed', expression: 'true' };
  const some = { rulesetId: 'managed', expression: 'ssl' };
  const others = { rulesetId: 'managed', expression: 'not ssl' };
  const owasp = { rulesetId: 'owasp', expression: 'true' };

  it.each([
    ['nothing, where nothing changes', [all, owasp], [owasp, all], []],
    ['nothing, where some requests are still seen', [some, others], [others, some], []],
    ['what is gone', [all, owasp], [all], [owasp]],
    ['all, where nothing is left', [some, owasp], [], [some, owasp]],
    ['nothing, where what is new sees every request', [some], [all], []],
    ['what saw every request and now sees some', [all], [some], [all]],
    ['what saw other requests, which nobody can compare', [some], [others], [some]],
    ['nothing of what was not on', [], [all], []],
  ])('is %s', (_, before, after, off) => {
    expect(findSwitchedOff(before, after)).toEqual(off);
  });
});
