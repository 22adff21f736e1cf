import { mergeFile } from '../../src/zone/migration-call';
import { mergeEntryPoint } from '../../src/ruleset/merge-entry-point';
import { config, deploy, MANAGED, merged, skip, standing } from './support/merge';

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

  test('but in validation mode, where rules may be on, nobody but a person has switched all off', () => {
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
    const { ruleset } = mergeFile(standing(office), config(skip('ssl')));
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
