import { mergeEntryPoint } from '../../src/ruleset/merge-entry-point';
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

test('without an entry point, the result is the configuration', () => {
  const proposed = config(deploy(MANAGED));
  expect(mergeEntryPoint(undefined, proposed)).toEqual({ ruleset: proposed, findings: [] });
});

test('existing rules keep their name, id and ref, and new rules follow', () => {
  const stands = standing(
    deploy(CREDENTIALS, {}, { id: id('1'), ref: 'credentials', description: 'leaked' }),
    deploy(MANAGED, {}, { id: id('2'), ref: 'managed', enabled: false, description: 'ours' }),
  );
  const { ruleset, codes } = merged(stands, config(deploy(MANAGED), deploy(OWASP)));
  expect(ruleset).toMatchObject({ name: 'zone', description: 'ours' });
  expect(ruleset).not.toHaveProperty('id');
  expect(ruleset.rules).toMatchObject([
    { id: id('1'), ref: 'credentials' },
    { id: id('2'), ref: 'managed', enabled: true, description: 'ours' },
    { ref: `execute_${OWASP}` },
  ]);
  expect(codes).toEqual(['STANDING_RULE_KEPT', 'STANDING_RULE_DIFFERS']);
});

test('fields that the API adds are no difference', () => {
  const stands = standing(
    skip('ip.src eq 192.0.2.1', { id: id('1'), ref: 'office', logging: { enabled: true } }),
    deploy(MANAGED, { version: 'latest' }, { id: id('2'), ref: 'm', version: '3' }),
  );
  const { ruleset, codes } = merged(stands, config(skip('ip.src eq 192.0.2.1'), deploy(MANAGED)));
  expect(ruleset.rules).toHaveLength(2);
  expect(codes).toEqual([]);
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

test('of two deployments of one ruleset, the one that does the same matches the proposed one', () => {
  const log = { overrides: { action: 'log' } };
  const stands = standing(
    deploy(MANAGED, {}, { ref: 'acts' }),
    deploy(MANAGED, log, { ref: 'logs' }),
  );
  const { ruleset, codes } = merged(stands, config(deploy(MANAGED, log)));
  expect(ruleset.rules.map(({ ref }) => ref)).toEqual(['acts', 'logs']);
  expect(codes).toEqual(['STANDING_RULE_KEPT']);
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

  test('matches the rule in the same state, if two differ only in that', () => {
    const twins = config(skip('ssl'), skip('ssl', { enabled: false }));
    const { ruleset, codes } = merged(
      standing(office, { ...office, ref: 'second', enabled: true }),
      twins,
    );
    expect(ruleset.rules).toMatchObject([{ ref: 'second' }, { ref: 'office' }]);
    expect(codes).toEqual([]);
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

  test('is reported if the configuration has logging', () => {
    const proposed = config(skip('ssl', { logging: { enabled: true } }));
    const { ruleset, codes } = merged(standing(office), proposed);
    expect(ruleset.rules).toMatchObject([
      { ref: 'office', fields: { logging: { enabled: true } } },
    ]);
    expect([ruleset.rules.length, codes]).toEqual([1, ['STANDING_RULE_DIFFERS']]);
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
