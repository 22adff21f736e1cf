import { isOfInterest } from '../../src/tfstate/legacy-waf-types';

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
