import { carryOut, planIn, stateList } from '../plan/support/carry-out';
import { type Lab } from '../support/lab';
import { addRulesetOfThree, declareOther, OTHER } from '../support/ruleset-of-three';
import { inWorld, type WorldOptions } from '../support/world';

const settings: WorldOptions = { rules: { '100000': 'disable' }, zones: 2 };
const forbidden = (lab: Lab): string[] =>
  lab.asked().filter((line) => /\/firewall\/waf/.test(line) || !line.startsWith('GET '));

it.each([
  ['3', ['4.52.8', '5.22.0']],
  ['4', ['5.22.0']],
] as const)(
  'trap 0.3: a ruleset of provider 3 is written anew by 4 on the way from %s to 5',
  (from, ways) =>
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
