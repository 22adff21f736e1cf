import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator, MIGRATED } from './support/cli-with-emulator';

const cli = cliWithEmulator('demo');
const listed = 'cloudflare/cloudflare@~> 4.52';

/** A project of CDKTF with this in its `cdktf.json`. */
function projectWith(manifest: object, packages: object = { cdktf: '^0.21.0' }): string {
  const project = temporaryFolder();
  const common = { language: 'typescript', app: 'npx tsx main.ts' };
  writeFileSync(join(project, 'cdktf.json'), JSON.stringify({ ...common, ...manifest }));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ dependencies: packages }));
  return project;
}

/** What a generated file imports, and what is left to be done by hand. */
async function imports(cwd: string, ...args: string[]) {
  const { document } = await cli.json(['generate', '--zone', MIGRATED, ...args], { cwd });
  const text = readFileSync(join(cwd, document.files[0]), 'utf8');
  const from = [...text.matchAll(/^import .* from "(.*)";$/gm)].map(([, path]) => path);
  return { from, byHand: document.byHand as string[] };
}

describe('in a project that generates its bindings', () => {
  it.each([
    ['constructs', '../.gen/providers/cloudflare'],
    ['.', './.gen/providers/cloudflare'],
    ['src/edge/waf', '../../../.gen/providers/cloudflare'],
  ])('a construct in %s has them from %s', async (out, path) => {
    const project = projectWith({ terraformProviders: ['hashicorp/random@~> 3.0', listed] });
    const { from } = await imports(project, '--format', 'construct', '--out', out);
    expect(from).toEqual([`${path}/ruleset`, 'constructs']);
  });

  it('a stack has them as well, and no package is to be installed', async () => {
    const project = projectWith({ terraformProviders: [listed] });
    const { from, byHand } = await imports(project, '--out', '.');
    const own = './.gen/providers/cloudflare';
    expect(from).toEqual([`${own}/provider`, `${own}/ruleset`, 'cdktf', 'constructs']);
    expect(byHand).toEqual([
      expect.stringMatching(/^in main\.ts: import /),
      expect.stringMatching(/^in main\.ts, before app\.synth/),
    ]);
  });

  it('they are found by the name and the folder that it gives them', async () => {
    const provider = { name: 'cf', source: 'cloudflare/cloudflare', version: '~> 4.52' };
    const manifest = { terraformProviders: [provider], codeMakerOutput: 'src/imports' };
    const project = projectWith(manifest);
    const { from } = await imports(project, '--format', 'construct', '--out', 'src');
    expect(from[0]).toBe('./imports/providers/cf/ruleset');
  });
});

it.each([
  ['that has a package of them beside', [listed], { '@cdktf/provider-cloudflare': '11.30.0' }],
  ['that generates those of others', ['hashicorp/random@~> 3.0'], { cdktf: '^0.21.0' }],
  ['that generates none', [], { cdktf: '^0.21.0' }],
])('a construct in a project %s has its bindings from the package', async (_, list, packages) => {
  const project = projectWith({ terraformProviders: list }, packages);
  const { from } = await imports(project, '--format', 'construct');
  expect(from[0]).toBe('@cdktf/provider-cloudflare/lib/ruleset');
});

it('a new project has its bindings from the package, whatever is around it', async () => {
  const project = projectWith({ terraformProviders: [listed] });
  mkdirSync(join(project, 'apps'));
  const { document } = await cli.json(['generate', '--zone', MIGRATED, '--project', 'apps/waf'], {
    cwd: project,
  });
  const stack = (document.files as string[]).find((path) => path.includes('stacks/docs'))!;
  expect(readFileSync(join(project, stack), 'utf8')).toContain(
    'from "@cdktf/provider-cloudflare/lib/ruleset"',
  );
});
