import { type Plan } from '../../src/plan/plan-schema';
import { planMigration } from '../../src/plan/plan-migration';
import { type StateFacts } from '../../src/plan/facts/facts';
import {
  codesOf,
  configuration,
  declaredZone,
  firewallRule,
  OLD_BLOCKS,
  legacyResource,
  OTHER_ZONE,
  removedBlocks,
  stateFacts,
  RULESET,
  ZONE,
} from './support/state-facts';

const FIREWALL = 'resource "cloudflare_firewall_rule" "r" {}\n';
const ofThree = {
  ...{ address: 'cloudflare_ruleset.custom', zoneId: OTHER_ZONE, id: 'c'.repeat(32) },
  ...{ phase: 'http_request_firewall_custom', written: { schemaVersion: 1, hasObjects: false } },
};
/** The steps of a state, what each is about behind its kind. */
const stepsOf = ({ steps }: Plan, name = 'main'): string[] =>
  steps
    .filter(({ state }) => state === name)
    .map(({ kind, addresses = [], edits = [], provider }) =>
      [kind, ...addresses, ...edits.map(({ file }) => file), ...(provider ? [provider] : [])].join(
        ' ',
      ),
    );
const imported = declaredZone.address;

describe('a state that imports a ruleset, and has no legacy resources', () => {
  const emptied = async (changes: Partial<StateFacts>, more = ''): Promise<StateFacts> =>
    stateFacts({
      legacyResources: [],
      configuration: await configuration({ 'main.tf': OLD_BLOCKS + more }),
      ...changes,
    });

  it.each([
    ['on the way to provider 5', { wanted: '5.22.0' }, ['upgrade-provider 5.22.0']],
    ['where provider 5 is installed', { installed: '5.22.0' }, []],
  ])('removes rulesets of provider 3 before it imports them, %s', async (_, versions, upgrade) => {
    const state = await emptied({ ...versions, rulesets: [ofThree] });
    expect(stepsOf(planMigration([declaredZone], [state]))).toEqual([
      ...['backup', `remove-dry-run ${ofThree.address}`, `remove ${ofThree.address}`],
      ...['edit main.tf', `edit ${imported} waf.tf`, ...upgrade],
      ...[`import ${ofThree.address}`, `import ${imported}`, 'check'],
    ]);
  });

  it.each(['alone', 'beside the legacy state'])(
    'trap 0.14: removes firewall rules that provider 5 cannot plan with, and the legacy blocks only if planned %s',
    async (how) => {
      const state = await emptied(
        { installed: '5.22.0', retired: [firewallRule], isEmpty: true },
        FIREWALL,
      );
      const isAlone = how === 'alone';
      const states = isAlone ? [state] : [state, stateFacts({ name: 'old', dir: 'old' })];
      const plan = planMigration([declaredZone], states);
      expect(stepsOf(plan)).toEqual([
        ...['backup', `remove-dry-run ${firewallRule}`, `remove ${firewallRule}`],
        ...['edit main.tf', `edit ${imported} waf.tf`, `import ${imported}`, 'check'],
      ]);
      expect(removedBlocks(plan)).toEqual([
        ...(isAlone ? ['cloudflare_waf_package.owasp', 'cloudflare_waf_rule.one'] : []),
        firewallRule,
      ]);
      expect(codesOf(plan)).toContain('FIREWALL_RULES_LEAVE');
    },
  );

  it('keeps them where the provider plans with them, and makes no backup of a missing state', async () => {
    const changes = { installed: '4.52.8', retired: [firewallRule], exists: false };
    const state = await emptied(changes, FIREWALL);
    const plan = planMigration([declaredZone], [state]);
    expect(stepsOf(plan)).toEqual([
      ...['edit main.tf', `edit ${imported} waf.tf`, `import ${imported}`, 'check'],
    ]);
    expect(codesOf(plan)).toEqual(['LEGACY_RESOURCES_GONE']);
  });
});

it('a state without anything of a planned zone stays unchanged', async () => {
  const check =
    'check "c" {\n  data "cloudflare_waf_rules" "all" {}\n  assert {\n    condition     = true\n    error_message = "c"\n  }\n}\n';
  const ofOther = [legacyResource('cloudflare_waf_rule.x', { zoneId: OTHER_ZONE })];
  const second = stateFacts({
    ...{ name: 'second', dir: 'second', legacyResources: ofOther, retired: [firewallRule] },
    ...{ installed: '4.52.8', wanted: '5.22.0', rulesets: [ofThree] },
    configuration: await configuration({ 'second/main.tf': FIREWALL + check }, 'second'),
  });
  const plan = planMigration([declaredZone], [stateFacts(), second]);
  expect(stepsOf(plan, 'second')).toEqual([]);
  expect(codesOf(plan)).toEqual(['NO_LEGACY_RESOURCES']);
});

describe('a state that declares the ruleset, and has only legacy resources of other zones', () => {
  const other = legacyResource('cloudflare_waf_rule.other', { zoneId: OTHER_ZONE });
  const files = {
    'main.tf': 'resource "cloudflare_waf_rule" "other" {}\n',
    'waf.tf': 'resource "cloudflare_ruleset" "waf" {}\n',
  };
  const planWith = async (changes: Partial<StateFacts>): Promise<Plan> => {
    const declared = [{ address: imported, zoneId: ZONE }];
    const config = await configuration(files);
    const state = { legacyResources: [other], configuration: config, declared, ...changes };
    return planMigration([declaredZone], [stateFacts(state)]);
  };

  it('removes them where the ruleset is imported and the provider cannot plan with them', async () => {
    const rulesets = [{ address: imported, zoneId: ZONE, id: RULESET }];
    const plan = await planWith({ installed: '4.52.8', rulesets });
    expect(stepsOf(plan)).toEqual([
      ...['backup', `remove-dry-run ${other.address}`, `remove ${other.address}`],
      ...['edit main.tf', 'check'],
    ]);
    expect(codesOf(plan)).toContain('OTHER_ZONES');
  });

  it('keeps them where provider 3 imports beside them, and checks the ruleset alone, once', async () => {
    const plan = await planWith({ installed: '3.35.0', configuration: undefined });
    expect(stepsOf(plan)).toEqual(['backup', `import ${imported}`, 'check']);
    expect(plan.steps.at(-1)!.expects).toEqual({ plan: 'target-empty' });
  });

  it('plans the imported ruleset alone where provider 3 stays beside them', async () => {
    const rulesets = [{ address: imported, zoneId: ZONE, id: RULESET }];
    const plan = await planWith({ installed: '3.35.0', rulesets });
    expect(plan.steps).toMatchObject([{ kind: 'check', expects: { plan: 'target-empty' } }]);
  });
});

it('refuses an upgrade of a program whose other stack has legacy resources of zones that were not selected', async () => {
  const stack = { terraform: {}, '//': { metadata: { stackName: 'blog' } } };
  const blog = stateFacts({
    ...{ name: 'blog', dir: 'cdktf.out/stacks/blog', wanted: '5.22.0' },
    legacyResources: [legacyResource('cloudflare_waf_rule.x', { zoneId: OTHER_ZONE })],
    configuration: await configuration(
      { 'cdktf.out/stacks/blog/cdk.tf.json': JSON.stringify(stack) },
      'cdktf.out/stacks/blog',
    ),
  });
  const plan = planMigration([declaredZone], [stateFacts(), blog]);
  expect(plan.findings).toContainEqual(
    expect.objectContaining({ code: 'OTHER_ZONES', severity: 'blocker', subject: 'blog' }),
  );
});
