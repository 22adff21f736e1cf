import { type LegacyResource } from '../../src/tfstate/legacy-resources';
import { planMigration } from '../../src/plan/plan-migration';
import { boundTo, configuration, legacyResource, stateFacts } from './support/state-facts';

const SOURCE = 'provider["registry.terraform.io/cloudflare/cloudflare"]';
const files = {
  'main.tf': `provider "cloudflare" {
  alias = "here"
}
module "a" {
  source = "./a"
}
module "far" {
  source = "git::https://example.com/far.git"
}
module "lost" {
  source = "./lost"
}
`,
  'a/a.tf': `provider "cloudflare" {}
module "b" {
  source = "../b"
}
`,
  'b/b.tf': 'provider "cloudflare" {\n  alias = "deep"\n}\n',
};
const orphansIn = (state: ReturnType<typeof stateFacts>) => {
  const [found] = planMigration([], [state]).findings;
  const named = found!.message.matchAll(/(\d+) resources use (.*?), which is gone/g);
  return Object.fromEntries([...named].map(([, count, provider]) => [provider, Number(count)]));
};
const orphans = async (...legacyResources: readonly LegacyResource[]) =>
  orphansIn(stateFacts({ configuration: await configuration(files), legacyResources }));
const bound = (provider: string, address = 'cloudflare_waf_rule.r') =>
  legacyResource(address, boundTo(provider));

describe('a provider configuration that old resources are bound to', () => {
  it.each([
    ['the default one of the root, which needs no block', SOURCE],
    ['an alias of the root', `${SOURCE}.here`],
    ['the default one of a module', `module.a.${SOURCE}`],
    ['an alias of a module in a module', `module.a.module.b.${SOURCE}.deep`],
  ])('is there: %s', async (_, provider) => {
    expect(await orphans(bound(provider))).toEqual({});
  });

  it.each([
    ['an alias that no block has', `${SOURCE}.gone`],
    ['an alias of the root that a module has not', `module.a.${SOURCE}.here`],
    ['the default one of a module that has only an alias', `module.a.module.b.${SOURCE}`],
    ['one of a module that is not called there', `module.b.${SOURCE}.deep`],
    ['one below a module that is not called', `module.x.module.b.${SOURCE}.deep`],
    ['the default one of a module that is not called', `module.x.${SOURCE}`],
    ['one of a module that was not read', `module.far.${SOURCE}.here`],
    ['the default one of a module whose folder is missing', `module.lost.${SOURCE}`],
    ['one below a module whose folder is missing', `module.lost.module.b.${SOURCE}.deep`],
  ])('is gone: %s', async (_, provider) => {
    expect(await orphans(bound(provider))).toEqual({ [provider]: 1 });
  });

  it('is named once, with all that is bound to it', async () => {
    const gone = `${SOURCE}.gone`;
    expect(
      await orphans(
        bound(gone, 'cloudflare_waf_rule.a'),
        bound(SOURCE, 'cloudflare_waf_rule.b'),
        bound(gone, 'cloudflare_waf_rule.c'),
        bound(`${SOURCE}.x`),
      ),
    ).toEqual({ [gone]: 2, [`${SOURCE}.x`]: 1 });
  });

  it('is of no matter to data sources, nor where it or the configuration is not known', async () => {
    const data = bound(`${SOURCE}.gone`, 'data.cloudflare_waf_rules.d');
    expect(
      await orphans(data, legacyResource('cloudflare_waf_rule.a', { provider: undefined })),
    ).toEqual({});
    const unread = stateFacts({ legacyResources: [bound(`${SOURCE}.gone`)] });
    expect(orphansIn(unread)).toEqual({});
  });
});
