import { type Step } from '../../src/plan/plan';
import { planMigration } from '../../src/plan/plan-migration';
import { type StateFacts } from '../../src/plan/facts';
import {
  configuration,
  declaredZone,
  firewallRule,
  OLD_BLOCKS,
  legacyResource,
  OTHER_ZONE,
  stateFacts,
  zone,
  workspace,
} from './support/state-facts';

describe('the plan of each state', () => {
  it('is by blocks where that was asked for, with a zone in each state', async () => {
    const files = await configuration({ 'main.tf': OLD_BLOCKS });
    const otherResources = [legacyResource('cloudflare_waf_package.owasp', { zoneId: OTHER_ZONE })];
    const other = {
      ...{ ...declaredZone, zoneId: OTHER_ZONE, rulesetId: 'b'.repeat(32) },
      address: 'cloudflare_ruleset.other',
    };
    const { states } = planMigration(
      [declaredZone, other],
      [
        stateFacts({ configuration: files }),
        stateFacts({ name: 'second', legacyResources: otherResources, configuration: files }),
      ],
      'blocks',
    );
    expect(states.map(({ method }) => method)).toEqual(['blocks', 'blocks']);
  });

  it.each(['in the same state', 'in another state'])(
    'leaves a block of a module alone of which another zone has something %s',
    async (where) => {
      const call = (name: string): string => `module "${name}" {\n  source = "./waf"\n}\n`;
      const files = await configuration({
        'main.tf': `${call('a')}${call('b')}`,
        'waf/main.tf': 'resource "cloudflare_waf_rule" "r" {\n  zone_id = var.zone\n}\n',
      });
      const own = legacyResource('module.a.cloudflare_waf_rule.r');
      const others = legacyResource('module.b.cloudflare_waf_rule.r', { zoneId: OTHER_ZONE });
      const state = (name: string, ...legacyResources: (typeof own)[]) =>
        stateFacts({ name, legacyResources, configuration: files });
      const states =
        where === 'in another state'
          ? [state('main', own), state('second', others)]
          : [state('main', own, others)];
      const { findings, steps } = planMigration([declaredZone], states);
      expect(findings).toContainEqual(
        expect.objectContaining({
          code: 'BLOCK_SHARED',
          subject: 'module.a.cloudflare_waf_rule.r',
        }),
      );
      const edited = steps.flatMap(({ edits = [] }) => edits.map(({ file }) => file));
      expect(edited).toEqual(['waf.tf']);
    },
  );

  describe('where links give one file of a module two names', () => {
    const RULE = 'resource "cloudflare_waf_rule" "r" {\n  zone_id = var.zone\n}\n';
    const linked = async (outputs: Readonly<Record<string, string>> = {}) => ({
      ...(await configuration({
        'main.tf': ['shop', 'blog']
          .map((name) => `module "${name}" {\n  source = "./${name}"\n}\n`)
          .join(''),
        'shop/waf.tf': RULE,
        'blog/waf.tf': RULE,
        ...outputs,
      })),
      linkedFiles: new Map([['blog/waf.tf', 'shop/waf.tf']]),
    });
    const own = legacyResource('module.shop.cloudflare_waf_rule.r');
    const others = legacyResource('module.blog.cloudflare_waf_rule.r', { zoneId: OTHER_ZONE });
    const edited = (steps: readonly Step[]) =>
      steps.flatMap(({ edits = [] }) => edits.map(({ file }) => file));

    it('leaves the block alone of which another zone has something under the other name', async () => {
      const state = stateFacts({ legacyResources: [own, others], configuration: await linked() });
      const { findings, steps } = planMigration([declaredZone], [state]);
      expect(findings).toContainEqual(
        expect.objectContaining({ code: 'BLOCK_SHARED', subject: own.address }),
      );
      expect(edited(steps)).toEqual(['waf.tf']);
    });

    it('takes the block out once where both zones leave', async () => {
      const state = stateFacts({ legacyResources: [own, others], configuration: await linked() });
      const other = { ...zone, zoneId: OTHER_ZONE, address: 'cloudflare_ruleset.other' };
      expect(edited(planMigration([declaredZone, other], [state]).steps)).toEqual([
        ...['waf.tf', 'blog/waf.tf'],
      ]);
    });

    it('names who refers to the block beside the other name, where the state has nothing of it', async () => {
      const output = 'output "o" {\n  value = cloudflare_waf_rule.r.id\n}\n';
      const files = await linked({ 'blog/outputs.tf': output });
      const state = stateFacts({ legacyResources: [own], configuration: files });
      expect(planMigration([declaredZone], [state]).findings).toContainEqual(
        expect.objectContaining({ code: 'BLOCK_REFERENCED', subject: 'blog/outputs.tf:2' }),
      );
    });
  });

  it('takes the ruleset in where the old resources have left before, and their blocks out', async () => {
    const files = await configuration({ 'main.tf': OLD_BLOCKS });
    const emptied = { legacyResources: [], configuration: files };
    const plan = planMigration([declaredZone], [stateFacts(emptied)]);
    expect(
      plan.steps.map(({ kind, edits = [] }) => [kind, ...edits.map(({ file }) => file)]),
    ).toEqual([['backup'], ['edit', 'main.tf'], ['edit', 'waf.tf'], ['import'], ['check']]);
    expect(plan.findings.map(({ code }) => code)).toEqual(['LEGACY_RESOURCES_GONE']);
    const workspaces = stateFacts({ ...emptied, otherWorkspaces: [workspace('prod')] });
    expect(planMigration([declaredZone], [workspaces]).findings).toContainEqual(
      expect.objectContaining({ code: 'OTHER_WORKSPACES' }),
    );

    const elsewhere = stateFacts({ ...emptied, name: 'second' });
    expect(
      planMigration([declaredZone], [stateFacts(emptied), elsewhere]).steps.map(({ kind }) => kind),
    ).toEqual(['check', 'check']);
    const two = [declaredZone, { ...zone, zoneId: OTHER_ZONE, rulesetId: 'b'.repeat(32) }];
    expect(planMigration(two, [stateFacts(emptied)]).steps.map(({ kind }) => kind)).toEqual([
      'check',
    ]);
    expect(
      planMigration([declaredZone], [stateFacts({ legacyResources: [] })]).steps.map(
        ({ kind }) => kind,
      ),
    ).toEqual(['check']);
  });

  it('leaves old blocks alone where another zone has its resources, or the ruleset is there', async () => {
    const neverApplied = 'resource "cloudflare_waf_group" "g" {}\n';
    const files = await configuration({ 'main.tf': OLD_BLOCKS + neverApplied });
    const edited = (changes: Partial<StateFacts>) =>
      planMigration([declaredZone], [stateFacts({ configuration: files, ...changes })])
        .steps.flatMap(({ edits = [] }) => edits.map(({ file }) => file))
        .filter((file) => file === 'main.tf');
    const declared = [{ address: declaredZone.address, zoneId: declaredZone.zoneId }];
    const others = ['cloudflare_waf_package.owasp', 'cloudflare_waf_rule.one["a"]'].map((one) =>
      legacyResource(one, { zoneId: OTHER_ZONE }),
    );
    expect(edited({ declared, legacyResources: others })).toEqual([]);
    const { address, zoneId, rulesetId: id } = declaredZone;
    const there = { legacyResources: [], rulesets: [{ address, zoneId, id }] };
    expect(edited(there)).toEqual([]);
    const { findings } = planMigration(
      [declaredZone],
      [stateFacts({ configuration: files, ...there })],
    );
    expect(findings.map(({ code }) => code)).toContain('LEGACY_BLOCKS_DECLARED');
    expect(edited({ declared, legacyResources: [] })).toEqual(['main.tf']);
  });

  it('is carried out for a new one before one that takes a ruleset in and lets go', () => {
    const declared = [{ address: 'cloudflare_ruleset.own', zoneId: zone.zoneId }];
    const others = [legacyResource('cloudflare_waf_rule.two', { zoneId: OTHER_ZONE })];
    const states = [
      stateFacts({ name: 'declaring', declared }),
      stateFacts({ name: 'letting go', legacyResources: others }),
      stateFacts({ name: 'new', legacyResources: [], exists: false }),
    ];
    const other = { ...zone, zoneId: OTHER_ZONE, rulesetId: 'b'.repeat(32) };
    const { steps } = planMigration([zone, other], states);
    expect([...new Set(steps.map(({ state }) => state))]).toEqual([
      ...['new', 'declaring', 'letting go'],
    ]);
  });

  it('lets no firewall rule go where nothing old leaves', () => {
    const nothingOld = { installed: '5.22.0', legacyResources: [], retired: [firewallRule] };
    const { findings } = planMigration([zone], [stateFacts(nothingOld)]);
    expect(findings.map(({ code }) => code)).toEqual(['NO_LEGACY_RESOURCES']);
  });

  it('leaves blocks that have done their work where a ruleset is yet to come in', async () => {
    const files = await configuration({
      'main.tf': 'removed {\n  from = cloudflare_waf_package.owasp\n}\n',
    });
    const stack = { name: 'stack', legacyResources: [], exists: false, configuration: files };
    const plan = planMigration([zone], [stateFacts(), stateFacts(stack)]);
    expect(plan.states[1]!.because).toMatch(/imports the rulesets/);
    expect(plan.steps.filter(({ kind }) => kind === 'edit')).toEqual([]);
  });
});
