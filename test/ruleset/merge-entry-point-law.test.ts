import fc from 'fast-check';
import { diffRulesets, renderEntryPoint } from '../../src/ruleset/compare-rulesets';
import { normaliseRuleset } from '../../src/ruleset/normalise-ruleset';
import {
  config,
  CREDENTIALS,
  deploy,
  id,
  MANAGED,
  merged,
  OWASP,
  skip,
  standing,
} from './support/merge';

const rule = fc.oneof(
  fc
    .record({
      ruleset: fc.constantFrom(MANAGED, OWASP, CREDENTIALS),
      parameters: fc.constantFrom({}, { overrides: { action: 'log' } }),
      expression: fc.constantFrom('true', 'ip.src eq 192.0.2.1'),
      enabled: fc.boolean(),
    })
    .map(({ ruleset, parameters, ...rest }) => deploy(ruleset, parameters, rest)),
  fc
    .record({
      expression: fc.constantFrom('ip.src eq 192.0.2.1', 'ip.src eq 192.0.2.2', 'ssl'),
      enabled: fc.boolean(),
      action_parameters: fc.constantFrom<object>(
        { ruleset: 'current' },
        { rulesets: [MANAGED] },
        { rulesets: [OWASP, CREDENTIALS] },
        { rules: { [MANAGED]: [id('a')] } },
      ),
    })
    .map(({ expression, ...rest }) => skip(expression, rest)),
  fc.boolean().map((enabled) => skip('ssl', { action: 'log', enabled, action_parameters: {} })),
);
type Rule = ReturnType<typeof skip | typeof deploy>;
/** What a rule is for, whatever its settings are. */
const purpose = ({ action, expression, action_parameters: parameters }: any): string =>
  JSON.stringify([action, expression, parameters.id ?? parameters]);
/** Whether an exception holds for a rule that comes behind it. */
const reaches = (exception: any, { action, action_parameters: { id: ruleset } }: any): boolean => {
  if (exception.action !== 'skip' || action === 'skip') return false;
  const { ruleset: current, rulesets = [], rules = {} } = exception.action_parameters;
  return current === 'current' || rulesets.includes(ruleset) || ruleset in rules;
};
const listsOf = (selector: (rule: Rule) => string) => {
  const list = (minLength: number) => fc.uniqueArray(rule, { minLength, maxLength: 6, selector });
  const refs = fc.array(fc.constantFrom('r', `execute_${MANAGED}`, 'skip'), {
    minLength: 6,
    maxLength: 6,
  });
  const standings = fc.tuple(list(1), refs).map(([rules, names]) =>
    rules.map((one, index) => ({
      ...one,
      id: index.toString(16).repeat(32),
      ref: `${names[index]!}${index === 0 ? '' : String(index)}`,
    })),
  );
  return [standings, list(1)] as const;
};
const [standings, proposals] = listsOf((one) => JSON.stringify({ ...one, enabled: true }));

test('no existing rule is lost, and each keeps its id and ref', () => {
  fc.assert(
    fc.property(standings, proposals, (stands, proposed) => {
      const { ruleset } = merged(standing(...stands), config(...proposed));
      for (const { id, ref } of stands) {
        expect(ruleset.rules).toContainEqual(expect.objectContaining({ id, ref }));
      }
    }),
  );
});

test('every rule of the configuration is in the result, as it was proposed', () => {
  const does = ({ action, expression, enabled, fields }: any): string =>
    JSON.stringify([action, expression, enabled, fields.action_parameters]);
  fc.assert(
    fc.property(standings, proposals, (stands, proposed) => {
      const { ruleset } = merged(standing(...stands), config(...proposed));
      const result = ruleset.rules.map(does);
      for (const one of normaliseRuleset(config(...proposed)).rules) {
        expect(result).toContain(does(one));
      }
    }),
  );
});

test('merging again what has been sent changes nothing', () => {
  fc.assert(
    fc.property(standings, proposals, (stands, proposed) => {
      const once = merged(standing(...stands), config(...proposed)).ruleset;
      const sent = renderEntryPoint(once)['rules'] as object[];
      const saved = sent.map((one, index) => ({ ...one, id: id((index % 16).toString(16)) }));
      const again = merged(standing(...saved), config(...proposed)).ruleset;
      expect(diffRulesets(once, again)).toEqual([]);
    }),
  );
});

test('the rules of the configuration come in its order', () => {
  const [some, others] = listsOf(purpose);
  fc.assert(
    fc.property(some, others, (stands, proposed) => {
      const sent = renderEntryPoint(merged(standing(...stands), config(...proposed)).ruleset);
      const wanted = proposed.map(purpose);
      const result = (sent['rules'] as object[]).map(purpose);
      expect(result.filter((one) => wanted.includes(one))).toEqual(wanted);
    }),
  );
});

test('reports exactly the exceptions that apply to more rules than before or as proposed', () => {
  const [some, others] = listsOf(purpose);
  const pairs = (rules: readonly object[]): string[] =>
    rules.flatMap((one, index) =>
      rules
        .slice(index + 1)
        .filter((other) => reaches(one, other))
        .map((other) => `${purpose(one)} ${purpose(other)}`),
    );
  fc.assert(
    fc.property(some, others, (stands, proposed) => {
      const { ruleset, codes } = merged(standing(...stands), config(...proposed));
      const known = [...pairs(stands), ...pairs(proposed)];
      const on = ruleset.rules.filter(({ enabled }) => enabled);
      const sent = renderEntryPoint({ ...ruleset, rules: on })['rules'] as object[];
      const more = pairs(sent).filter((pair) => !known.includes(pair));
      expect(codes.includes('STANDING_EXCEPTION_WIDER')).toBe(more.length > 0);
    }),
    { numRuns: 1000 },
  );
});

test('an existing exception applies to the same rules, unless a finding says otherwise', () => {
  const [some, others] = listsOf(purpose);
  fc.assert(
    fc.property(some, others, (stands, proposed) => {
      const before = standing(...stands);
      const { ruleset, codes } = merged(before, config(...proposed));
      const order = ruleset.rules.flatMap(({ ref }) => stands.filter((one) => one.ref === ref));
      const held = (rules: typeof stands, exception: object): string[] =>
        rules
          .slice(rules.findIndex((one) => one === exception))
          .filter((one) => reaches(exception, one))
          .map(({ ref }) => ref)
          .sort();
      const differ = stands.some((one) => held(order, one).join() !== held(stands, one).join());
      if (differ) expect(codes).toContain('STANDING_RULE_DIFFERS');
    }),
    { numRuns: 1000 },
  );
});
