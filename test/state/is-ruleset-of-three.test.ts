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

  const version = '1';
  it.each<[string, Record<string, unknown>]>([
    ['an object', { rules: [{ version, action_parameters: { id: 'a' } }] }],
    ['null', { rules: [{ version, action_parameters: null }] }],
    ['null in one rule', { rules: [{ version }, { version, action_parameters: null }] }],
  ])(
    'with a version of each rule, and %s for blocks, was written by provider 5',
    (_, attributes) => {
      expect([0, 1].map((schema) => instance(attributes, schema))).toEqual([false, false]);
    },
  );

  it('with blocks is as old where its schema is, to which provider 5 takes it for its own', () => {
    const attributes = { rules: [{ id: 'a' }, { action_parameters: [] }] };
    expect([0, 1, 500].map((schema) => instance(attributes, schema))).toEqual([true, false, false]);
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
