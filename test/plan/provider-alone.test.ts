import { type Plan } from '../../src/plan/plan';
import { planMigration } from '../../src/plan/plan-migration';
import { type StateFacts } from '../../src/plan/facts';
import {
  configuration,
  firewallRule,
  OLD_BLOCKS,
  legacyResource,
  OTHER_ZONE,
  stateFacts,
  RULESET,
  ZONE,
} from './support/state-facts';

const address = 'cloudflare_ruleset.waf';
const owned = { address, zoneId: ZONE, id: RULESET, phase: 'http_request_firewall_managed' };
const moved = (changes: Partial<StateFacts>): StateFacts =>
  stateFacts({ legacyResources: [], rulesets: [owned], ...changes });
const planned = (state: StateFacts, asked = [ZONE]): Plan =>
  planMigration([], [state], 'auto', asked);
const stepsOf = ({ steps }: Plan): string[] =>
  steps.map(({ kind, addresses = [], provider }) =>
    [kind, ...addresses, ...(provider ? [provider] : [])].join(' '),
  );

describe('a state that owns the ruleset, and holds nothing old any more', () => {
  it.each([
    ['3.35.0', '4.52.8'],
    ['3.35.0', '5.22.0'],
    ['4.52.8', '5.22.0'],
  ])('comes from %s to %s: the ruleset is removed and imported again', (installed, wanted) => {
    const plan = planned(moved({ installed, wanted }));
    expect(stepsOf(plan)).toEqual([
      ...['backup', `remove-dry-run ${address}`, `remove ${address}`],
      ...[`upgrade-provider ${wanted}`, `import ${address}`, 'check'],
    ]);
    expect(plan.states[0]!.because).toMatch(/^the provider changes to \d: rulesets are removed/);
    expect(plan.findings).toEqual([]);
  });

  it('comes there with other rulesets, and where another zone is asked for that it has nothing of', () => {
    const other = { ...owned, address: `${address}_other`, zoneId: 'e'.repeat(32), id: OTHER_ZONE };
    const state = moved({ installed: '3.35.0', wanted: '4.52.8', rulesets: [owned, other] });
    const plan = planned(state, [ZONE, OTHER_ZONE]);
    const both = `${address} ${other.address}`;
    expect(stepsOf(plan)).toEqual([
      ...['backup', `remove-dry-run ${both}`, `remove ${both}`, 'upgrade-provider 4.52.8'],
      ...[`import ${address}`, `import ${other.address}`, 'check'],
    ]);
    expect(plan.findings.map(({ code, subject }) => [code, subject])).toEqual([
      ['ZONE_NOT_IN_STATE', OTHER_ZONE],
    ]);
  });

  it('lets go first what provider 5 cannot plan with, and names what else the change concerns', () => {
    const others = [{ type: 'cloudflare_page_rule', count: 2 }];
    const from = { installed: '4.52.8', wanted: '5.22.0', others };
    const plan = planned(moved({ ...from, retired: [firewallRule] }));
    const both = `${firewallRule.address} ${address}`;
    expect(stepsOf(plan)).toEqual([
      ...['backup', `remove-dry-run ${both}`, `remove ${both}`],
      ...[`manual ${firewallRule.address}`, 'upgrade-provider 5.22.0'],
      ...[`import ${address}`, 'check'],
    ]);
    expect(plan.findings.map(({ code }) => code)).toEqual(['FIREWALL_RULES_LEAVE']);
  });

  it('leaves blocks that have done their work to the next plan', async () => {
    const id = `zone/${ZONE}/${RULESET}`;
    const files = await configuration({
      'main.tf': `import {\n  to = ${address}\n  id = "${id}"\n}\n`,
    });
    const from = { installed: '3.35.0', wanted: '4.52.8', configuration: files };
    expect(stepsOf(planned(moved(from)))).toEqual([
      ...['backup', `remove-dry-run ${address}`, `remove ${address}`],
      ...['upgrade-provider 4.52.8', `import ${address}`, 'check'],
    ]);
  });

  it.each([
    ['the provider stays', { installed: '4.52.8', wanted: '4.52.8' }],
    ['none was asked for', { installed: '4.52.8' }],
    ['which one is installed is not known', { wanted: '5.22.0' }],
    ['its ruleset is of another zone', { rulesets: [{ ...owned, zoneId: OTHER_ZONE }] }],
    [
      'old resources of another zone stay',
      { legacyResources: [legacyResource('cloudflare_waf_rule.o')] },
    ],
  ])('has no steps where %s', (_, changes) => {
    const both = 'installed' in changes || 'wanted' in changes;
    const upgrade = both ? {} : { installed: '3.35.0', wanted: '5.22.0' };
    expect(
      planned(moved({ installed: undefined, ...upgrade, ...changes })).steps.map(
        ({ kind }) => kind,
      ),
    ).toEqual(['check']);
  });

  const data = 'data "cloudflare_waf_rules" "d" {\n}\n';
  it.each([
    ['resources', OLD_BLOCKS, 'cloudflare_waf_'],
    ['a data source', data, 'does not know their types: data.cloudflare_waf_rules.d'],
  ])('has none either while its files declare %s of the old WAF', async (_, text, named) => {
    const declaring = await configuration({ 'main.tf': text });
    const from = { installed: '3.35.0', wanted: '5.22.0', configuration: declaring };
    const plan = planned(moved(from));
    expect(plan.steps.map(({ kind }) => kind)).toEqual(['check']);
    expect(plan.findings.map(({ code }) => code)).toEqual([
      'NO_LEGACY_RESOURCES',
      'LEGACY_BLOCKS_DECLARED',
    ]);
    expect(plan.findings[1]!.message).toContain(named);
  });

  it('is told where its files do not declare the ruleset', async () => {
    const to = { wanted: '4.52.8', rulesets: [owned] };
    const files = await configuration({ 'main.tf': '' });
    const codes = (changes: Partial<StateFacts>) =>
      planned(moved({ configuration: files, ...to, ...changes })).findings.map(({ code }) => code);
    const from = { installed: '3.35.0' };
    expect(codes(from)).toEqual(['ENTRY_POINT_NOT_DECLARED']);
    expect(codes({ installed: '4.52.8' })).toEqual(['NO_LEGACY_RESOURCES']);
    const known = { zoneId: ZONE, rulesetId: RULESET, address };
    const { findings } = planMigration([known], [moved({ configuration: files, ...to, ...from })]);
    expect(findings.map(({ code }) => code)).toEqual([
      ...['RULESET_IN_STATE', 'ENTRY_POINT_NOT_DECLARED'],
    ]);
  });

  it('is not told to write its ruleset for a provider that does not come, and told why', () => {
    const declared = [{ address, zoneId: ZONE, majors: [3] as const }];
    const legacyResources = [legacyResource('cloudflare_waf_rule.o', { zoneId: OTHER_ZONE })];
    const from = { installed: '3.35.0', wanted: '5.22.0', legacyResources, declared };
    expect(planned(moved(from)).findings).toMatchObject([
      {
        code: 'NO_LEGACY_RESOURCES',
        remedy: expect.stringContaining('pass --zone for each zone of the state'),
      },
    ]);
  });

  it('is told of legacy data sources, which every plan of provider 3 reads', async () => {
    const files = await configuration({ 'main.tf': 'data "cloudflare_waf_rules" "d" {\n}\n' });
    const plan = planned(moved({ installed: '3.35.0', configuration: files }));
    expect(plan.findings.map(({ code }) => code)).toEqual([
      ...['NO_LEGACY_RESOURCES', 'LEGACY_BLOCKS_DECLARED'],
    ]);
  });
});
