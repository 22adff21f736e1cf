import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LegacySettings } from '../../src/translate/source/legacy-settings';
import { readSettingsFromStates } from '../../src/translate/source/settings-from-state';
import { legacyWafTypes } from '../../src/tfstate/legacy-waf-types';
import { statesFolder, ZONE } from '../plan/support/plans';

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

describe('the legacy settings of a state', () => {
  it('are those of its resources', () => {
    const one = (type: string, attributes: Attributes): Resource => ({
      type: `cloudflare_${type}`,
      attributes,
    });
    const texts = { description: 'why', paused: true };
    const override = {
      ...{
        id: 'o',
        urls: ['a.b/*'],
        rules: { '100000': 'disable', odd: 1 },
        groups: null,
        ...texts,
      },
      rewrite_action: { block: 'log' },
    };
    const page = { id: 'p', target: 'a.b/*', priority: 2, status: 'disabled' };
    const found = only(
      one('waf_package', { package_id: 'p', sensitivity: 'low', action_mode: 'block' }),
      one('waf_group', { group_id: 'g', package_id: 'p', mode: 'off' }),
      one('waf_rule', { rule_id: '1', package_id: 'p', group_id: 'g', mode: 'block' }),
      one('waf_override', override),
      one('filter', { id: 'f', expression: 'ssl', paused: false }),
      one('firewall_rule', {
        ...{ id: 'r', action: 'bypass', products: ['waf'], filter_id: 'f', ...texts },
      }),
      one('page_rule', { ...page, actions: [{ disable_security: true, waf: 'off' }] }),
      one('zone_settings_override', { settings: [{ waf: 'on' }] }),
    );
    const from = (type: string) => ({ from: `cloudflare_${type}.one` });
    expect(found).toEqual({
      zoneId: ZONE,
      packages: [
        { ...from('waf_package'), packageId: 'p', sensitivity: 'low', actionMode: 'block' },
      ],
      groups: [{ ...from('waf_group'), groupId: 'g', packageId: 'p', mode: 'off' }],
      rules: [{ ...from('waf_rule'), ruleId: '1', packageId: 'p', groupId: 'g', mode: 'block' }],
      overrides: [
        {
          ...{ ...from('waf_override'), ...texts, id: 'o', urls: ['a.b/*'] },
          ...{ rules: { '100000': 'disable' }, groups: {}, rewriteAction: { block: 'log' } },
        },
      ],
      firewallRules: [
        {
          ...{ ...from('firewall_rule'), ...texts, id: 'r', action: 'bypass' },
          ...{ products: ['waf'], expression: 'ssl' },
        },
      ],
      pageRules: [
        {
          ...{ ...from('page_rule'), id: 'p', target: 'a.b/*', priority: 2 },
          ...{ active: false, disableSecurity: true, waf: 'off' },
        },
      ],
      wafSwitch: { from: 'cloudflare_zone_settings_override.one.settings[0]', value: 'on' },
      known: { groups: [], rules: [] },
    });
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

  it.each([
    ['paused if its filter is', { id: 'f', expression: 'true', paused: true }, 'true', true],
    ['without an expression if its filter is not in the state', { id: 'g' }, undefined, false],
  ])('have a firewall rule %s', (_, filter, expression, paused) => {
    const rule = { action: 'bypass', products: ['waf'], filter_id: 'f' };
    const [found] = only(
      { type: 'cloudflare_filter', attributes: filter },
      { type: 'cloudflare_firewall_rule', attributes: rule },
    ).firewallRules;
    expect(found).toMatchObject({ expression, paused });
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
});

it.each(legacyWafTypes.filter(({ mode }) => mode === 'managed'))('reads a $type', ({ type }) => {
  const { packages, groups, rules, overrides } = only({ type, attributes: {} });
  expect([packages, groups, rules, overrides].flat()).toHaveLength(1);
});
