import { renderSh } from '../../src/plan/formats/sh';
import { planIn, stateList } from '../plan/support/carry-out';
import { acceptAll } from '../support/plans';
import { addRulesetOfThree, declareOther, OTHER } from '../support/provider3-ruleset';
import { inWorld } from '../support/world';

it('the script goes from provider 3 to 5, with one stop for the version constraint', () =>
  inWorld({ rules: { '100000': 'disable' }, zones: 2, major: 3 }, async (world) => {
    addRulesetOfThree(world, 3);
    const { lab, zoneIds } = world;
    const { plan } = await planIn(lab, zoneIds.slice(0, 1), '--from', '3', '--to', '5');
    lab.write('plan.sh', renderSh(plan));
    const { id } = plan.steps.find(({ kind }) => kind === 'upgrade-provider')!;
    const script = (...from: string[]) =>
      lab.run('/bin/sh', ['plan.sh', ...acceptAll(plan), ...from]);
    expect(await script()).toMatchObject({ code: 2 });
    expect(await stateList(lab)).toEqual([]);
    declareOther(lab, zoneIds[1]!, 5);
    await lab.use({ major: 5 });
    expect(await script(id)).toMatchObject({ code: 0 });
    expect(await stateList(lab)).toEqual(['cloudflare_ruleset.managed_rules', OTHER]);
    expect(await lab.plan()).toMatchObject({ outcome: 'empty' });
    expect(lab.sent()).toEqual([]);
  }));
