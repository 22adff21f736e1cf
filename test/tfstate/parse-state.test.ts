import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { isLegacyWafAddress, legacyWafTypes } from '../../src/tfstate/legacy-waf-types';
import { pickLegacyResources, parseState } from '../../src/tfstate/parse-state';
import { arbitraryResources, rawResource, rawState } from '../support/arbitrary-state';

const terraform = join(__dirname, '../fixtures/terraform');
const read = (file: string) => parseState(readFileSync(join(terraform, 'states', file)));
const bytesOf = (resources: readonly object[]) => Buffer.from(JSON.stringify(rawState(resources)));
const parse = (...resources: object[]) => parseState(bytesOf(resources));
const instance = (changes: object) => rawResource({ instances: [changes] });
const first = (resource: object) => parse(resource).resources[0]!.instances[0]!;
const legacyOf = (...resources: object[]) => pickLegacyResources(parse(...resources));
const addresses = (state: ReturnType<typeof parseState>) =>
  pickLegacyResources(state).map(({ address }) => address);

describe('a state', () => {
  it.each([
    [
      'provider-alias-3.35.tfstate',
      ['cloudflare_waf_rule.aliased', 'module.a.cloudflare_waf_rule.r'],
    ],
    ['tainted-3.35.tfstate', ['cloudflare_waf_rule.aliased', 'module.a.cloudflare_waf_rule.r']],
    ['filter-fwrule-3.35.0.tfstate', []],
    ['ruleset-v3-after-import.tfstate', []],
  ])('of a real provider, %s, has its legacy resources', (file, expected) => {
    expect(addresses(read(file))).toEqual(expected);
  });

  it('says who wrote it, and which it is; it may leave that out', () => {
    expect(read('old-waf-3.35.tfstate')).toMatchObject({
      terraformVersion: '1.11.4',
      serial: 55,
      lineage: '57840cae-e9bb-45f7-25ec-1e7cba2b079c',
    });
    expect(parseState(Buffer.from('{"version":4,"resources":[]}'))).toMatchObject({
      ...{ terraformVersion: '', serial: 0, lineage: '' },
    });
  });

  it('has addresses that do not depend on the order of its resources', () => {
    const shuffled = arbitraryResources.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        const sorted = (all: object[]) => addresses(parse(...all)).sort();
        expect(sorted(other)).toEqual(sorted(one));
      }),
    );
  });

  it('is read from a view into a larger buffer, and after a byte order mark', () => {
    const text = JSON.stringify(rawState([rawResource({ name: 'é日' })]));
    const expected = ['cloudflare_waf_rule.é日'];
    const view = new Uint8Array(Buffer.from(`xx${text}yy`)).subarray(2, -2);
    expect(addresses(parseState(view))).toEqual(expected);
    expect(addresses(parseState(Buffer.from(`\ufeff${text}`)))).toEqual(expected);
  });

  it.each([
    [{ index_key: 0 }, { address: 'cloudflare_waf_rule.r[0]' }],
    [{ index_key: '0' }, { address: 'cloudflare_waf_rule.r["0"]' }],
    [{ index_key: null }, { address: 'cloudflare_waf_rule.r', attributes: {} }],
    [{ attributes: null }, { attributes: {}, deposed: undefined, schemaVersion: 0 }],
  ])('with an instance %j reads %j', (raw, expected) => {
    expect(first(instance(raw))).toMatchObject(expected);
  });

  it('may mark a resource as repeated, as Terraform 0.12 did, and hold it in two parts', () => {
    const part = (index_key: number) =>
      rawResource({ each: 'list', instances: [{ index_key, attributes: {} }] });
    expect(addresses(parse(part(0), part(1)))).toEqual([
      ...['cloudflare_waf_rule.r[0]', 'cloudflare_waf_rule.r[1]'],
    ]);
  });

  it('is read for page rules, which can switch the legacy WAF', () => {
    expect(parse(rawResource({ type: 'cloudflare_page_rule' })).resources).toHaveLength(1);
  });
});

describe('the legacy types', () => {
  it('are those of provider 3.35', () => {
    const schema = JSON.parse(readFileSync(join(terraform, 'schemas/3.35.0.json'), 'utf8'));
    const provider = Object.values<any>(schema.provider_schemas)[0];
    const schemas = { managed: provider.resource_schemas, data: provider.data_source_schemas };
    const known = Object.entries(schemas).flatMap(([mode, types]) =>
      Object.keys(types).map((type) => `${mode} ${type}`),
    );
    expect(legacyWafTypes.map(({ mode, type }) => `${mode} ${type}`).sort()).toEqual(
      known.filter((one) => one.includes(' cloudflare_waf_')).sort(),
    );
  });

  it.each([
    ['cloudflare_waf_rule.r', true],
    ['module.zones.module.shop.cloudflare_waf_package.p', true],
    ['module.module.cloudflare_waf_override.o', true],
    ['data.cloudflare_waf_rules.all', true],
    ['module.data.data.cloudflare_waf_groups.all', true],
    ['', false],
    ['cloudflare_record.cloudflare_waf_rule', false],
    ['cloudflare_waf_rules.all', false],
    ['data.cloudflare_waf_rule.r', false],
    ['module.cloudflare_waf_rule.cloudflare_record.r', false],
    ['module.zones.data.cloudflare_zones.cloudflare_waf_rules', false],
    ['module.cloudflare_waf_rule', false],
    ['module.zones.data', false],
  ])('%j is the address of one: %s', (address, expected) => {
    expect(isLegacyWafAddress(address)).toBe(expected);
  });
});

describe('a legacy resource', () => {
  it('has no zone when the state holds none', () => {
    const instances = [undefined, null, '', 7, {}].map((zone_id, index_key) => ({
      index_key,
      attributes: { zone_id },
    }));
    const zones = legacyOf(rawResource({ instances })).map(({ zoneId }) => zoneId);
    expect(zones).toEqual(Array(5).fill(undefined));
  });

  it('is one, whatever deposed objects it has', () => {
    const objects = [
      { deposed: '00000001', attributes: { zone_id: 'old' } },
      { status: 'tainted', attributes: { zone_id: 'new' } },
      { deposed: '00000002', attributes: { zone_id: 'older' } },
    ];
    expect(legacyOf(rawResource({ instances: objects }))).toMatchObject([{ zoneId: 'new' }]);
    expect(legacyOf(rawResource({ instances: objects.slice(0, 1) }))).toMatchObject([
      { zoneId: 'old' },
    ]);
  });

  it('is recognised by mode and type, from a mirror of the provider too', () => {
    const mirror = 'provider["mirror.example.com:8443/infra/cloudflare"]';
    expect(legacyOf(rawResource({ provider: mirror }))).toHaveLength(1);
    expect(
      legacyOf(rawResource({ mode: 'data' }), rawResource({ type: 'cloudflare_waf_rules' })),
    ).toEqual([]);
  });
});
