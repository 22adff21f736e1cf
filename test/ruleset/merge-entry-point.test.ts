import fc from 'fast-check';
import { diffRulesets, renderEntryPoint } from '../../src/ruleset/compare-rulesets';
import { mergeEntryPoint } from '../../src/ruleset/merge-entry-point';
import { normaliseRuleset } from '../../src/ruleset/normalise-ruleset';
import { expectGolden } from '../generate/support/golden';
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

test('fields that the API adds are no difference', () => {
  const stands = standing(
    skip('ip.src eq 192.0.2.1', { id: id('1'), ref: 'office', logging: { enabled: true } }),
    deploy(MANAGED, { version: 'latest' }, { id: id('2'), ref: 'm', version: '3' }),
  );
  const { ruleset, codes } = merged(stands, config(skip('ip.src eq 192.0.2.1'), deploy(MANAGED)));
  expect(ruleset.rules).toHaveLength(2);
  expect(codes).toEqual([]);
});

test('keeps fields that only one of the rulesets has', () => {
  const live = { ...standing(deploy(MANAGED)), fields: { both: 'live', live: 1 } };
  const proposed = { ...config(deploy(MANAGED)), fields: { both: 'proposed', proposed: 2 } };
  const { ruleset } = mergeEntryPoint(live, proposed);
  expect(ruleset.fields).toEqual({ both: 'live', live: 1, proposed: 2 });
});

test('merges existing and proposed rules of every kind', () => {
  const stands = standing(
    deploy(CREDENTIALS, {}, { id: id('1'), ref: 'credentials', description: 'leaked' }),
    { action: 'block', expression: 'ssl', enabled: false, id: id('2'), ref: 'own' },
    skip('ip.src eq 192.0.2.1', { id: id('3'), ref: 'office', description: 'ours' }),
    skip('ip.src eq 192.0.2.3', { id: id('6'), ref: 'guests' }),
    deploy(MANAGED, {}, { id: id('4'), expression: 'not ssl', description: 'half' }),
    deploy(OWASP, {}, { id: id('5'), ref: 'score', enabled: false }),
  );
  const proposed = config(
    deploy(OWASP, {}, { description: 'as proposed' }),
    { action: 'log', expression: 'ssl', enabled: true, ref: 'own' },
    skip('ip.src eq 192.0.2.1'),
    deploy(MANAGED),
    deploy(MANAGED, {}, { expression: 'ssl' }),
    skip('ip.src eq 192.0.2.2', { ref: 'score' }),
    { action: 'block', expression: 'a', enabled: true, ref: id('4') },
  );
  const text = JSON.stringify(mergeEntryPoint(stands, proposed), null, 2);
  expectGolden('generate/merged', 'all.json', `${text}\n`);
});

test('merges hundreds of rules with long expressions in time', () => {
  const expression = (kind: string, index: number): string =>
    Array.from(
      { length: 60 },
      (_, at) => `(http.request.uri.path eq "/${kind}/${index}/${at}")`,
    ).join(' or ');
  const rules = (kind: string) =>
    Array.from({ length: 100 }, (_, index) =>
      deploy(MANAGED, {}, { expression: expression(kind, index), ref: `${kind}${index}` }),
    );
  const [stands, proposed] = [standing(...rules('a')), config(...rules('b'))];
  expect(merged(stands, proposed).ruleset.rules).toHaveLength(200);
});

const address = 'ip.src eq 192.0.2.1';
const office = skip(address, { ref: 'office' });
/** Rules of an entry point by their refs; with a capital, rules of a configuration. */
const rules: Readonly<Record<string, object>> = {
  managed: deploy(MANAGED, {}, { ref: 'managed' }),
  owasp: deploy(OWASP, {}, { ref: 'owasp' }),
  office,
  'office-off': { ...office, enabled: false },
  'office-of-managed': { ...office, action_parameters: { rulesets: [MANAGED] } },
  'office-of-a-rule': { ...office, action_parameters: { rules: { [MANAGED]: [id('a')] } } },
  Managed: deploy(MANAGED),
  Again: deploy(MANAGED, {}, { ref: 'again', expression: 'ssl' }),
  Owasp: deploy(OWASP),
  'Owasp-off': deploy(OWASP, {}, { enabled: false }),
  Office: skip(address),
  New: skip(address, { ref: 'new' }),
  Own: { action: 'block', expression: 'ssl', ref: 'own', enabled: true },
};
const rulesOf = (names: string): object[] => names.split(' ').map((name) => rules[name]!);

test.each([
  // of the configuration; deployments may change places without a finding
  ['managed', 'Managed New Owasp', 'managed new Owasp', ''],
  ['owasp managed', 'Managed Owasp', 'managed owasp', ''],
  // an exception that applies to fewer, or more rules
  ['office managed owasp', 'Managed Office Owasp', 'managed office owasp', 'DIFFERS'],
  ['managed office', 'Office Managed', 'office managed', 'DIFFERS'],
  // rules that only the entry point has come first, whatever exception applied to them
  ['managed owasp', 'New Managed', 'owasp new managed', 'KEPT'],
  ['office managed owasp', 'Managed Office', 'owasp managed office', 'DIFFERS KEPT'],
  ['office managed', 'Managed', 'office managed', 'KEPT'],
  // an exception that only the entry point has, and then applies to other rules
  ['office managed', 'Managed Owasp', 'office managed Owasp', 'KEPT WIDER'],
  ['managed office owasp', 'Managed Owasp', 'office managed owasp', 'KEPT DIFFERS WIDER'],
  ['office managed', 'Managed Owasp-off', 'office managed Owasp', 'KEPT'],
  ['office-off managed', 'Managed Owasp', 'office managed Owasp', 'KEPT'],
  ['office-of-managed managed', 'Managed Owasp Own', 'office managed Owasp own', 'KEPT'],
  ['office-of-a-rule managed', 'Managed Again', 'office managed again', 'KEPT WIDER'],
])('the entry point %s and the configuration %s: %s, %s', (stands, proposed, refs, told) => {
  const { ruleset, codes } = merged(standing(...rulesOf(stands)), config(...rulesOf(proposed)));
  const names = ruleset.rules.map(({ ref }) => ref.replace(`execute_${OWASP}`, 'Owasp'));
  const short = codes.map((code) => code.replace(/^STANDING_(RULE|EXCEPTION)_/, ''));
  expect([names.join(' '), short.join(' ')]).toEqual([refs, told]);
});

describe('a rule on or off', () => {
  const office = skip('ssl', { ref: 'office', enabled: false });
  const managed = deploy(MANAGED, {}, { ref: 'managed' });
  const proposed = config(skip('ssl'), deploy(MANAGED));
  const switched = (...stands: object[]) => {
    const { ruleset, codes } = merged(standing(...stands), proposed);
    expect(ruleset.rules).toMatchObject([
      { ref: 'office', enabled: true },
      { ref: 'managed', enabled: true },
    ]);
    return codes;
  };

  test('is reported if the entry point has it off', () => {
    expect(switched(office, managed)).toEqual(['STANDING_RULE_DIFFERS']);
    expect(switched({ ...office, enabled: true }, { ...managed, enabled: false })).toEqual([
      'STANDING_RULE_DIFFERS',
    ]);
  });

  test('is not reported if all rules are off, as before a migration', () => {
    expect(switched(office, { ...managed, enabled: false })).toEqual([]);
  });

  test('is reported in validation mode, even if all rules are off', () => {
    const stands = standing(office, { ...managed, enabled: false });
    const { findings } = mergeEntryPoint(stands, proposed, { isValidating: true });
    expect(findings.map(({ code }) => code)).toEqual([
      'STANDING_RULE_DIFFERS',
      'STANDING_RULE_DIFFERS',
    ]);
  });

  test('is switched off by `enabled: false` in the configuration', () => {
    const off = config(skip('ssl', { enabled: false }));
    const { ruleset, codes } = merged(standing({ ...office, enabled: true }), off);
    expect(ruleset.rules).toMatchObject([{ ref: 'office', enabled: false }]);
    expect(codes).toEqual(['STANDING_RULE_DIFFERS']);
  });
});

describe('an exception without logging', () => {
  const office = skip('ssl', { ref: 'office', logging: { enabled: false } });

  test.each<[string, object]>([
    ['omits it', {}],
    ['has null', { logging: null }],
  ])('stays without logging if the configuration %s', (_, rest) => {
    const { ruleset, codes } = merged(standing(office), config(skip('ssl', rest)));
    expect(ruleset.rules).toMatchObject([
      { ref: 'office', fields: { logging: { enabled: false } } },
    ]);
    expect([ruleset.rules.length, codes]).toEqual([1, []]);
  });

  test('logs as a stack declares it if a file omits logging', () => {
    const { ruleset } = mergeEntryPoint(standing(office), config(skip('ssl')), { isFile: true });
    expect(ruleset.rules).toMatchObject([
      { ref: 'office', fields: { logging: { enabled: true } } },
    ]);
  });

  test('passes no logging to another rule with its ref', () => {
    const { ruleset } = merged(standing(office), config(deploy(MANAGED, {}, { ref: 'office' })));
    expect(ruleset.rules).toMatchObject([{ ref: 'office', action: 'execute' }]);
    expect(ruleset.rules[0]!.fields).not.toHaveProperty('logging');
  });
});

const anyRule = fc.oneof(
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
  const list = (minLength: number) =>
    fc.uniqueArray(anyRule, { minLength, maxLength: 6, selector });
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

test('keeps every rule of the configuration unchanged', () => {
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
