import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { legacyWafTypes } from '../../src/tfstate/legacy-waf-types';
import { parseState } from '../../src/tfstate/parse-state';
import { pickLegacyResources } from '../../src/tfstate/legacy-resources';
import { rawResource, rawState } from '../support/arbitrary-state';

const states = join(__dirname, '../fixtures/terraform/states');
const schema = JSON.parse(
  readFileSync(join(__dirname, '../fixtures/terraform/schemas/3.35.0.json'), 'utf8'),
);
const ofFile = (file: string) => pickLegacyResources(parseState(readFileSync(join(states, file))));
const of = (...resources: object[]) =>
  pickLegacyResources(parseState(Buffer.from(JSON.stringify(rawState(resources)))));

describe('the legacy types', () => {
  it('are those of provider 3.35, with attributes that its schema has', () => {
    const provider = Object.values<any>(schema.provider_schemas)[0];
    for (const { mode, type, identifiedBy } of legacyWafTypes) {
      const schemas = mode === 'data' ? provider.data_source_schemas : provider.resource_schemas;
      expect(Object.keys(schemas[type].block.attributes)).toEqual(
        expect.arrayContaining([...identifiedBy]),
      );
    }
    const known = [provider.resource_schemas, provider.data_source_schemas]
      .flatMap((schemas) => Object.keys(schemas))
      .filter((type) => type.startsWith('cloudflare_waf_'));
    expect(legacyWafTypes.map(({ type }) => type).sort()).toEqual(known.sort());
  });
});

describe('a legacy resource', () => {
  it('has its zone and what identifies it', () => {
    const all = ofFile('old-waf-3.35.tfstate');
    expect(all.every(({ zoneId }) => /^[0-9a-f]{32}$/.test(zoneId ?? ''))).toBe(true);
    expect(all.find(({ address }) => address === 'cloudflare_waf_rule.r_block')).toMatchObject({
      mode: 'managed',
      type: 'cloudflare_waf_rule',
      name: 'r_block',
      module: '',
      key: undefined,
      identity: { zone_id: '0123456789abcdef0123456789abcdef', rule_id: expect.any(String) },
      tainted: false,
      deposed: [],
    });
    const data = all.find(({ mode }) => mode === 'data');
    expect(data).toMatchObject({ type: 'cloudflare_waf_groups', attributes: { groups: [{}] } });
  });

  it('stands in the order of the state', () => {
    const names = ['c', 'a', 'b'];
    expect(of(...names.map((name) => rawResource({ name }))).map(({ name }) => name)).toEqual(
      names,
    );
  });

  it('has no zone when the state holds none', () => {
    const zones = [undefined, null, '', 7, {}].map((zone_id, index_key) => ({
      index_key,
      attributes: { zone_id },
    }));
    const picked = of(rawResource({ instances: zones }));
    expect(picked.map(({ zoneId }) => zoneId)).toEqual(Array(5).fill(undefined));
  });

  it('is bound to the provider configuration that the state names', () => {
    const [aliased, inner] = ofFile('provider-alias-3.35.tfstate');
    const source = 'registry.terraform.io/cloudflare/cloudflare';
    expect(aliased!.provider).toMatchObject({ module: '', source, alias: 'eu' });
    expect(inner!.provider).toMatchObject({ module: 'module.a', source, alias: 'inner' });
  });

  it('says that it is tainted', () => {
    const tainted = ofFile('tainted-3.35.tfstate').map((one) => one.tainted);
    expect(tainted).toEqual([true, false]);
  });

  it('is one, whatever deposed objects it has', () => {
    const objects = [
      { deposed: '00000001', attributes: { zone_id: 'old' } },
      { status: 'tainted', attributes: { zone_id: 'new' } },
      { deposed: '00000002', attributes: { zone_id: 'older' } },
    ];
    expect(of(rawResource({ instances: objects }))).toMatchObject([
      { zoneId: 'new', tainted: true, deposed: ['00000001', '00000002'] },
    ]);
    expect(of(rawResource({ instances: objects.slice(0, 1) }))).toMatchObject([
      { zoneId: 'old', tainted: false, deposed: ['00000001'] },
    ]);
  });

  it('is told by mode and type alone: from a mirror, yes; a namesake, no', () => {
    const mirror = 'provider["mirror.example.com:8443/infra/cloudflare"]';
    expect(of(rawResource({ provider: mirror }))).toHaveLength(1);
    expect(
      of(rawResource({ mode: 'data' }), rawResource({ type: 'cloudflare_waf_rules' })),
    ).toEqual([]);
  });
});
