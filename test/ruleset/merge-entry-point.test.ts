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

const managed = deploy(MANAGED, {}, { ref: 'managed' });
const owasp = deploy(OWASP, {}, { ref: 'owasp' });
const address = 'ip.src eq 192.0.2.1';
const office = skip(address, { ref: 'office' });

const ofManaged = { action_parameters: { rulesets: [MANAGED] } };
const ofOneRule = { action_parameters: { rules: { [MANAGED]: [id('a')] } } };
const own = { action: 'block', expression: 'ssl', ref: 'own', enabled: true };
const off = { enabled: false };
const [KEPT, DIFFERS, WIDER] = [
  'STANDING_RULE_KEPT',
  'STANDING_RULE_DIFFERS',
  'STANDING_EXCEPTION_WIDER',
];

test.each<[string, object[], object[], string, string[]]>([
  [
    'is that of the configuration',
    [managed],
    [deploy(MANAGED), skip(address, { ref: 'new' }), deploy(OWASP)],
    `managed new execute_${OWASP}`,
    [],
  ],
  [
    'is changed by deployments without a finding',
    [owasp, managed],
    [deploy(MANAGED), deploy(OWASP)],
    'managed owasp',
    [],
  ],
  [
    'is reported if an exception then applies to fewer rules',
    [office, managed, owasp],
    [deploy(MANAGED), skip(address), deploy(OWASP)],
    'managed office owasp',
    [DIFFERS],
  ],
  [
    'is reported if an exception then applies to more rules',
    [managed, office],
    [skip(address), deploy(MANAGED)],
    'office managed',
    [DIFFERS],
  ],
  [
    'begins with a deployment that only the entry point has',
    [managed, owasp],
    [skip(address, { ref: 'new' }), deploy(MANAGED)],
    'owasp new managed',
    [KEPT],
  ],
  [
    'begins with it also if an exception of the configuration applied to it',
    [office, managed, owasp],
    [deploy(MANAGED), skip(address)],
    'owasp managed office',
    [DIFFERS, KEPT],
  ],
  [
    'begins with an exception that only the entry point has',
    [office, managed],
    [deploy(MANAGED)],
    'office managed',
    [KEPT],
  ],
  [
    'is reported if that exception then applies to new rules',
    [office, managed],
    [deploy(MANAGED), deploy(OWASP)],
    `office managed execute_${OWASP}`,
    [KEPT, WIDER],
  ],
  [
    'is reported if that exception then applies to rules that came before it',
    [managed, office, owasp],
    [deploy(MANAGED), deploy(OWASP)],
    'office managed owasp',
    [KEPT, DIFFERS, WIDER],
  ],
  [
    'is not reported if the new rule is off',
    [office, managed],
    [deploy(MANAGED), deploy(OWASP, {}, off)],
    `office managed execute_${OWASP}`,
    [KEPT],
  ],
  [
    'is not reported if the exception is off',
    [{ ...office, ...off }, managed],
    [deploy(MANAGED), deploy(OWASP)],
    `office managed execute_${OWASP}`,
    [KEPT],
  ],
  [
    'is not reported if the exception names another ruleset',
    [{ ...office, ...ofManaged }, managed],
    [deploy(MANAGED), deploy(OWASP), own],
    `office managed execute_${OWASP} own`,
    [KEPT],
  ],
  [
    'is reported if the exception names a rule of the ruleset that is deployed again',
    [{ ...office, ...ofOneRule }, managed],
    [deploy(MANAGED), deploy(MANAGED, {}, { ref: 'again', expression: 'ssl' })],
    'office managed again',
    [KEPT, WIDER],
  ],
])('the order of an entry point %s', (_, stands, proposed, refs, told) => {
  const { ruleset, codes } = merged(standing(...stands), config(...proposed));
  expect([ruleset.rules.map(({ ref }) => ref).join(' '), codes]).toEqual([refs, told]);
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
