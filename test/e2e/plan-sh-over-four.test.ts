import { renderSh } from '../../src/plan/formats/sh';
import { type Plan } from '../../src/plan/plan';
import { planIn, stateList } from '../plan/support/carry-out';
import { addRulesetOfThree, declareOther, OTHER } from '../support/ruleset-of-three';
import { inWorld, type World, type WorldOptions } from '../support/world';

const settings: WorldOptions = { rules: { '100000': 'disable' }, zones: 2, major: 3 };

const inTheMiddle = (run: (world: World, plan: Plan) => Promise<void>): Promise<void> =>
  inWorld(settings, async (world) => {
    addRulesetOfThree(world, 3);
    const { lab, zoneIds } = world;
    const { plan } = await planIn(lab, zoneIds.slice(0, 1), '--from', '3', '--to', '5');
    lab.write('plan.sh', renderSh(plan));
    await run(world, plan);
  });

/** The steps of a person: other files and another provider, from which on the script is run again. */
async function upgrade({ lab, zoneIds }: World, major: 4 | 5): Promise<void> {
  declareOther(lab, zoneIds[1]!, major);
  await lab.use({ major });
}

const stepIds = (plan: Plan, kind: string): string[] =>
  plan.steps.filter((step) => step.kind === kind).map(({ id }) => id);

it('the script goes over provider 4 to 5: it writes the entries of 3 anew, and nothing else', () =>
  inTheMiddle(async (world, plan) => {
    const { lab } = world;
    const [four, five] = stepIds(plan, 'upgrade-provider');
    const script = (...from: string[]) => lab.run('/bin/sh', ['plan.sh', ...from]);
    expect(await script()).toMatchObject({ code: 2, stderr: '' });
    await upgrade(world, 4);
    expect(await script(four!)).toMatchObject({ code: 2, stderr: '' });
    await upgrade(world, 5);
    expect(await script(five!)).toMatchObject({ code: 0, stderr: '' });
    expect(await stateList(lab)).toEqual(['cloudflare_ruleset.managed_rules', OTHER]);
    expect(await lab.plan()).toMatchObject({ outcome: 'empty' });
    expect(lab.sent()).toEqual([]);
  }));

it('the script writes nothing anew where an object is gone: its entry would leave without a word', () =>
  inTheMiddle(async (world, plan) => {
    const { lab, zoneIds, rulesetIds } = world;
    const script = (...from: string[]) => lab.run('/bin/sh', ['plan.sh', ...from]);
    expect(await script()).toMatchObject({ code: 2, stderr: '' });
    await upgrade(world, 4);
    const { baseUrl, credentials } = lab.emulator;
    const url = `${baseUrl.replace(/\/$/, '')}/zones/${zoneIds[1]!}/rulesets/${rulesetIds[1]!}`;
    const gone = await fetch(url, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${credentials.token}` },
    });
    expect(gone.ok).toBe(true);
    const ran = await script(stepIds(plan, 'upgrade-provider')[0]!);
    expect(ran).toMatchObject({
      code: 1,
      stderr: 'the plan does more than write entries anew: it was not applied\n',
    });
    expect(await stateList(lab)).toContain(OTHER);
  }));
