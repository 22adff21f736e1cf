import { boundProvider, type PlannedState } from '../../src/plan/facts';
import { planMigration } from '../../src/plan/plan-migration';
import {
  boundTo,
  configuration,
  declaredZone,
  OLD_BLOCKS,
  oldResource,
  OTHER_ZONE,
  plannedState,
  ZONE,
  zone,
} from './support/planned-states';

const root = 'provider["registry.terraform.io/cloudflare/cloudflare"]';
const rule = (name: string, provider: string, zoneId = ZONE) =>
  oldResource(`cloudflare_waf_rule.${name}`, { ...boundTo(provider), zoneId });
const bound = (...oldResources: PlannedState['oldResources']): string | undefined =>
  boundProvider(plannedState({ oldResources }), ZONE);

describe('the provider configuration of a ruleset', () => {
  it('is the default one where the old resources have that', () => {
    expect(bound(rule('a', root), rule('b', root))).toBeUndefined();
    expect(bound()).toBeUndefined();
  });

  it('is the alias that all old resources of its zone have', () => {
    const others = rule('c', `${root}.dev`, OTHER_ZONE);
    const data = oldResource('data.cloudflare_waf_rules.d', boundTo(`${root}.dev`));
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
      boundProvider(
        plannedState({
          oldResources: alias === '' ? [] : [rule('a', `${root}${alias}`)],
          configuration: await configuration({ 'main.tf': text }),
        }),
        ZONE,
      );
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
    const oldResources = plannedState().oldResources.map((old) => ({
      ...old,
      ...boundTo(provider),
    }));
    const state = plannedState({ oldResources, configuration: await configuration(files) });
    return planMigration([one], [state]).findings.map(({ code }) => code);
  };
  const files = { 'main.tf': OLD_BLOCKS + alias };

  it('where its text is not known; the alias is of use then', async () => {
    expect(await codes(zone, files)).toEqual(['PROVIDER_NOT_DEFAULT']);
    expect(await codes(declaredZone, files)).toEqual([]);
  });

  it('not where the ruleset is declared, or in the state', () => {
    const old = plannedState().oldResources.map((one) => ({ ...one, ...boundTo(`${root}.prod`) }));
    const told = (changes: Partial<PlannedState>): boolean =>
      planMigration([zone], [plannedState({ oldResources: old, ...changes })]).findings.some(
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
