import { parseProviderVersion } from '../../src/plan/facts/provider-versions';
import { type StateFacts } from '../../src/plan/facts/facts';
import { planMigration } from '../../src/plan/plan-migration';
import {
  boundTo,
  codesOf,
  configuration,
  kindsOf,
  OLD_BLOCKS,
  legacyResource,
  OTHER_ZONE,
  stateFacts,
  ZONE,
  zone,
  RULESET,
} from './support/state-facts';
import { type LegacyResource } from '../../src/tfstate/parse-state';
import { type Plan } from '../../src/plan/plan-schema';

it.each(['', '2', '44', '55.1', '5.x', '5.1.2.3', '~> 5', '-5', '5.22.0-beta', 'toString'])(
  '%j is no provider version, and the ones that are known are named',
  (version) => {
    const message = `provider version "${version}" is not 3, 4 or 5, or a version of them`;
    expect(() => parseProviderVersion(version)).toThrow(
      expect.objectContaining({ code: 'USAGE', message }),
    );
  },
);

describe('the provider configuration of legacy resources', () => {
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
  const orphanIn = (state: StateFacts) => {
    const { because } = planMigration([zone], [state]).states[0]!;
    return /the configuration of (.*) is gone/.exec(because)?.[1];
  };
  const orphan = async (...legacyResources: readonly LegacyResource[]) =>
    orphanIn(stateFacts({ configuration: await configuration(files), legacyResources }));
  const bound = (provider: string, address = 'cloudflare_waf_rule.r') =>
    legacyResource(address, boundTo(provider));

  it.each([
    [false, 'the default one of the root, which needs no block', SOURCE],
    [false, 'an alias of the root', `${SOURCE}.here`],
    [false, 'the default one of a module', `module.a.${SOURCE}`],
    [false, 'an alias of a module in a module', `module.a.module.b.${SOURCE}.deep`],
    [true, 'an alias that no block has', `${SOURCE}.gone`],
    [true, 'an alias of the root that a module has not', `module.a.${SOURCE}.here`],
    [true, 'the default one of a module that has only an alias', `module.a.module.b.${SOURCE}`],
    [true, 'one of a module that is not called there', `module.b.${SOURCE}.deep`],
    [true, 'one below a module that is not called', `module.x.module.b.${SOURCE}.deep`],
    [true, 'the default one of a module that is not called', `module.x.${SOURCE}`],
    [true, 'one of a module that was not read', `module.far.${SOURCE}.here`],
    [true, 'the default one of a module whose folder is missing', `module.lost.${SOURCE}`],
    [true, 'one below a module whose folder is missing', `module.lost.module.b.${SOURCE}.deep`],
  ])('is gone (%s): %s', async (isGone, _, provider) => {
    expect(await orphan(bound(provider))).toBe(isGone ? provider : undefined);
  });

  it('is named in the step that adds a construct, which has none of several', async () => {
    const providers = { cloudflare: [{}, { alias: 'second' }] };
    const stack = { 'cdk.tf.json': JSON.stringify({ provider: providers }) };
    const state = stateFacts({
      configuration: await configuration(stack),
      legacyResources: [bound(`${SOURCE}.second`)],
    });
    const whys = planMigration([zone], [state]).steps.map(({ why }) => why);
    expect(whys).toContainEqual(
      expect.stringContaining('add ruleset.addOverride("provider", "cloudflare.second")'),
    );
  });

  it('is of no matter to data sources, nor where the configuration is not known', async () => {
    const data = bound(`${SOURCE}.gone`, 'data.cloudflare_waf_rules.d');
    expect(await orphan(data)).toBeUndefined();
    expect(orphanIn(stateFacts({ legacyResources: [bound(`${SOURCE}.gone`)] }))).toBeUndefined();
  });
});

describe('a state with the ruleset and without legacy resources', () => {
  const address = 'cloudflare_ruleset.waf';
  const owned = { address, zoneId: ZONE, id: RULESET, phase: 'http_request_firewall_managed' };
  const moved = (changes: Partial<StateFacts>): StateFacts =>
    stateFacts({ legacyResources: [], rulesets: [owned], ...changes });
  const planned = (state: StateFacts, asked = [ZONE]): Plan =>
    planMigration([], [state], 'commands', asked);
  const stepsOf = ({ steps }: Plan): string[] =>
    steps.map(({ kind, addresses = [], provider }) =>
      [kind, ...addresses, ...(provider ? [provider] : [])].join(' '),
    );

  it.each([
    ['3.35.0', '4.52.8'],
    ['3.35.0', '5.22.0'],
    ['4.52.8', '5.22.0'],
  ])('comes from %s to %s: the ruleset is removed and imported again', (installed, wanted) => {
    const plan = planned(moved({ installed, wanted }));
    expect(stepsOf(plan)).toEqual([
      ...['backup', `remove-dry-run ${address}`, `remove ${address}`],
      ...[`upgrade-provider ${wanted}`, `import ${address}`, 'check'],
    ]);
    expect(plan.states[0]!.because).toMatch(/^provider \d may not read the rulesets of this state/);
    expect(plan.findings).toEqual([]);
  });

  it('names the place of each version constraint that excludes the new version', async () => {
    const requires = (version: string) =>
      `terraform {\n  required_providers {\n    cloudflare = {\n      source  = "cloudflare/cloudflare"\n      version = "${version}"\n    }\n  }\n}\n`;
    const files = {
      'main.tf': `${requires('>= 3.35')}module "x" {\n  source = "./x"\n}\nmodule "y" {\n  source = "./y"\n}\n`,
      'x/main.tf': requires('< 4.0'),
      'y/main.tf': '',
    };
    const declaring = { configuration: await configuration(files) };
    const { steps } = planned(moved({ installed: '3.35.0', wanted: '5.22.0', ...declaring }));
    expect(steps.find(({ provider }) => provider)!.why).toContain(
      'set it in x/main.tf:1, then run `apply` again: it runs `terraform init -upgrade`. Workspaces',
    );
  });

  it.each([
    ['the provider stays', { installed: '4.52.8', wanted: '4.52.8' }],
    ['none was asked for', { installed: '4.52.8' }],
    ['which one is installed is not known', { wanted: '5.22.0' }],
    ['its ruleset is of another zone', { rulesets: [{ ...owned, zoneId: OTHER_ZONE }] }],
    [
      'legacy resources of another zone stay',
      { legacyResources: [legacyResource('cloudflare_waf_rule.o', { zoneId: OTHER_ZONE })] },
    ],
  ])('has no steps where %s', (_, changes) => {
    const both = 'installed' in changes || 'wanted' in changes;
    const upgrade = both ? {} : { installed: '3.35.0', wanted: '5.22.0' };
    const plan = planned(moved({ installed: undefined, ...upgrade, ...changes }));
    expect(kindsOf(plan)).toEqual(['check']);
  });

  const data = 'data "cloudflare_waf_rules" "d" {\n}\n';
  it.each([
    ['resources', OLD_BLOCKS, 'cloudflare_waf_'],
    ['a data source', data, 'does not support their types: data.cloudflare_waf_rules.d'],
  ])('has none either while its files declare %s of the legacy WAF', async (_, text, named) => {
    const declaring = await configuration({ 'main.tf': text });
    const from = { installed: '3.35.0', wanted: '5.22.0', configuration: declaring };
    const plan = planned(moved(from));
    expect(kindsOf(plan)).toEqual(['check']);
    expect(codesOf(plan)).toEqual(['LEGACY_BLOCKS_DECLARED', 'ENTRY_POINT_NOT_DECLARED']);
    expect(plan.findings[0]!.message).toContain(named);
  });
});
