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

test('without an entry point the configuration is the entry point', () => {
  const proposed = config(deploy(MANAGED));
  expect(mergeEntryPoint(undefined, proposed)).toEqual({ ruleset: proposed, findings: [] });
});

test('what stands keeps its place, name, id and ref; what is new comes behind it', () => {
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

test('what the service adds by itself is no difference', () => {
  const stands = standing(
    skip('ip.src eq 192.0.2.1', { id: id('1'), ref: 'office', logging: { enabled: true } }),
    deploy(MANAGED, { version: 'latest' }, { id: id('2'), ref: 'm', version: '3' }),
  );
  const { ruleset, codes } = merged(stands, config(skip('ip.src eq 192.0.2.1'), deploy(MANAGED)));
  expect(ruleset.rules).toHaveLength(2);
  expect(codes).toEqual([]);
});

test('what stands and what is proposed, of every kind, become one entry point', () => {
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

test('a ref that was made never collides with one that stands', () => {
  const stands = standing(
    deploy(MANAGED, {}, { id: id('1'), ref: 'a' }),
    deploy(CREDENTIALS, {}, { id: id('2'), ref: `execute_${OWASP}` }),
    skip('ip.src eq 192.0.2.1', { id: id('3'), ref: `execute_${MANAGED}` }),
  );
  const { ruleset } = merged(stands, config(deploy(MANAGED), deploy(CREDENTIALS), deploy(OWASP)));
  const refs = ruleset.rules.map(({ ref }) => ref);
  expect(new Set(refs).size).toBe(refs.length);
  expect(refs).toHaveLength(4);
});

describe.each<[string, object]>([
  ['a ruleset', { rulesets: [MANAGED] }],
  ['a rule of a ruleset', { rules: { [MANAGED]: [id('a')] } }],
])('an exception from %s', (_, parameters) => {
  const office = skip('ip.src eq 192.0.2.1', { ref: 'office', action_parameters: parameters });
  const managed = deploy(MANAGED, {}, { ref: 'managed' });

  test('holds for no other that is new, wherever that comes', () => {
    const { ruleset, codes } = merged(
      standing(office, managed),
      config(deploy(MANAGED), deploy(OWASP)),
    );
    expect(ruleset.rules.map(({ ref }) => ref)).toEqual(['office', 'managed', `execute_${OWASP}`]);
    expect(codes).toEqual(['STANDING_RULE_KEPT']);
  });

  test('stays before what it holds for, also where another came before it', () => {
    const { ruleset, codes } = merged(
      standing(deploy(OWASP, {}, { ref: 'owasp' }), office, managed),
      config(deploy(MANAGED), deploy(OWASP)),
    );
    expect(ruleset.rules.map(({ ref }) => ref)).toEqual(['office', 'managed', 'owasp']);
    expect(codes).toEqual(['STANDING_RULE_KEPT']);
  });

  test('that would hold for a second deployment of it is told', () => {
    const { codes } = merged(
      standing(office, managed),
      config(deploy(MANAGED), deploy(MANAGED, {}, { expression: 'ssl' })),
    );
    expect(codes).toEqual(['STANDING_RULE_KEPT', 'STANDING_EXCEPTION_WIDER']);
  });

  test('holds for no rule of the zone itself', () => {
    const own = { action: 'block', expression: 'ssl', ref: 'own', enabled: true };
    const { codes } = merged(standing(office, managed), config(deploy(MANAGED), own));
    expect(codes).toEqual(['STANDING_RULE_KEPT']);
  });
});

test('hundreds of rules with long expressions are merged before the test is given up', () => {
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

test('of two deployments of one ruleset the one that does the same is taken for the proposed one', () => {
  const log = { overrides: { action: 'log' } };
  const stands = standing(
    deploy(MANAGED, {}, { ref: 'acts' }),
    deploy(MANAGED, log, { ref: 'logs' }),
  );
  const { ruleset, codes } = merged(stands, config(deploy(MANAGED, log)));
  expect(ruleset.rules.map(({ ref }) => ref)).toEqual(['acts', 'logs']);
  expect(codes).toEqual(['STANDING_RULE_KEPT']);
});

const credentials = deploy(CREDENTIALS, {}, { ref: 'credentials' });
const managed = deploy(MANAGED, {}, { ref: 'managed' });
const owasp = deploy(OWASP, {}, { ref: 'owasp' });
const address = 'ip.src eq 192.0.2.1';
const office = skip(address, { ref: 'office' });

describe('the order of an entry point', () => {
  const refs = (stands: object[], proposed: object[]) => {
    const { ruleset, codes } = merged(standing(...stands), config(...proposed));
    return [ruleset.rules.map(({ ref }) => ref), codes];
  };

  test('is that of the configuration, for what stands and for what is new', () => {
    const proposed = [deploy(MANAGED), skip(address), deploy(OWASP)];
    expect(refs([managed], proposed)).toEqual([
      ['managed', expect.stringMatching(/^skip_/), `execute_${OWASP}`],
      [],
    ]);
  });

  test('in which an exception holds for other rules than today is told, not that of deployments', () => {
    const proposed = [deploy(MANAGED), skip(address), deploy(OWASP)];
    expect(refs([office, managed, owasp], proposed)).toEqual([
      ['managed', 'office', 'owasp'],
      ['STANDING_RULE_DIFFERS'],
    ]);
    expect(refs([managed, office], [skip(address), deploy(MANAGED)])).toEqual([
      ['office', 'managed'],
      ['STANDING_RULE_DIFFERS'],
    ]);
    expect(refs([owasp, managed], [deploy(MANAGED), deploy(OWASP)])).toEqual([
      ['managed', 'owasp'],
      [],
    ]);
  });

  test('keeps an exception that is not proposed behind what it was behind, and behind what is new', () => {
    const kept = ['STANDING_RULE_KEPT'];
    const stands = [credentials, managed, office, owasp];
    expect(refs(stands, [deploy(OWASP), deploy(MANAGED)])).toEqual([
      ['credentials', 'owasp', 'managed', 'office'],
      [...kept, ...kept, 'STANDING_RULE_DIFFERS'],
    ]);
    expect(refs([office], [deploy(MANAGED)])).toEqual([[`execute_${MANAGED}`, 'office'], kept]);
    expect(refs([managed, office], [deploy(OWASP), deploy(MANAGED)])).toEqual([
      [`execute_${OWASP}`, 'managed', 'office'],
      kept,
    ]);
  });

  test('keeps a deployment that is not proposed behind the exceptions that held for it', () => {
    expect(refs([office, managed, owasp], [deploy(MANAGED), skip(address)])).toEqual([
      ['managed', 'office', 'owasp'],
      ['STANDING_RULE_DIFFERS', 'STANDING_RULE_KEPT'],
    ]);
  });

  test('keeps a deployment that is not proposed before exceptions that are new', () => {
    expect(refs([managed, owasp], [skip(address, { ref: 'new' }), deploy(MANAGED)])).toEqual([
      ['owasp', 'new', 'managed'],
      ['STANDING_RULE_KEPT'],
    ]);
  });

  test('that lets an exception hold for what is new is told, where the exception and the rule are on', () => {
    const proposed = (enabled: boolean) => [deploy(MANAGED), deploy(OWASP, {}, { enabled })];
    const result = ['office', 'managed', `execute_${OWASP}`];
    const told = ['STANDING_RULE_KEPT', 'STANDING_EXCEPTION_WIDER'];
    expect(refs([office, managed], proposed(true))).toEqual([result, told]);
    expect(refs([office, managed], proposed(false))).toEqual([result, told.slice(0, 1)]);
    expect(refs([{ ...office, enabled: false }, managed], proposed(true))).toEqual([
      result,
      told.slice(0, 1),
    ]);
  });
});

describe('a rule is the same one, on or off,', () => {
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

  test('and that it was switched off is told, of an exception and of a deployment', () => {
    expect(switched(office, managed)).toEqual(['STANDING_RULE_DIFFERS']);
    expect(switched({ ...office, enabled: true }, { ...managed, enabled: false })).toEqual([
      'STANDING_RULE_DIFFERS',
    ]);
  });

  test('and where all are off, as before a migration, that is no difference', () => {
    expect(switched(office, { ...managed, enabled: false })).toEqual([]);
  });

  test('but in validation mode, where rules may be on, only a user has switched all off', () => {
    const stands = standing(office, { ...managed, enabled: false });
    const { findings } = mergeEntryPoint(stands, proposed, { isValidating: true });
    expect(findings.map(({ code }) => code)).toEqual([
      'STANDING_RULE_DIFFERS',
      'STANDING_RULE_DIFFERS',
    ]);
  });

  test('and of two that are alike but for that, each is taken for its like', () => {
    const twins = config(skip('ssl'), skip('ssl', { enabled: false }));
    const { ruleset, codes } = merged(
      standing(office, { ...office, ref: 'second', enabled: true }),
      twins,
    );
    expect(ruleset.rules).toMatchObject([{ ref: 'second' }, { ref: 'office' }]);
    expect(codes).toEqual([]);
  });

  test('and named with `enabled: false` it is off', () => {
    const off = config(skip('ssl', { enabled: false }));
    const { ruleset, codes } = merged(standing({ ...office, enabled: true }), off);
    expect(ruleset.rules).toMatchObject([{ ref: 'office', enabled: false }]);
    expect(codes).toEqual(['STANDING_RULE_DIFFERS']);
  });
});

describe('an exception whose logging was switched off is the same one', () => {
  const office = skip('ssl', { ref: 'office', logging: { enabled: false } });

  test.each<[string, object]>([
    ['does not say', {}],
    ['says nothing', { logging: null }],
  ])('and keeps that where the configuration %s', (_, rest) => {
    const { ruleset, codes } = merged(standing(office), config(skip('ssl', rest)));
    expect(ruleset.rules).toMatchObject([
      { ref: 'office', fields: { logging: { enabled: false } } },
    ]);
    expect([ruleset.rules.length, codes]).toEqual([1, []]);
  });

  test('and is told where the configuration has it on', () => {
    const proposed = config(skip('ssl', { logging: { enabled: true } }));
    const { ruleset, codes } = merged(standing(office), proposed);
    expect(ruleset.rules).toMatchObject([
      { ref: 'office', fields: { logging: { enabled: true } } },
    ]);
    expect([ruleset.rules.length, codes]).toEqual([1, ['STANDING_RULE_DIFFERS']]);
  });

  test('and is as a stack declares it where a file does not say', () => {
    const { ruleset } = mergeEntryPoint(standing(office), config(skip('ssl')), { isFile: true });
    expect(ruleset.rules).toMatchObject([
      { ref: 'office', fields: { logging: { enabled: true } } },
    ]);
  });

  test('and a rule that becomes another one under its ref takes nothing over', () => {
    const { ruleset } = merged(standing(office), config(deploy(MANAGED, {}, { ref: 'office' })));
    expect(ruleset.rules).toMatchObject([{ ref: 'office', action: 'execute' }]);
    expect(ruleset.rules[0]!.fields).not.toHaveProperty('logging');
  });
});
