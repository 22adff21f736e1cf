import { type StateFacts } from '../../src/plan/facts';
import { planMigration } from '../../src/plan/plan-migration';
import {
  configuration,
  declaredZone,
  OLD_BLOCKS,
  OTHER_ZONE,
  stateFacts,
  RULESET,
  ZONE,
  zone,
} from './support/state-facts';

const FIREWALL = `resource "cloudflare_filter" "f" {}
resource "cloudflare_firewall_rule" "r" {}
`;
const files = (text = '') =>
  configuration({ 'main.tf': OLD_BLOCKS, 'firewall.tf': `${FIREWALL}${text}` });
const removed = async (wanted: string): Promise<(string | number)[]> => {
  const state = stateFacts({ wanted, configuration: await files() });
  return planMigration([declaredZone], [state]).steps.flatMap(({ edits = [] }) =>
    edits.flatMap(({ remove }) => remove.map(({ address }) => address)),
  );
};

describe('the blocks that leave the files', () => {
  const old = ['cloudflare_waf_package.owasp', 'cloudflare_waf_rule.one'];

  it('are also filters and firewall rules, where the provider cannot plan with them', async () => {
    expect(await removed('5.22.0')).toEqual([
      ...['cloudflare_filter.f', 'cloudflare_firewall_rule.r'],
      ...old,
    ]);
    expect(await removed('4.52.8')).toEqual(old);
  });

  it('are none where nothing leaves the state, which is said', async () => {
    const referring = await files('output "o" {\n  value = cloudflare_waf_package.owasp.id\n}\n');
    const state = stateFacts({
      ...{ installed: '4.52.8', legacyResources: [], configuration: referring },
    });
    const holding = stateFacts({ name: 'old' });
    const plan = planMigration([declaredZone], [holding, state]);
    expect(plan.steps.filter((step) => step.state === 'main').map(({ kind }) => kind)).toEqual([
      ...['backup', 'edit', 'import', 'check'],
    ]);
    expect(plan.findings).toEqual([
      expect.objectContaining({
        ...{ code: 'LEGACY_BLOCKS_DECLARED', severity: 'decision', subject: 'main' },
        message: expect.stringContaining('cloudflare_waf_package.owasp, cloudflare_waf_rule.one'),
      }),
    ]);
  });
});

it('a ruleset is declared where another one is, and not where it is itself', () => {
  const declareSteps = (address: string, zoneId: string): number =>
    planMigration([zone], [stateFacts({ declared: [{ address, zoneId }] })]).steps.filter(
      ({ title }) => title.startsWith('Declare'),
    ).length;
  expect(declareSteps('cloudflare_ruleset.other', OTHER_ZONE)).toBe(1);
  expect(declareSteps(zone.address, ZONE)).toBe(0);
});

it('a ruleset is written into the files where these are known, whatever else they declare', async () => {
  const declared = [{ address: 'cloudflare_ruleset.other', zoneId: OTHER_ZONE }];
  const known = stateFacts({ declared, configuration: await files() });
  const kinds = (state: StateFacts) =>
    planMigration([declaredZone], [state]).steps.map(({ kind }) => kind);
  expect(kinds(known).slice(0, 3)).toEqual(['backup', 'edit', 'import']);
  expect(kinds(stateFacts({ declared })).slice(0, 3)).toEqual(['backup', 'manual', 'import']);
});

describe('an import block that stands already, with method blocks', () => {
  const planWith = async (id: string, to = zone.address, rulesets: StateFacts['rulesets'] = []) => {
    const block = `# mine\nimport {\n  to = ${to}\n  id = ${id}\n}\n`;
    const there = await configuration({ 'main.tf': OLD_BLOCKS, 'mine.tf': block });
    const state = stateFacts({ configuration: there, rulesets });
    return planMigration([declaredZone], [state], 'blocks');
  };

  it.each([
    ['another ruleset of the zone', `zone/${ZONE}/${'b'.repeat(32)}`],
    [
      'the ruleset of another zone, as another workspace leaves it',
      `zone/${OTHER_ZONE}/${RULESET}`,
    ],
  ])('is refused where it takes in %s', async (_, id) => {
    await expect(planWith(`"${id}"`)).rejects.toMatchObject({
      code: 'METHOD_UNSUITABLE',
      message:
        'method blocks does not work: the import block in mine.tf:2 imports another object at the address of the ruleset',
      hint: expect.stringContaining('plan that workspace again'),
    });
  });

  it.each([
    `"zone/${ZONE}/${RULESET}"`,
    `"zones/${ZONE}/${RULESET}"`,
    'local.id',
    `"zone/\${var.zone}/${RULESET}"`,
    'local.a/b/c',
    'var.ids["a/b/c"]',
    'a/b/c[0]',
  ])('is taken for the own one with this id, which is it or may be it: %s', async (id) => {
    const edits = (await planWith(id)).steps.flatMap((step) => step.edits ?? []);
    expect(edits.map(({ insert = '' }) => insert).join('')).not.toContain('import {');
  });

  it('is nothing to it where it is that of another resource, or the state has the ruleset', async () => {
    const id = `"zone/${OTHER_ZONE}/${RULESET}"`;
    const owned = [{ address: zone.address, zoneId: ZONE, id: RULESET }];
    for (const plan of [
      await planWith(id, 'cloudflare_ruleset.other'),
      await planWith(id, zone.address, owned),
    ])
      expect(plan.steps.map(({ kind }) => kind)).toContain('apply-blocks');
  });
});
