import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { readSettingsFromStates } from '../../src/translate/source/settings-from-state';
import { type LegacySettings } from '../../src/translate/legacy-settings';
import { statesFolder, ZONE } from '../plan/support/plans';
import { randomZone } from './support/random-zone';

type Attributes = Record<string, unknown>;
interface Resource {
  mode?: 'managed' | 'data';
  type: string;
  name?: string;
  attributes: Attributes;
}
const read = (...resources: Resource[]) => readSettingsFromStates([stateOf(resources)]);
const only = (...resources: Resource[]): LegacySettings => {
  const { zones, findings } = read(...resources);
  expect([zones.length, findings]).toEqual([1, []]);
  return zones[0]!;
};

function stateOf(resources: readonly Resource[]): Buffer {
  const state = {
    ...{ version: 4, terraform_version: '1.11.4', serial: 1, lineage: 'x', outputs: {} },
    resources: resources.map(({ mode = 'managed', type, name = 'one', attributes }) => ({
      ...{ mode, type, name },
      provider: 'provider["registry.terraform.io/cloudflare/cloudflare"]',
      instances: [{ schema_version: 0, attributes: { zone_id: ZONE, ...attributes } }],
    })),
  };
  return Buffer.from(JSON.stringify(state));
}
const rule = (attributes: Attributes): Resource => ({ type: 'cloudflare_waf_rule', attributes });
const anyRule = rule({ rule_id: '100000', mode: 'disable' });

/** The resources of provider 3.35 that hold these settings; each place becomes a name. */
function resourcesOf(old: LegacySettings): Resource[] {
  const name = (from: string) => from.replace(/\W/g, '_');
  return [
    ...old.packages.map(({ from, packageId, sensitivity, actionMode }) => ({
      type: 'cloudflare_waf_package',
      name: name(from),
      attributes: { package_id: packageId, sensitivity, action_mode: actionMode },
    })),
    ...old.groups.map(({ from, groupId, packageId = '', mode }) => ({
      type: 'cloudflare_waf_group',
      name: name(from),
      attributes: { group_id: groupId, package_id: packageId, mode },
    })),
    ...old.rules.map(({ from, ruleId, packageId = '', groupId = '', mode }) => ({
      type: 'cloudflare_waf_rule',
      name: name(from),
      attributes: { rule_id: ruleId, package_id: packageId, group_id: groupId, mode },
    })),
    ...old.overrides.map(({ from, id = '', rewriteAction, ...rest }) => ({
      type: 'cloudflare_waf_override',
      name: name(from),
      attributes: { id, override_id: id, rewrite_action: rewriteAction, ...rest },
    })),
    ...old.firewallRules.flatMap(({ from, id = '', expression, ...rest }, at) => [
      {
        type: 'cloudflare_firewall_rule',
        name: name(from),
        attributes: { ...rest, id, filter_id: `filter ${at}` },
      },
      ...(expression === undefined
        ? []
        : [
            {
              type: 'cloudflare_filter',
              name: name(from),
              attributes: { id: `filter ${at}`, expression, paused: false },
            },
          ]),
    ]),
    ...old.pageRules.map(
      ({ from, id = '', target, priority, active, disableSecurity, waf = '' }) => ({
        type: 'cloudflare_page_rule',
        name: name(from),
        attributes: {
          ...{ id, target, priority, status: active ? 'active' : 'disabled' },
          actions: [{ disable_security: disableSecurity, waf }],
        },
      }),
    ),
    ...(old.wafSwitch === undefined
      ? []
      : [
          {
            type: 'cloudflare_zone_settings_override',
            name: 'switch',
            attributes: { settings: [{ waf: old.wafSwitch.value }] },
          },
        ]),
  ];
}

/** Settings without their places, and empty words as what they mean: nothing. */
function bare({ packages, groups, rules, overrides, ...old }: LegacySettings): unknown {
  const strip = (all: readonly object[]) =>
    all.map((one) => {
      const entries = Object.entries(one).filter(
        ([key, value]) => key !== 'from' && value !== undefined && value !== '',
      );
      return JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
    });
  return {
    ...{ packages: strip(packages), groups: strip(groups), rules: strip(rules) },
    ...{ overrides: strip(overrides), firewallRules: strip(old.firewallRules) },
    ...{ pageRules: strip(old.pageRules), waf: old.wafSwitch?.value || undefined },
  };
}

describe('the legacy settings of a state', () => {
  it('are those of its resources, for any settings', () => {
    fc.assert(
      fc.property(randomZone, (drawn) => {
        const old = { ...drawn, zoneId: ZONE };
        const { zones, findings } = read(anyRule, ...resourcesOf(old));
        expect(findings).toEqual([]);
        const [found] = zones;
        const [first, ...rules] = found!.rules;
        expect(first).toMatchObject({ ruleId: '100000', from: 'cloudflare_waf_rule.one' });
        expect(bare({ ...found!, rules })).toEqual(bare(old));
      }),
    );
  });

  it('of several zones and states are sorted by zone', () => {
    const bytes = readFileSync(join(statesFolder, 'old-waf-3.35.tfstate'));
    const alias = readFileSync(join(statesFolder, 'provider-alias-3.35.tfstate'));
    const { zones } = readSettingsFromStates([bytes, alias]);
    expect(zones.map(({ zoneId }) => zoneId.slice(0, 4))).toEqual([
      '0123',
      '1111',
      '2222',
      '3333',
      'fedc',
    ]);
    expect(zones[0]!.rules).toHaveLength(22);
    const other = readSettingsFromStates([alias, bytes]).zones;
    expect(other.map(({ zoneId }) => zoneId)).toEqual(zones.map(({ zoneId }) => zoneId));
  });

  it('report a rule without a zone', () => {
    for (const zone_id of ['', 'shop', null]) {
      const { zones, findings } = read(rule({ rule_id: '100000', mode: 'disable', zone_id }));
      expect(zones).toEqual([]);
      expect(findings).toEqual([
        expect.objectContaining({
          code: 'ZONE_UNKNOWN',
          severity: 'decision',
          subject: 'cloudflare_waf_rule.one',
        }),
      ]);
    }
  });

  it('do not include zones with only filters, other firewall rules and page rules', () => {
    const resources = [
      { type: 'cloudflare_filter', attributes: { id: 'f', expression: 'true' } },
      { type: 'cloudflare_firewall_rule', attributes: { action: 'block', filter_id: 'f' } },
      { type: 'cloudflare_page_rule', attributes: { target: 'a.b/*', actions: [{ ssl: 'off' }] } },
    ];
    expect(read(...resources).zones).toEqual([]);
    const bypass = { action: 'bypass', products: ['waf'], filter_id: 'f', paused: true };
    const [found] = only(...resources, {
      type: 'cloudflare_firewall_rule',
      name: 'two',
      attributes: bypass,
    }).firewallRules.slice(1);
    expect(found).toMatchObject({ expression: 'true', paused: true });
  });

  it('have a firewall rule paused if its filter is paused', () => {
    const [found] = only(
      { type: 'cloudflare_filter', attributes: { id: 'f', expression: 'true', paused: true } },
      {
        type: 'cloudflare_firewall_rule',
        attributes: { action: 'bypass', products: ['waf'], filter_id: 'f' },
      },
    ).firewallRules;
    expect(found).toMatchObject({ paused: true });
  });
});

describe('data sources', () => {
  const data =
    (list: string) =>
    (...seen: Attributes[]): Resource => ({
      ...{ mode: 'data', type: `cloudflare_waf_${list}` },
      attributes: { [list]: seen },
    });
  const [packages, groups, rules] = [data('packages'), data('groups'), data('rules')];

  it('show settings that no resource manages', () => {
    const { rules: found } = only(
      rules({ id: '1', mode: 'default' }, { id: '2', mode: 'block' }, { id: '3', mode: 'on' }),
    );
    const from = 'data.cloudflare_waf_rules.one.rules[1]';
    expect(found).toMatchObject([{ from, ruleId: '2', mode: 'block' }]);
    expect(only(groups({ id: 'a', mode: 'on' }, { id: 'b', mode: 'off' })).groups).toHaveLength(1);
    expect(
      only(packages({ id: 'p', sensitivity: 'high' }, { id: 'q', sensitivity: '' })).packages,
    ).toHaveLength(1);
  });

  it('count less than a resource, which is applied after they were read', () => {
    const { rules: found } = only(
      rules({ id: '100000', mode: 'block' }),
      rule({ rule_id: '100000', mode: 'disable' }),
    );
    expect(found.map(({ mode }) => mode)).toEqual(['disable']);
  });

  it('with equal settings count once, with different settings twice', () => {
    const same = rules({ id: '1', mode: 'block' }, { id: '1', mode: 'block' });
    expect(only(same).rules).toHaveLength(1);
    const torn = rules({ id: '1', mode: 'block' }, { id: '1', mode: 'disable' });
    expect(only(torn).rules).toHaveLength(2);
  });

  it('contain names, members and packages', () => {
    const { known } = only(
      groups({ id: 'g', name: 'Php', mode: 'on', package_id: 'p', rules_count: 3 }),
      rules({ id: '1', mode: 'on', group_id: 'g', group_name: 'Php', package_id: 'p' }),
    );
    expect(known).toMatchObject({
      groups: [{ groupId: 'g', name: 'Php', packageId: 'p', rulesCount: 3 }],
      rules: [{ ruleId: '1', groupId: 'g', groupName: 'Php', packageId: 'p' }],
    });
  });
});

describe('the switch of the legacy WAF', () => {
  const waf = (name: string, value: string): Resource => ({
    type: 'cloudflare_zone_settings_override',
    name,
    attributes: { settings: [{ waf: value }] },
  });

  it.each(['on', 'off'])('%s is a legacy setting', (value) => {
    expect(only(waf('all', value)).wafSwitch).toEqual({
      from: 'cloudflare_zone_settings_override.all.settings[0]',
      value,
    });
  });

  it('is no setting if it is not set', () => {
    expect(read(waf('all', '')).zones).toEqual([]);
  });

  it.each([
    ['first', [waf('a', 'on'), waf('b', 'off')]],
    ['last', [waf('b', 'off'), waf('a', 'on')]],
  ])('counts as on if one resource has it on, also the %s', (_, both) => {
    expect(only(...both).wafSwitch?.value).toBe('on');
  });

  it('is read from the resource with the first address', () => {
    expect(only(waf('b', 'off'), waf('a', 'off')).wafSwitch?.from).toContain('_override.a.');
  });
});
