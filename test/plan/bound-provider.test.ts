import { type StateFacts } from '../../src/plan/facts';
import { planMigration } from '../../src/plan/plan-migration';
import {
  boundTo,
  configuration,
  declaredZone,
  OLD_BLOCKS,
  legacyResource,
  OTHER_ZONE,
  stateFacts,
  ZONE,
  zone,
} from './support/state-facts';

const root = 'provider["registry.terraform.io/cloudflare/cloudflare"]';
const rule = (name: string, provider: string, zoneId = ZONE) =>
  legacyResource(`cloudflare_waf_rule.${name}`, { ...boundTo(provider), zoneId });
const boundIn = (changes: Partial<StateFacts>): string | undefined => {
  const { findings } = planMigration([zone], [stateFacts(changes)]);
  const found = findings.find(({ code }) => code === 'PROVIDER_NOT_DEFAULT');
  return found && / use (\S+):/.exec(found.message)?.[1];
};
const bound = (...legacyResources: StateFacts['legacyResources']) => boundIn({ legacyResources });

describe('the provider configuration of a ruleset', () => {
  it('is the default one where the old resources have that', () => {
    expect(bound(rule('a', root), rule('b', root))).toBeUndefined();
    expect(bound()).toBeUndefined();
  });

  it('is the alias that all old resources of its zone have', () => {
    const others = rule('c', `${root}.dev`, OTHER_ZONE);
    const data = legacyResource('data.cloudflare_waf_rules.d', boundTo(`${root}.dev`));
    expect(bound(rule('a', `${root}.prod`), others, data)).toBe('cloudflare.prod');
  });

  it('is not told by several, or by one of a module', () => {
    expect(bound(rule('a', root), rule('b', `${root}.prod`))).toBeUndefined();
    expect(bound(rule('a', `module.m.${root}.prod`))).toBeUndefined();
  });

  it('has the name that the root module gives it, and no alias that is gone', async () => {
    const required =
      'terraform {\n  required_providers {\n    random = ">= 3"\n    cf = {\n      source = "cloudflare/cloudflare"\n    }\n  }\n}\n';
    const named = async (text: string, alias = '.prod') =>
      boundIn({
        legacyResources: alias === '' ? [] : [rule('a', `${root}${alias}`)],
        configuration: await configuration({ 'main.tf': text }),
      });
    const alias = 'provider "cf" {\n  alias = "prod"\n}\n';
    expect(await named(required + alias)).toBe('cf.prod');
    expect(await named(required + alias, '.gone')).toBe('cf');
    expect(await named(required + alias, '')).toBe('cf');
    expect(await named(required)).toBe('cf');
    expect(await named('')).toBeUndefined();
  });
});

describe('a plan says what the provider of a declared ruleset needs', () => {
  const alias = 'provider "cloudflare" {\n  alias = "prod"\n}\n';
  const codes = async (
    one: typeof zone,
    files: Readonly<Record<string, string>>,
    provider = `${root}.prod`,
  ): Promise<string[]> => {
    const legacyResources = stateFacts().legacyResources.map((old) => ({
      ...old,
      ...boundTo(provider),
    }));
    const state = stateFacts({ legacyResources, configuration: await configuration(files) });
    return planMigration([one], [state]).findings.map(({ code }) => code);
  };
  const files = { 'main.tf': OLD_BLOCKS + alias };

  it('where its text is not known; the alias is of use then', async () => {
    expect(await codes(zone, files)).toEqual(['PROVIDER_NOT_DEFAULT']);
    expect(await codes(declaredZone, files)).toEqual([]);
  });

  it('not where the ruleset is declared, or in the state', () => {
    const old = stateFacts().legacyResources.map((one) => ({ ...one, ...boundTo(`${root}.prod`) }));
    const told = (changes: Partial<StateFacts>): boolean =>
      planMigration([zone], [stateFacts({ legacyResources: old, ...changes })]).findings.some(
        ({ code }) => code === 'PROVIDER_NOT_DEFAULT',
      );
    expect(told({})).toBe(true);
    expect(told({ declared: [{ address: 'cloudflare_ruleset.other', zoneId: OTHER_ZONE }] })).toBe(
      true,
    );
    expect(told({ declared: [{ address: zone.address, zoneId: ZONE }] })).toBe(false);
    const { address, rulesetId: id } = zone;
    expect(told({ rulesets: [{ address, zoneId: ZONE, id }] })).toBe(false);
  });
});
