import { parseState } from '../../src/tfstate/parse-state';
import { providerOfState } from '../../src/tfstate/providers';
import { rawResource, rawState } from '../support/arbitrary-state';

const told = (...resources: object[]) =>
  providerOfState(parseState(Buffer.from(JSON.stringify(rawState(resources)))));
const ruleset = (attributes: object, schema_version = 1, name = 'z') =>
  rawResource({ type: 'cloudflare_ruleset', name, instances: [{ schema_version, attributes }] });
const ofThree = { rules: [{ version: '1' }] };
const ofFive = { rules: [{}, { action_parameters: { id: 'x' } }] };

describe('the provider that wrote a state last', () => {
  it.each<[string, object, number]>([
    ['of the legacy WAF', rawResource({ name: 'z' }), 3],
    ['of a ruleset of 3', ruleset(ofThree), 3],
    ['of a ruleset of 3 without rules', ruleset({ shareable_entitlement_name: '' }), 3],
    ['of a ruleset without rules', ruleset({}), 4],
    ['of a ruleset whose rules are no list', ruleset({ rules: 'x' }), 4],
    ['of a ruleset with rules that are none', ruleset({ rules: [null, 'x'] }), 4],
    ['of a ruleset with blocks', ruleset({ rules: [{ action_parameters: [{ id: 'x' }] }, {}] }), 4],
    ['of a ruleset with objects', ruleset(ofFive), 5],
    [
      'of a ruleset with null for blocks',
      ruleset({ rules: [{ version: '1', action_parameters: null }] }),
      5,
    ],
    [
      'of a ruleset with blocks of an old schema',
      ruleset({ rules: [{ action_parameters: [] }] }, 0),
      4,
    ],
    ['of a ruleset with the schema of 5', ruleset({}, 500), 5],
    ['of a ruleset with a schema that is newer than that of 4', ruleset(ofThree, 2), 5],
  ])('is told by an entry %s', (_, resource, major) => {
    const type = JSON.stringify(resource).includes('ruleset"') ? 'ruleset' : 'waf_rule';
    expect(told(resource)).toEqual({ major, address: `cloudflare_${type}.z` });
  });

  it('is told by the newest entry, by the first of those', () => {
    const [three, four, five] = [ruleset(ofThree, 1, 'a'), ruleset({}, 1, 'b'), ruleset(ofFive)];
    const newest = { major: 5, address: 'cloudflare_ruleset.z' };
    expect(told(rawResource(), three, four, five, ruleset(ofFive, 1, 'y'))).toEqual(newest);
    expect(told(five, three, four)).toEqual(newest);
    expect(told(three, four)).toEqual({ major: 4, address: 'cloudflare_ruleset.b' });
  });

  it('is told by each instance', () => {
    const instances = [{}, ofFive].map((attributes, index_key) => ({
      ...{ index_key, attributes },
      schema_version: 1,
    }));
    expect(told(rawResource({ type: 'cloudflare_ruleset', instances }))).toEqual({
      major: 5,
      address: 'cloudflare_ruleset.r[1]',
    });
  });

  it('is not told by data sources, nor by what all of them write alike', () => {
    expect(
      told(
        rawResource({ mode: 'data', type: 'cloudflare_waf_rules' }),
        rawResource({ type: 'cloudflare_filter' }),
      ),
    ).toBeUndefined();
    expect(told()).toBeUndefined();
  });
});
