import { declaredRulesets } from '../../src/project/declared-rulesets';
import { planMigration } from '../../src/plan/plan-migration';
import {
  configuration,
  declaredZone,
  OLD_BLOCKS,
  stateFacts,
  ZONE,
} from '../plan/support/state-facts';

const ruleset = (more = ''): string =>
  `resource "cloudflare_ruleset" "waf" {\n  zone_id = "${ZONE}"\n  phase = "http_request_firewall_managed"\n${more}}\n`;
const custom = 'cloudflare_ruleset.custom';
const ofPhase = (phase: string): string =>
  ruleset().replace('"waf"', '"custom"').replace('"http_request_firewall_managed"', phase);
const call = (name: string, source: string, more = ''): string =>
  `module "${name}" {\n  source = "${source}"\n${more}}\n`;
const COUNT = '  count = terraform.workspace == "prod" ? 1 : 0\n';

describe('a ruleset is the entry point of its zone', () => {
  const told = async (main: string) => {
    const [one] = declaredRulesets(await configuration({ 'main.tf': main }));
    return one && [one.zoneId, one.mayBeOf];
  };

  it.each([
    ['where zone and phase are literals', ruleset(), [ZONE, undefined]],
    ['perhaps, where an expression tells the phase', ofPhase('var.phase'), [undefined, ZONE]],
    [
      'where a local value is the zone',
      `${ruleset().replace(`"${ZONE}"`, 'local.zone')}locals {\n  zone = "${ZONE}"\n}\n`,
      [ZONE, undefined],
    ],
    [
      'perhaps, as of any zone, where a variable is the zone, whatever its default',
      `${ruleset().replace(`"${ZONE}"`, 'var.zone')}variable "zone" {\n  default = "${ZONE}"\n}\n`,
      [undefined, undefined],
    ],
    [
      'perhaps, as of any zone, where an expression tells the zone',
      ruleset().replace(/"0123.*"/, 'var.zone'),
      [undefined, undefined],
    ],
    [
      'never, where it is of an account',
      ruleset().replace(/zone_id = .*/, 'account_id = var.account'),
      [undefined, null],
    ],
    ['never, where the zone is null', ruleset().replace(/"0123.*"/, 'null'), [undefined, null]],
  ])('%s', async (_, main, expected) => {
    expect(await told(main)).toEqual(expected);
  });

  it('not one that the state has in another phase, whose phase is an expression', async () => {
    const read = await configuration({ 'main.tf': OLD_BLOCKS + ofPhase('local.phase') });
    const rulesets = [{ address: custom, zoneId: ZONE, id: 'x', phase: 'http_ratelimit' }];
    const declared = declaredRulesets(read);
    const plan = planMigration(
      [declaredZone],
      [stateFacts({ configuration: read, declared, rulesets })],
    );
    expect(plan.zones.map(({ ruleset: { address } }) => address)).toEqual([declaredZone.address]);
    expect(plan.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });
});

describe('a ruleset has a key', () => {
  it.each([
    ['with a count', { 'main.tf': ruleset(COUNT) }],
    ['with for_each', { 'main.tf': ruleset('  for_each = var.zones\n') }],
    ['by its module', { 'main.tf': call('m', './m', COUNT), 'm/main.tf': ruleset() }],
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
});

it.each([
  ['prod', 1],
  ['staging', 0],
  [undefined, 1],
])('a ruleset that only workspace prod has counts in workspace %s: %i', async (name, count) => {
  const read = await configuration({ 'main.tf': ruleset(COUNT) });
  const place = name === undefined ? undefined : { workspace: name, zones: new Set<string>() };
  expect(declaredRulesets(read, place)).toHaveLength(count);
});

const OTHER = 'b'.repeat(32);
it.each([
  ['this zone', [ZONE], 1],
  ['this zone and another', [OTHER, ZONE], 1],
  ['another zone', [OTHER], 0],
  ['none, which may have had it', [], 1],
])('a ruleset of one environment counts in the state of %s: %i', async (_, zones, count) => {
  const only = `count = var.zone_id == "${ZONE}" ? 1 : 0`;
  const read = await configuration({ 'main.tf': ruleset(only) });
  const place = { workspace: 'default', zones: new Set(zones) };
  expect(declaredRulesets(read, place)).toHaveLength(count);
});

describe('the providers that accept the syntax of a ruleset', () => {
  const of3Or4 = [3, 4];
  it.each([
    ['nothing that tells of a provider', '', [3, 4, 5]],
    ['a dynamic block of rules', 'dynamic "rules" {\n  for_each = []\n}', of3Or4],
    ['another dynamic block', 'dynamic "others" {\n  for_each = []\n}', [3, 4, 5]],
    [
      'a block of logging that provider 3 ignores',
      'rules {\n  logging {\n    enabled = true\n  }\n}',
      [4],
    ],
    ['a status in it', 'rules {\n  logging {\n    status = "enabled"\n  }\n}', [3]],
    ['a block of parameters', 'rules {\n  action_parameters {\n    id = "i"\n  }\n}', of3Or4],
    ['a list of rules with parameters', 'rules = [{ action_parameters = { id = "i" } }]', [5]],
    [
      'a list of rules with an override without a value',
      'rules = [{ action_parameters = { overrides = { rules = [{ id = "i" }] } } }]',
      [5],
    ],
    ['a list of rules with logging', 'rules = [{ logging = { enabled = true } }]', [5]],
    ...['categories', 'rules'].map((name): [string, string, number[]] => [
      `a status of ${name}`,
      `rules {\n  action_parameters {\n    overrides {\n      ${name} {\n        status = "disabled"\n      }\n    }\n  }\n}`,
      [3],
    ]),
  ])('with %s is of the providers that take that', async (_, body, majors) => {
    const text = `resource "cloudflare_ruleset" "waf" {\nphase = "http_request_firewall_managed"\n${body}\n}\n`;
    const declared = declaredRulesets(await configuration({ 'waf.tf': text }));
    expect(declared).toMatchObject([{ majors }]);
  });

  // what other bindings leave of a `status`
  it.each([
    ['a rule without a value', { rules: [{ id: 'i' }] }, of3Or4],
    ['a category without one', { categories: [{ category: 'c' }] }, of3Or4],
    ['a category with one', { categories: [{ category: 'c', enabled: true }] }, [4, 5]],
  ])('overriding %s is of the providers that take that', async (_, overrides, majors) => {
    const rules = [{ action_parameters: { overrides } }];
    const waf = { phase: 'http_request_firewall_managed', rules };
    const text = JSON.stringify({ resource: { cloudflare_ruleset: { waf } } });
    const declared = declaredRulesets(await configuration({ 'cdk.tf.json': text }));
    expect(declared).toMatchObject([{ majors }]);
  });
});
