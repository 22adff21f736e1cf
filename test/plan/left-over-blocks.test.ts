import { type StateFacts } from '../../src/plan/facts';
import { planMigration } from '../../src/plan/plan-migration';
import {
  legacyResource,
  OTHER_ZONE,
  RULESET,
  stateFacts,
  ZONE,
  zone,
  configuration,
  workspace,
} from './support/state-facts';

const rulesets = [{ address: zone.address, zoneId: ZONE, id: RULESET }];
const legacyResources = [legacyResource('cloudflare_waf_rule.b', { zoneId: OTHER_ZONE })];
const hcl = `import {
  to = ${zone.address}
  id = "x"
}

removed {
  lifecycle {
    destroy = false
  }
}

removed {
  from = module.m.cloudflare_waf_rule.a
}
`;
const json = JSON.stringify({ import: [{ to: zone.address, id: 'x' }], removed: [{}] });

const leftOverBlocks = (state: StateFacts) =>
  planMigration([zone], [state]).steps.flatMap(({ edits = [] }) => edits);
const leftOverOverrides = (state: StateFacts) =>
  planMigration([zone], [state]).steps.flatMap(({ addresses = [] }) => addresses);

describe('import and removed blocks', () => {
  it('have done their work once the ruleset is in the state and nothing old is', async () => {
    const state = {
      ...stateFacts({ rulesets }),
      configuration: await configuration({ 'a.tf': hcl }),
    };
    const [edit, ...more] = leftOverBlocks({ ...state, legacyResources: [] });
    expect(more).toEqual([]);
    expect(edit!.remove.map(({ startLine }) => startLine)).toEqual([1, 12]);
    expect(leftOverBlocks({ ...state, legacyResources })).toEqual([]);
    expect(leftOverOverrides({ ...state, legacyResources: [] })).toEqual([]);
  });

  it('stay, where they are removed blocks of what another workspace still holds', async () => {
    const removedIn = async (...held: string[]) => {
      const [edit] = leftOverBlocks({
        ...stateFacts({ rulesets, legacyResources: [] }),
        configuration: await configuration({ 'a.tf': hcl }),
        otherWorkspaces: [workspace('staging', { legacyResources: held })],
      });
      return edit!.remove.map(({ startLine }) => startLine);
    };
    expect(await removedIn('module.m["x"].cloudflare_waf_rule.a[0]')).toEqual([1]);
    expect(await removedIn('module.up.module.m.cloudflare_waf_rule.a')).toEqual([1]);
    expect(await removedIn('module.m.cloudflare_waf_rule.b')).toEqual([1, 12]);
  });

  it('are named where a stack holds them, and only then', async () => {
    const files = await configuration({ 'cdk.tf.json': json });
    const state = stateFacts({ rulesets, configuration: files });
    expect(leftOverOverrides({ ...state, legacyResources: [] })).toEqual([
      `import ${zone.address}`,
    ]);
    expect(leftOverOverrides({ ...state, legacyResources })).toEqual([]);
    expect(leftOverBlocks({ ...state, legacyResources: [] })).toEqual([]);
  });
});
