import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { applySettings } from '../support/apply-world';
import { inInstalledWorld } from '../support/installed-world';
import { buildHostedMirror, type Mirror } from '../support/provider/mirror';
import { temporaryFolder } from '../support/temporary-folder';

describe('a provider that cannot import rulesets', () => {
  let mirror: Mirror;
  beforeAll(async () => {
    mirror = await buildHostedMirror(temporaryFolder(), ['2.27.0', '3.28.0', '3.35.0', '6.0.0']);
  });

  it('is to be upgraded within its major before a plan is made', () =>
    inInstalledWorld(mirror, { ...applySettings, version: '3.28.0' }, async (world) => {
      const { lab, zoneIds, rulesetIds, run, cli } = world;
      lab.write('ruleset.tf', 'resource "cloudflare_ruleset" "managed_rules" {}\n');
      const id = `zone/${zoneIds[0]!}/${rulesetIds[0]!}`;
      const refused = await run('import', 'cloudflare_ruleset.managed_rules', id);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining('Import is not yet supported for Rulesets'),
      ]);
      lab.write('ruleset.tf', '');

      const plan = ['plan', '--zone', zoneIds[0]!, '--dir', '.', '--out', 'plan.txt'];
      const { code, stderr } = await cli(plan);
      expect([code, stderr]).toEqual([1, expect.stringContaining('3.28.0 cannot import rulesets')]);
      expect(stderr).toContain('3.35.0');
      expect(stderr).toContain('terraform init -upgrade');
      expect(lab.read('plan.txt')).toBe('');

      world.require('3.35.0');
      expect((await run('init', '-upgrade')).code).toBe(0);
      expect((await cli(plan)).code).toBe(0);
    }));

  it.each(['2.27.0', '6.0.0'])('is named where it is %s, by its lock file', (version) =>
    inInstalledWorld(mirror, { ...applySettings, version }, async ({ zoneIds, cli }) => {
      const { code, stdout, stderr } = await cli(['plan', '--zone', zoneIds[0]!, '--dir', '.']);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(`provider ${version}`);
    }),
  );
});

it('method blocks is refused with OpenTofu, which reads what it forgets', async () => {
  const mirror = await buildHostedMirror(temporaryFolder(), ['3.35.0']);
  await inInstalledWorld(mirror, { ...applySettings, version: '3.35.0' }, async (world) => {
    const { lab, zoneIds, cli } = world;
    const tofu = `#!/bin/sh\nif [ "$1" = version ]; then echo 'OpenTofu v1.12.6'; else exec terraform "$@"; fi\n`;
    lab.write('tofu', tofu);
    chmodSync(join(lab.dir, 'tofu'), 0o755);
    const plan = ['plan', '--zone', zoneIds[0]!, '--dir', '.', '--terraform', './tofu', '--json'];
    const automatic = await cli(plan);
    expect(JSON.parse(automatic.stdout).states[0].method).toBe('commands');
    const { code, stdout, stderr } = await cli([...plan, '--method', 'blocks']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('OpenTofu 1.12.6 reads a resource before `removed` forgets it');
  });
});
