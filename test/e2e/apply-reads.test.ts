import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applySettings, expectMigrated, makePlan } from '../support/apply-world';
import { runCli } from '../support/run-cli';
import { spawnCli } from '../support/spawn-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { inWorld } from '../support/world';

it('apply loads no HCL parser where Terraform itself checks the declaration before anything is changed', () =>
  inWorld(applySettings, async (world) => {
    const { lab, zoneIds } = world;
    const environment = { ...lab.environment };
    const { baseUrl, credentials } = lab.emulator;
    Object.assign(environment, {
      CLOUDFLARE_BASE_URL: baseUrl,
      CLOUDFLARE_API_TOKEN: credentials.token,
    });
    const generated = await runCli(
      ['generate', '--zone', zoneIds[0]!, '--provider', '3', '--format', 'hcl', '--out', '.'],
      { cwd: lab.dir, environment },
    );
    expect(generated.code).toBe(0);
    const plan = await makePlan(world, 'commands');
    expect(plan.steps.slice(0, 2).map(({ kind }) => kind)).toEqual(['backup', 'import']);
    const hook = join(temporaryFolder(), 'hook.cjs');
    const loaded = `${hook}.loaded`;
    writeFileSync(
      hook,
      `const m = require('node:module'), load = m._load;
m._load = function (name) {
  if (name === 'web-tree-sitter') require('node:fs').writeFileSync(${JSON.stringify(loaded)}, '');
  return load.apply(this, arguments);
};`,
    );
    const applied = await spawnCli(['apply', 'plan.json', '--yes', '--json'], {
      cwd: lab.dir,
      environment: { ...environment, NODE_OPTIONS: `--require ${hook}` },
    });
    expect([applied.code, existsSync(loaded)]).toEqual([0, false]);
    await expectMigrated(world);
  }));
