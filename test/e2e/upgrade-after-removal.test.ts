import { readdirSync } from 'node:fs';
import { acceptAll } from '../support/plans';
import { applySettings } from '../support/apply-world';
import { inInstalledWorld } from '../support/installed-world';
import { buildHostedMirror, type Mirror } from '../support/provider/mirror';
import { addRulesetOfThree, declareOther } from '../support/provider3-ruleset';
import { temporaryFolder } from '../support/temporary-folder';

describe('where the removal was finished with provider 3, a later plan brings the state to the next provider', () => {
  let mirror: Mirror;
  beforeAll(async () => {
    mirror = await buildHostedMirror(temporaryFolder(), ['3.35.0', '4.52.8', '5.22.0']);
  });

  const settings = { ...applySettings, zones: 2, version: '3.35.0' };

  it.each(['4.52.8', '5.22.0'])(
    'to %s: planned, rehearsed, applied, verified',
    (version) =>
      inInstalledWorld(mirror, settings, async (world) => {
        const { lab, zoneIds } = world;
        const apply = () =>
          world.cli([
            ...['apply', 'plan.json', '--yes', '--json'],
            ...acceptAll(JSON.parse(lab.read('plan.json'))),
          ]);
        addRulesetOfThree(world, 3);
        await world.makePlan();
        expect((await apply()).code).toBe(0);

        const plan = await world.makePlan('--to', version);
        expect(plan.steps.flatMap(({ provider }) => provider ?? [])).toEqual([version]);
        expect(plan.findings.map(({ code }) => code)).not.toContain('NO_OLD_RESOURCES');
        const waiting = await apply();
        const { yours } = JSON.parse(waiting.stdout);
        expect([waiting.code, yours.kind, yours.provider]).toEqual([
          2,
          'upgrade-provider',
          version,
        ]);
        const major = version.startsWith('4') ? 4 : 5;
        world.require(version);
        declareOther(lab, zoneIds[1]!, major);
        const zone = ['--zone', zoneIds[0]!, '--address', 'cloudflare_ruleset.managed_rules'];
        const anew = ['--source', 'live', '--out', '.', '--provider', String(major), '--force'];
        const written = await world.cli(['generate', ...zone, ...anew]);
        expect([written.stderr, readdirSync(lab.dir)]).toEqual([
          '',
          expect.arrayContaining(['managed_rules.tf']),
        ]);
        const done = await apply();
        expect([done.code, done.stderr.includes('"error"')]).toEqual([0, false]);
        expect((await world.cli(['verify', 'plan.json'])).code).toBe(0);
        expect((await world.run('plan', '-detailed-exitcode')).code).toBe(0);
        const again = await world.makePlan('--to', version);
        expect(again.steps.map(({ kind }) => kind)).toEqual(['check']);
      }),
    300_000,
  );
});
