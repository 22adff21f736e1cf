import { isRulesetOfThree } from '../../src/state/is-ruleset-of-three';

const instance = (attributes: Record<string, unknown>, schemaVersion = 1) =>
  isRulesetOfThree({ address: 'cloudflare_ruleset.a', schemaVersion, attributes });

describe('an entry of a ruleset', () => {
  it.each<[string, Record<string, unknown>]>([
    ['that names the entitlement', { shareable_entitlement_name: '' }],
    ['of which a rule has a version', { rules: [{ id: 'a' }, { version: '1' }] }],
  ])('%s was written by provider 3', (_, attributes) => {
    expect(instance(attributes)).toBe(true);
    expect(instance(attributes, 0)).toBe(true);
    // of a schema that provider 3 does not have
    expect(instance(attributes, 2)).toBe(false);
  });

  it.each<[string, Record<string, unknown>]>([
    ['without rules', {}],
    ['with rules that are no list', { rules: 'version' }],
    ['with rules that are none', { rules: ['version', null] }],
    ['with rules without a version', { rules: [{ id: 'a' }] }],
  ])('%s was not', (_, attributes) => {
    expect(instance(attributes)).toBe(false);
  });
});
