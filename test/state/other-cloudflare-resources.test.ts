import fc from 'fast-check';
import { otherCloudflareResources } from '../../src/state/other-cloudflare-resources';
import { parseState } from '../../src/state/parse-state';
import { isCloudflareProvider, parseProviderAddress } from '../../src/state/provider-address';
import { arbitraryResources, rawResource, rawState } from '../support/arbitrary-state';

const of = (resources: object[]) =>
  otherCloudflareResources(parseState(Buffer.from(JSON.stringify(rawState(resources)))));

describe('the other Cloudflare resources of a state', () => {
  it('are counted by type, resources before data sources', () => {
    const two = [{ index_key: 0 }, { index_key: 1 }];
    const resources = [
      rawResource({ type: 'cloudflare_accounts', mode: 'data' }),
      rawResource({ type: 'cloudflare_record', mode: 'data' }),
      rawResource({ type: 'cloudflare_ruleset' }),
      rawResource({ type: 'cloudflare_record', name: 'a', instances: two }),
      rawResource({ type: 'cloudflare_record', name: 'b', provider: 'provider.cloudflare.eu' }),
      rawResource({
        type: 'cloudflare_record',
        name: 'c',
        provider: 'provider["example.com/x/y"]',
      }),
      rawResource({ type: 'cloudflare_record', name: 'd', provider: 'provider' }),
      rawResource(),
    ];
    const expected = [
      { mode: 'managed', type: 'cloudflare_record', count: 3 },
      { mode: 'managed', type: 'cloudflare_ruleset', count: 1 },
      { mode: 'data', type: 'cloudflare_accounts', count: 1 },
      { mode: 'data', type: 'cloudflare_record', count: 1 },
    ];
    expect(of(resources)).toEqual(expected);
    expect(of(resources.toReversed())).toEqual(expected);
  });

  it('are told apart by their mode, whatever their types are called', () => {
    const [data, managed] = [{ mode: 'data', type: '0x' }, { type: 'x' }].map(rawResource);
    expect(of([data!, managed!])).toEqual([
      { mode: 'managed', type: 'x', count: 1 },
      { mode: 'data', type: '0x', count: 1 },
    ]);
  });

  it('are what the state holds, less the old ones', () => {
    fc.assert(
      fc.property(arbitraryResources, (resources) => {
        const others = resources.filter(
          ({ mode, type, provider }) =>
            provider.includes('cloudflare') &&
            !(
              mode === 'managed'
                ? /^cloudflare_waf_(?:package|group|rule|override)$/
                : /^cloudflare_waf_(?:packages|groups|rules)$/
            ).test(type),
        );
        const sum = of(resources).reduce((total, { count }) => total + count, 0);
        expect(sum).toBe(others.reduce((total, { instances }) => total + instances.length, 0));
      }),
    );
  });
});

describe("Cloudflare's provider", () => {
  it.each([
    'provider["registry.terraform.io/cloudflare/cloudflare"]',
    'provider["registry.opentofu.org/cloudflare/cloudflare"].eu',
    'module.a.module.b.provider["mirror.example.com:8443/Cloudflare/cloudflare"].inner',
    'provider["registry.terraform.io/-/cloudflare"]',
    'provider["cloudflare/cloudflare"]',
    'provider.cloudflare',
    'module.a.provider.cloudflare.eu',
  ])('is %s', (text) => {
    expect(isCloudflareProvider(parseProviderAddress(text)!)).toBe(true);
  });

  it.each([
    'provider["registry.terraform.io/hashicorp/aws"]',
    'provider["registry.terraform.io/cloudflare/aws"]',
    'provider["registry.terraform.io/evil/cloudflare"]',
    'provider.aws.cloudflare',
  ])('is not %s', (text) => {
    expect(isCloudflareProvider(parseProviderAddress(text)!)).toBe(false);
  });
});

describe('a provider address', () => {
  const source = 'registry.terraform.io/cloudflare/cloudflare';
  it.each([
    [`provider["${source}"]`, '', source, undefined],
    [`provider["${source}"].eu-1`, '', source, 'eu-1'],
    [`module.a.module.b.provider["${source}"].x`, 'module.a.module.b', source, 'x'],
    [`module.é.provider["${source}"].日本`, 'module.é', source, '日本'],
    ['provider.cloudflare', '', 'cloudflare', undefined],
    ['module.provider.provider.cloudflare.eu', 'module.provider', 'cloudflare', 'eu'],
  ])('of %s is taken apart', (text, module, from, alias) => {
    expect(parseProviderAddress(text)).toEqual({ text, module, source: from, alias });
  });

  it.each(['', 'provider', 'provider.', 'provider["x"', 'module.a[0].provider.x'])(
    'is not %j',
    (text) => {
      expect(parseProviderAddress(text)).toBeUndefined();
    },
  );
});
