import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseState, stateAddresses } from '../../src/tfstate/parse-state';
import { pickLegacyResources } from '../../src/tfstate/legacy-resources';
import { arbitraryResources, rawResource, rawState } from '../support/arbitrary-state';

const folder = join(__dirname, '../fixtures/terraform/states');
const read = (file: string) => readFileSync(join(folder, file));
const parse = (state: object) => parseState(Buffer.from(JSON.stringify(state)));
const addresses = (bytes: Uint8Array) =>
  pickLegacyResources(parseState(bytes)).map(({ address }) => address);
const instance = (changes: object) => rawResource({ instances: [changes] });
const first = (resource: object) => parse(rawState([resource])).resources[0]!.instances[0]!;

describe('a state', () => {
  it('gives the addresses that terraform state list prints for the old types', () => {
    const list = readFileSync(join(folder, 'old-waf-3.35.list.txt'), 'utf8').trim().split('\n');
    const old = list.filter((line) => /(?:^|\.)cloudflare_waf_/.test(line));
    expect(old).toHaveLength(54);
    expect(addresses(read('old-waf-3.35.tfstate')).sort()).toEqual(old.sort());
  });

  it.each([
    [
      'provider-alias-3.35.tfstate',
      ['cloudflare_waf_rule.aliased', 'module.a.cloudflare_waf_rule.r'],
    ],
    ['tainted-3.35.tfstate', ['cloudflare_waf_rule.aliased', 'module.a.cloudflare_waf_rule.r']],
    ['filter-fwrule-3.35.0.tfstate', []],
    ['filter-fwrule-4.52.8.tfstate', []],
    ['ruleset-v3-after-import.tfstate', []],
    ['ruleset-v4-after-import.tfstate', []],
    ['ruleset-v5-after-import.tfstate', []],
  ])('of the real providers, %s, gives its old resources', (file, expected) => {
    expect(addresses(read(file))).toEqual(expected);
  });

  it('says who wrote it, and which it is', () => {
    expect(parseState(read('old-waf-3.35.tfstate'))).toMatchObject({
      terraformVersion: '1.11.4',
      serial: 55,
      lineage: '57840cae-e9bb-45f7-25ec-1e7cba2b079c',
    });
  });

  it('may say nothing of itself', () => {
    const nothing = { terraformVersion: '', serial: 0, lineage: '' };
    expect(parse({ version: 4, resources: [] })).toMatchObject(nothing);
    expect(parse({ version: 4, serial: 0, resources: [] })).toMatchObject(nothing);
  });

  it('keeps what a ruleset, a filter and a firewall rule hold', () => {
    const { resources } = parseState(read('ruleset-v5-after-import.tfstate'));
    expect(resources[0]).toMatchObject({ type: 'cloudflare_ruleset', module: '' });
    expect(resources[0]!.instances[0]).toMatchObject({
      schemaVersion: 500,
      attributes: { id: 'a'.repeat(32), phase: 'http_request_firewall_managed' },
    });
    const types = parseState(read('filter-fwrule-4.52.8.tfstate')).resources.map(
      ({ type }) => type,
    );
    expect(types).toEqual(['cloudflare_filter', 'cloudflare_firewall_rule']);
  });

  it('has addresses that do not depend on the order of its resources', () => {
    fc.assert(
      fc.property(
        arbitraryResources.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([resources, shuffled]) => {
          const of = (all: object[]) => pickLegacyResources(parse(rawState(all)));
          const sorted = (all: object[]) =>
            of(all)
              .map(({ address }) => address)
              .sort();
          expect(sorted(shuffled)).toEqual(sorted(resources));
        },
      ),
    );
  });

  it('is read the same from a view into a larger buffer', () => {
    const bytes = Buffer.from(`xx${JSON.stringify(rawState([rawResource()]))}yy`);
    expect(addresses(new Uint8Array(bytes).subarray(2, -2))).toEqual(['cloudflare_waf_rule.r']);
  });

  it('may begin with a byte order mark', () => {
    const text = `\ufeff${JSON.stringify(rawState([rawResource()]))}`;
    expect(addresses(Buffer.from(text))).toEqual(['cloudflare_waf_rule.r']);
  });

  it('keeps the module as it stands, and puts the canonical one in the address', () => {
    const state = parse(rawState([rawResource({ module: 'module.m["\\u0041"]' })]));
    expect(state.resources[0]).toMatchObject({
      module: 'module.m["\\u0041"]',
      address: 'module.m["A"].cloudflare_waf_rule.r',
    });
  });

  it('tells a string key from a number, and null from neither', () => {
    expect(first(instance({ index_key: 0 }))).toMatchObject({ indexKey: 0 });
    expect(first(instance({ index_key: '0' }))).toMatchObject({ indexKey: '0' });
    expect(first(instance({ index_key: null })).indexKey).toBeUndefined();
  });

  it('may mark a resource as repeated, as Terraform 0.12 did', () => {
    const resource = rawResource({ each: 'list', instances: [{ index_key: 0, attributes: {} }] });
    expect(first(resource).address).toBe('cloudflare_waf_rule.r[0]');
  });

  it('may hold an instance without attributes, as Terraform allows', () => {
    expect(first(instance({})).attributes).toEqual({});
    expect(first(instance({ attributes: null })).attributes).toEqual({});
    expect(first(instance({}))).toMatchObject({ status: undefined, deposed: undefined });
  });

  it('has the same instances each time that they are asked for', () => {
    const { resources } = parse(rawState([rawResource()]));
    expect(resources[0]!.instances).toHaveLength(1);
    expect(resources[0]!.instances).toBe(resources[0]!.instances);
  });

  it('is refused with what is wrong of a module path for the cause', () => {
    const cause = expect.objectContaining({ code: 'ADDRESS_INVALID' });
    expect(() => parse(rawState([rawResource({ module: 'a' })]))).toThrow(
      expect.objectContaining({ code: 'STATE_INVALID', cause }),
    );
  });

  it('may hold one resource in two parts', () => {
    const part = (index_key: number) => instance({ index_key, attributes: {} });
    expect(
      parse(rawState([part(0), part(1)])).resources.map(({ instances }) => instances[0]!.address),
    ).toEqual(['cloudflare_waf_rule.r[0]', 'cloudflare_waf_rule.r[1]']);
  });

  it('counts every resource, by mode, type and provider', () => {
    const other = (changes: object) => rawResource({ type: 'cloudflare_record', ...changes });
    const state = rawState([
      rawResource(),
      other({ name: 'a', instances: [{ index_key: 0 }, { index_key: 1 }] }),
      other({ name: 'b', provider: 'provider.cloudflare.eu' }),
      other({ name: 'c', mode: 'data' }),
      other({ name: 'd', instances: [{}, { deposed: '00000001' }, { deposed: '00000002' }] }),
    ]);
    const provider = 'provider["registry.terraform.io/cloudflare/cloudflare"]';
    const record = { mode: 'managed', type: 'cloudflare_record', provider };
    expect(parse(state).counts).toEqual([
      { mode: 'managed', type: 'cloudflare_waf_rule', provider, count: 1 },
      { ...record, count: 3 },
      { ...record, provider: 'provider.cloudflare.eu', count: 1 },
      { ...record, mode: 'data', count: 1 },
    ]);
  });

  it.each<[number, object[]]>([
    [2, [{}, {}]],
    [2, [{ index_key: 0 }, { index_key: 1 }, { index_key: 1, deposed: '00000001' }]],
    [1, [{ deposed: '00000001' }]],
  ])('counts %i where the objects are %j', (count, instances) => {
    expect(parse(rawState([rawResource({ type: 'x', instances })])).counts).toMatchObject([
      { count },
    ]);
  });

  it('keeps nothing of a resource of no interest', () => {
    const state = parse(
      rawState([
        rawResource({ type: 'aws_secret', instances: [{ attributes: { secret: 's3cret' } }] }),
      ]),
    );
    expect(JSON.stringify(state)).not.toContain('s3cret');
  });
});

describe('the addresses of a state', () => {
  const addressesOf = (resources: object[]) =>
    stateAddresses(Buffer.from(JSON.stringify(rawState(resources))));

  it('are those of every resource, each instance its own, data sources too', () => {
    const resources = [
      rawResource({
        type: 'aws_instance',
        name: 'web',
        instances: [{ index_key: 0 }, { index_key: 1 }],
      }),
      rawResource({ type: 'cloudflare_accounts', mode: 'data', name: 'all' }),
      rawResource({ module: 'module.m["x"]', type: 'a', name: 'b', instances: [{}] }),
    ];
    expect(addressesOf(resources)).toEqual([
      'aws_instance.web[0]',
      'aws_instance.web[1]',
      'data.cloudflare_accounts.all',
      'module.m["x"].a.b',
    ]);
  });

  it('are refused for a resource that is none, named by its position', () => {
    const broken = rawResource({ type: 7 });
    expect(() => addressesOf([rawResource({ type: 'a', name: 'b' }), broken])).toThrow(
      expect.objectContaining({
        code: 'STATE_INVALID',
        message: expect.stringMatching(/^resource 2 of/),
      }),
    );
  });

  it('are none without resources', () => {
    expect(addressesOf([])).toEqual([]);
  });
});
