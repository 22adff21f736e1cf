import { carryOut, planIn, stateList } from '../plan/support/carry-out';
import { type Lab } from '../support/lab';
import { runCli } from '../support/run-cli';
import { addRulesetOfThree, declareOther, OTHER } from '../support/provider3-ruleset';
import { inWorld, type WorldOptions } from '../support/world';

const settings: WorldOptions = { rules: { '100000': 'disable' }, zones: 2 };
const forbidden = (lab: Lab): string[] =>
  lab.asked().filter((line) => /\/firewall\/waf/.test(line) || !line.startsWith('GET '));

it.each([
  [3, '4.52.8', 'zone'],
  [3, '5.22.0', 'zones'],
  [4, '5.22.0', 'zones'],
] as const)(
  'trap 0.3: from %s to %s every ruleset is removed from the state and imported again',
  (from, to, scope) =>
    inWorld({ ...settings, major: from }, async (world) => {
      const { lab, zoneIds, rulesetIds } = world;
      addRulesetOfThree(world, from);
      const versions = ['--from', String(from), '--to', to];
      const { plan } = await planIn(lab, zoneIds.slice(0, 1), ...versions);
      expect(plan.steps.flatMap(({ provider }) => provider ?? [])).toEqual([to]);
      const removal = plan.steps.find(({ kind }) => kind === 'remove')!;
      expect([removal.addresses!.at(-1), removal.expects!.gone!.at(-1)]).toEqual([OTHER, OTHER]);
      expect(
        plan.steps.filter(({ kind }) => kind === 'import').map(({ importId }) => importId),
      ).toEqual([
        `${scope}/${zoneIds[1]!}/${rulesetIds[1]!}`,
        `${scope}/${zoneIds[0]!}/${rulesetIds[0]!}`,
      ]);
      lab.asked();
      await carryOut(lab, plan, () => {
        declareOther(lab, zoneIds[1]!, to === '4.52.8' ? 4 : 5);
      });
      expect(forbidden(lab)).toEqual([]);
      expect(await stateList(lab)).toEqual(['cloudflare_ruleset.managed_rules', OTHER]);
      expect(await lab.plan()).toMatchObject({ outcome: 'empty' });
    }),
);

it('under provider 5 the zone’s own ruleset of provider 3 is removed and imported again', () =>
  inWorld({ ...settings, major: 5 }, async (world) => {
    const { lab, zoneIds, rulesetIds } = world;
    addRulesetOfThree(world, 5);
    const state = JSON.parse(lab.read('terraform.tfstate'));
    state.resources = state.resources.filter(({ type }: any) => type === 'cloudflare_ruleset');
    lab.write('terraform.tfstate', state);
    lab.write('main.tf', '');
    const zone = [zoneIds[1]!];
    const order = ['backup', 'remove-dry-run', 'remove', 'import', 'check'];
    const installed = ['--from', '5.22.0'];
    const inFolder = await planIn(lab, zone, ...installed);
    expect([inFolder.code, inFolder.plan.steps.map(({ kind }) => kind)]).toEqual([0, order]);
    const file = ['--state', 'terraform.tfstate', '--ruleset-id', rulesetIds[1]!];
    const ofFile = await runCli(['plan', '--zone', ...zone, ...file, ...installed, '--json'], {
      cwd: lab.dir,
      environment: {},
    });
    expect(JSON.parse(ofFile.stdout).steps.map(({ kind }: any) => kind)).toEqual(order);
    await carryOut(lab, inFolder.plan);
    expect(await lab.plan()).toMatchObject({ outcome: 'empty' });
    const again = await planIn(lab, zone, ...installed);
    expect(again.plan.steps.map(({ kind }) => kind)).toEqual(['check']);
  }));

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

describe.each([3, 4, 5] as const)('without --zone, provider %s', (major) => {
  it('all zones of the state are planned, and then it plans', () =>
    inWorld({ ...settings, major }, async ({ lab, zoneIds }) => {
      expect(await lab.plan()).toMatchObject({ outcome: 'error' });
      const { plan, code } = await planIn(lab, [], '--from', String(major));
      expect(plan.zones.map(({ zoneId }) => zoneId)).toEqual(zoneIds);
      expect(code).toBe(0);
      await carryOut(lab, plan);
      expect(await stateList(lab)).toEqual(
        plan.zones.map(({ ruleset }) => ruleset.address).toSorted(),
      );
      expect(await lab.plan()).toMatchObject({ outcome: 'empty' });

      const again = await planIn(lab, [], '--from', String(major));
      expect([again.code, again.plan.steps.map(({ kind }) => kind)]).toEqual([0, ['check']]);
      expect(again.plan.findings.map(({ code: one }) => one)).toEqual(['NOTHING_BLOCKS']);
    }));
});
