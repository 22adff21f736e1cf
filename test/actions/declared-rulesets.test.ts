import { declaredRulesets } from '../../src/actions/read-configuration';
import { configuration, ZONE } from '../plan/support/planned-states';

const ruleset = (more = ''): string =>
  `resource "cloudflare_ruleset" "waf" {\n  zone_id = "${ZONE}"\n  phase = "http_request_firewall_managed"\n${more}}\n`;
const call = (name: string, source: string, more = ''): string =>
  `module "${name}" {\n  source = "${source}"\n${more}}\n`;
const COUNT = '  count = terraform.workspace == "prod" ? 1 : 0\n';

describe('a ruleset has a key', () => {
  it.each([
    ['with a count', { 'main.tf': ruleset(COUNT) }],
    ['with for_each', { 'main.tf': ruleset('  for_each = var.zones\n') }],
    ['by its module', { 'main.tf': call('m', './m', COUNT), 'm/main.tf': ruleset() }],
    [
      'by an override of the call',
      {
        'main.tf': call('m', './m'),
        'override.tf': `module "m" {\n${COUNT}}\n`,
        'm/main.tf': ruleset(),
      },
    ],
    [
      'by a module that calls its own',
      {
        'main.tf': call('m', './m', '  for_each = var.zones\n'),
        'm/main.tf': call('n', './n'),
        'm/n/main.tf': ruleset(),
      },
    ],
  ])('%s', async (_, files) => {
    expect(declaredRulesets(await configuration(files))).toMatchObject([{ isRepeated: true }]);
  });

  it('where another call of its module has a count, only by that one', async () => {
    const files = {
      'main.tf': call('one', './m') + call('more', './m', COUNT),
      'm/main.tf': call('n', './n'),
      'm/n/main.tf': ruleset(),
    };
    expect(declaredRulesets(await configuration(files))).toMatchObject([
      { address: 'module.one.module.n.cloudflare_ruleset.waf', isRepeated: false },
      { address: 'module.more.module.n.cloudflare_ruleset.waf', isRepeated: true },
    ]);
  });
});
