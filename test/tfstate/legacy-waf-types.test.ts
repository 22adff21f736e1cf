import { isLegacyWafAddress, isOfInterest } from '../../src/tfstate/legacy-waf-types';

describe('an address without keys', () => {
  it.each([
    'cloudflare_waf_rule.r',
    'module.zones.cloudflare_waf_group.g',
    'module.zones.module.shop.cloudflare_waf_package.p',
    'module.cloudflare_waf_rule.cloudflare_waf_override.o',
    'module.module.cloudflare_waf_override.o',
    'data.cloudflare_waf_rules.all',
    'module.zones.data.cloudflare_waf_packages.all',
    'module.data.data.cloudflare_waf_groups.all',
  ])('is of a legacy type: %s', (address) => {
    expect(isLegacyWafAddress(address)).toBe(true);
  });

  it.each([
    '',
    'cloudflare_ruleset.r',
    'cloudflare_record.cloudflare_waf_rule',
    // a data source as a resource, and the other way round
    'cloudflare_waf_rules.all',
    'data.cloudflare_waf_rule.r',
    'module.zones.cloudflare_record.cloudflare_waf_rule',
    'module.cloudflare_waf_rule.cloudflare_record.r',
    'module.zones.data.cloudflare_zones.cloudflare_waf_rules',
    // the module alone, named like a type
    'module.cloudflare_waf_rule',
    'data',
    'module.zones.data',
  ])('is not: %j', (address) => {
    expect(isLegacyWafAddress(address)).toBe(false);
  });
});

it.each([
  ['managed', 'cloudflare_waf_package', true],
  ['managed', 'cloudflare_waf_group', true],
  ['managed', 'cloudflare_waf_rule', true],
  ['managed', 'cloudflare_waf_override', true],
  ['managed', 'cloudflare_ruleset', true],
  ['managed', 'cloudflare_filter', true],
  ['managed', 'cloudflare_firewall_rule', true],
  ['managed', 'cloudflare_page_rule', true],
  ['managed', 'cloudflare_zone_settings_override', true],
  ['managed', 'cloudflare_record', false],
  ['managed', 'cloudflare_waf_rules', false],
  ['managed', '', false],
  ['data', 'cloudflare_waf_packages', true],
  ['data', 'cloudflare_waf_groups', true],
  ['data', 'cloudflare_waf_rules', true],
  ['data', 'cloudflare_waf_rule', false],
  ['data', 'cloudflare_ruleset', false],
])('%s %s is read in full: %s', (mode, type, expected) => {
  expect(isOfInterest(mode, type)).toBe(expected);
});
