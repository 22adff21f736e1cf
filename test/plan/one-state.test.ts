import { countOf } from '../../src/plan/facts/one-state';
import { requireConfiguration } from '../../src/project/read-configuration';
import { temporaryFolder } from '../support/temporary-folder';
import { legacyResource, stateFacts, ZONE } from './support/state-facts';

const rule = (zone: string, more = '') =>
  `resource "cloudflare_waf_rule" "r" {\n${more}  zone_id = ${zone}\n}\n`;
const call = 'module "waf" {\n  source = "./waf"\n  zone   = local.zones[var.env]\n}\n';
const each = '  for_each = var.zones\n';
const zone = (name: string) =>
  `${rule('cloudflare_zone.z.id')}resource "cloudflare_zone" "z" {
  account_id = var.account
  zone = ${name}
}
`;
const only = (selector: string) => `${selector} == "${ZONE}" ? 1 : 0`;

it.each([
  ['a variable', rule('var.zone_id'), '', only('var.zone_id')],
  ['an index', rule('var.zones["a"]'), '', only('var.zones["a"]')],
  ['what a module gets', call, rule('var.zone'), only('local.zones[var.env]')],
  ['an index that only the module has', call, rule('var.zones[var.env]'), undefined],
  ['an index of each instance', rule('var.zones[each.key]', each), '', undefined],
  ['a function', rule('lookup(var.zones, var.env)'), '', undefined],
  ['a zone with the name of the environment', zone('var.domain'), '', only('cloudflare_zone.z.id')],
  ['no zone with one name', zone('"example.com"'), '', undefined],
])('the count of one environment compares %s', async (_, main, inModule, count) => {
  const values = 'locals {\n  zones = var.all\n}\n';
  const cwd = temporaryFolder({ 'main.tf': values + main, 'waf/main.tf': inModule });
  const configuration = (await requireConfiguration('.', cwd))!;
  const address = `${inModule === '' ? '' : 'module.waf.'}cloudflare_waf_rule.r`;
  const legacyResources = [legacyResource(address, { zoneId: ZONE })];
  const state = stateFacts({ configuration, legacyResources, hasBackendConfig: true });
  expect(countOf({ ...state, workspace: 'default' }, ZONE)).toBe(count);
});
