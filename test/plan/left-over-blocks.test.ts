import { leftOverSteps } from '../../src/plan/absent-blocks';
import { type PlannedState } from '../../src/plan/facts';
import {
  oldResource,
  OTHER_ZONE,
  plannedState,
  ZONE,
  zone,
  configuration,
  workspace,
} from './support/planned-states';

const rulesets = [{ address: zone.address, zoneId: ZONE, id: 'x' }];
const oldResources = [oldResource('cloudflare_waf_rule.b', { zoneId: OTHER_ZONE })];
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

const leftOverBlocks = (state: PlannedState) =>
  leftOverSteps(state).flatMap(({ edits = [] }) => edits);
const leftOverOverrides = (state: PlannedState) =>
  leftOverSteps(state).flatMap(({ addresses = [] }) => addresses);

describe('import and removed blocks', () => {
  it('have done their work once the ruleset is in the state and nothing old is', async () => {
    const state = {
      ...plannedState({ rulesets }),
      configuration: await configuration({ 'a.tf': hcl }),
    };
    const [edit, ...more] = leftOverBlocks({ ...state, oldResources: [] });
    expect(more).toEqual([]);
    expect(edit!.remove.map(({ startLine }) => startLine)).toEqual([1, 12]);
    expect(leftOverBlocks({ ...state, oldResources })).toEqual([]);
    expect(leftOverOverrides({ ...state, oldResources: [] })).toEqual([]);
  });

  it('stay, where they are removed blocks of what another workspace still holds', async () => {
    const removedIn = async (...held: string[]) => {
      const [edit] = leftOverBlocks({
        ...plannedState({ rulesets, oldResources: [] }),
        configuration: await configuration({ 'a.tf': hcl }),
        otherWorkspaces: [workspace('staging', { oldResources: held })],
      });
      return edit!.remove.map(({ startLine }) => startLine);
    };
    expect(await removedIn('module.m["x"].cloudflare_waf_rule.a[0]')).toEqual([1]);
    expect(await removedIn('module.up.module.m.cloudflare_waf_rule.a')).toEqual([1]);
    expect(await removedIn('module.m.cloudflare_waf_rule.b')).toEqual([1, 12]);
  });

  it('are named where a stack holds them, and only then', async () => {
    const files = await configuration({ 'cdk.tf.json': json });
    const state = plannedState({ rulesets, configuration: files });
    expect(leftOverOverrides({ ...state, oldResources: [] })).toEqual([`import ${zone.address}`]);
    expect(leftOverOverrides({ ...state, oldResources })).toEqual([]);
    expect(leftOverBlocks({ ...state, oldResources: [] })).toEqual([]);
  });
});
