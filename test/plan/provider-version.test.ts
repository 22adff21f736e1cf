import { PROVIDER_MAJORS, providerMajors } from '../../src/core/provider-majors';
import { majorOf, parseProviderVersion, precedes } from '../../src/plan/provider-versions';

describe('a provider version', () => {
  it.each(PROVIDER_MAJORS)('%s alone means the last one that was measured', (major) => {
    expect(parseProviderVersion(String(major))).toBe(providerMajors[major].last);
    expect(majorOf(providerMajors[major].last)).toBe(major);
  });

  it.each(['4.0', '3.35.0', '5.22.1'])('%s is taken as it is', (version) => {
    expect(parseProviderVersion(version)).toBe(version);
  });

  it.each(['', '2', '44', '55.1', '5.x', '5.1.2.3', '~> 5', '-5', '5.22.0-beta', 'toString'])(
    'is not %j, and the ones that are known are named',
    (version) => {
      expect(() => parseProviderVersion(version)).toThrow(
        `provider version "${version}" is not 3, 4 or 5, or a version of them`,
      );
    },
  );

  it('that is not known is a fault of who asked', () => {
    expect(() => parseProviderVersion('2')).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });

  it.each([
    ['4.9.0', '4.52.8', true],
    ['4.52', '4.52.0', true],
    ['4.52.8', '4.52.8', false],
    ['5.0.0', '4.52.8', false],
  ])('%s before %s: %s', (version, other, isBefore) => {
    expect(precedes(version, other)).toBe(isBefore);
  });

  it('of bindings begins no earlier than the major before', () => {
    const first = PROVIDER_MAJORS.map((major) => providerMajors[major].firstBindings);
    expect(first).toEqual([...first].sort((one, other) => one - other));
  });
});
