import { carryOut, planIn, stateList } from '../plan/support/carry-out';
import { instanceIn, measuredState } from '../support/canonical';
import { type Lab } from '../support/lab';
import { type Major } from '../support/provider/schema/load-schema';
import { inWorld, type World, type WorldOptions } from '../support/world';
import { Edit } from './provider/table/edit';

const settings: WorldOptions = { rules: { '100000': 'disable' }, zones: 2 };
const OTHER = 'cloudflare_ruleset.other';

/** The ruleset of the second zone is in the state already, as provider 3 wrote it. */
function addRulesetOfThree({ lab, zoneIds, rulesetIds, resources }: World, major: Major): void {
  const state = JSON.parse(lab.read('terraform.tfstate'));
  const ofFirst = new Set(
    resources
      .filter(({ attributes }) => attributes['zone_id'] === zoneIds[0])
      .map(({ name }) => name),
  );
  state.resources = state.resources.filter(({ name }: any) => ofFirst.has(name));
  const instance: any = structuredClone(instanceIn(measuredState(3)));
  Object.assign(instance.attributes, { id: rulesetIds[1], zone_id: zoneIds[1] });
  const provider = state.resources[0].provider;
  state.resources.push({
    mode: 'managed',
    type: 'cloudflare_ruleset',
    name: 'other',
    provider,
    instances: [instance],
  });
  lab.write('terraform.tfstate', state);
  const blocks = resources.filter(({ name }) => ofFirst.has(name)).map(({ block }) => block);
  lab.write('main.tf', blocks.join('\n'));
  declareOther(lab, zoneIds[1]!, major);
}

function declareOther(lab: Lab, zoneId: string, major: Major): void {
  const { resource } = new Edit(major);
  const other = { ...resource, zone_id: zoneId };
  lab.write('other.tf.json', { resource: { cloudflare_ruleset: { other } } });
}

const forbidden = (lab: Lab): string[] =>
  lab.asked().filter((line) => /\/firewall\/waf/.test(line) || !line.startsWith('GET '));

it.each([
  ['3', ['4.52.8', '5.22.0']],
  ['4', ['5.22.0']],
] as const)('a ruleset of provider 3 is written anew by 4 on the way from %s to 5', (from, ways) =>
  inWorld({ ...settings, major: from === '3' ? 3 : 4 }, async (world) => {
    const { lab, zoneIds } = world;
    addRulesetOfThree(world, from === '3' ? 3 : 4);
    const { plan } = await planIn(lab, zoneIds.slice(0, 1), '--from', from, '--to', '5');
    expect(plan.steps.flatMap(({ provider }) => provider ?? [])).toEqual(ways);
    expect(plan.steps.find(({ kind }) => kind === 'apply-refresh')).toMatchObject({
      addresses: [OTHER],
      expects: { rewritten: [OTHER] },
    });
    lab.asked();
    await carryOut(lab, plan, (version) => {
      declareOther(lab, zoneIds[1]!, version.startsWith('4') ? 4 : 5);
    });
    expect(forbidden(lab)).toEqual([]);
    expect(await stateList(lab)).toEqual(['cloudflare_ruleset.managed_rules', OTHER]);
    expect(await lab.plan()).toMatchObject({ outcome: 'empty' });
  }),
);

it('where 5 is installed it is removed and imported again: it would block every import', () =>
  inWorld({ ...settings, major: 5 }, async (world) => {
    const { lab, zoneIds } = world;
    addRulesetOfThree(world, 5);
    const { plan } = await planIn(lab, zoneIds.slice(0, 1), '--from', '5');
    expect(
      plan.steps.filter(({ kind }) => kind === 'import').map(({ importId }) => importId),
    ).toEqual([
      `zones/${zoneIds[1]!}/${world.rulesetIds[1]!}`,
      `zones/${zoneIds[0]!}/${world.rulesetIds[0]!}`,
    ]);
    lab.asked();
    await carryOut(lab, plan);
    expect(forbidden(lab)).toEqual([]);
    expect(await stateList(lab)).toEqual(['cloudflare_ruleset.managed_rules', OTHER]);
    expect(await lab.plan()).toMatchObject({ outcome: 'empty' });
  }));

it('without a zone the way out of all that blocks is the same, and no new ruleset', () =>
  inWorld({ ...settings, major: 5 }, async (world) => {
    const { lab } = world;
    addRulesetOfThree(world, 5);
    expect(await lab.plan()).toMatchObject({ outcome: 'error' });
    const { plan, code } = await planIn(lab, [], '--from', '5');
    expect([code, plan.zones]).toEqual([2, []]);
    expect(plan.findings.map(({ code: one }) => one)).toEqual([
      'PLANNING_BLOCKED',
      'PLANNING_BLOCKED',
      'ZONES_NOT_ASKED',
    ]);
    lab.asked();
    await carryOut(lab, plan);
    expect(forbidden(lab)).toEqual([]);
    expect(await stateList(lab)).toEqual([OTHER]);
    expect(await lab.plan()).toMatchObject({ outcome: 'empty' });
  }));

describe.each([3, 4, 5] as const)('without a zone, provider %s', (major) => {
  it('names what keeps it from planning, takes only that out, and then it plans', () =>
    inWorld({ ...settings, major }, async ({ lab, zoneIds }) => {
      expect(await lab.plan()).toMatchObject({ outcome: 'error' });
      const { plan } = await planIn(lab, [], '--from', String(major));
      expect(plan.findings.find(({ code }) => code === 'PLANNING_BLOCKED')!.message).toContain(
        'cloudflare_waf_rule (2)',
      );
      const asked = plan.findings.find(({ code }) => code === 'ZONES_NOT_ASKED')!.message;
      for (const zoneId of zoneIds) expect(asked).toContain(zoneId);
      expect(lab.asked().filter((line) => line.includes('rulesets'))).toEqual([]);
      await carryOut(lab, plan);
      expect(await stateList(lab)).toEqual([]);
      expect(await lab.plan()).toMatchObject({ outcome: 'empty' });

      const again = await planIn(lab, [], '--from', String(major));
      expect([again.code, again.plan.steps]).toEqual([0, []]);
      expect(again.plan.findings.map(({ code }) => code)).toEqual(['NOTHING_BLOCKS']);
    }));
});
