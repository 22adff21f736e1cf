import { heldFor, reachOf } from '../../src/ruleset/exceptions';
import { normaliseRuleset } from '../../src/ruleset/normalise-ruleset';
import { MANAGED_PHASE } from '../../src/core/ruleset';
import { config, deploy, id, MANAGED, OWASP, skip } from '../generate/support/merge';

const declared = (...rules: object[]) => normaliseRuleset(config(...rules)).ruleset.rules;
const refs = (rules: readonly { ref: string }[]) => rules.map(({ ref }) => ref);
const others = [
  deploy(MANAGED, {}, { ref: 'managed' }),
  deploy(OWASP, {}, { ref: 'owasp' }),
  { action: 'block', expression: 'ssl', ref: 'own' },
  skip('ssl', { ref: 'other exception' }),
];

it.each<[string, object, string[]]>([
  ['the ruleset that it is in', { ruleset: 'current' }, ['managed', 'owasp', 'own']],
  ['the phase', { phases: [MANAGED_PHASE] }, ['managed', 'owasp', 'own']],
  ['a managed ruleset', { rulesets: [MANAGED] }, ['managed']],
  ['a rule of a managed ruleset', { rules: { [OWASP]: [id('a')] } }, ['owasp']],
  ['another phase', { phases: ['http_ratelimit'] }, []],
])('an exception from %s holds for no other exception', (_, parameters, wanted) => {
  const [exception] = declared(skip('ssl', { action_parameters: parameters }));
  expect(refs(declared(...others).filter(reachOf(exception!)))).toEqual(wanted);
});

it('a rule that is no exception holds for none', () => {
  const [managed, owasp] = declared(...others);
  expect(reachOf(managed!)(owasp!)).toBe(false);
});

it('an exception holds for what comes behind it', () => {
  const [managed, ...rest] = others;
  const rules = declared(managed!, skip('not ssl', { ref: 'exception' }), ...rest);
  expect(refs(heldFor(rules, rules[1]!))).toEqual(['owasp', 'own']);
});
