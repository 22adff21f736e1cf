import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator } from '../support/cli-lab';
import { MIGRATED } from '../support/zones';

describe('generate, for the provider that it finds', () => {
  const cli = cliWithEmulator();

  const lock = (version: string): string =>
    `provider "registry.terraform.io/hashicorp/aws" {\n  version = "5.1.0"\n}\n\nprovider "registry.terraform.io/cloudflare/cloudflare" {\n  version     = "${version}"\n  constraints = "~> 4.0"\n}\n`;
  const LOCK = '.terraform.lock.hcl';
  const locked = (version: string, folder = '') => ({ [`${folder}${LOCK}`]: lock(version) });
  const providerIn = async (files: Record<string, string>, ...more: string[]): Promise<any> => {
    const cwd = temporaryFolder(files);
    // what package.json says is of CDKTF
    const format = 'package.json' in files ? 'cdktf' : 'hcl';
    const flags = more.includes('--format') ? more : ['--format', format, ...more];
    const args = ['generate', '--zone', MIGRATED, '--out', 'waf', ...flags];
    return (await cli.json(args, { cwd })).document;
  };
  const manifest = (version: string, kind = 'dependencies') => ({
    [kind]: { '@cdktf/provider-cloudflare': version },
  });
  const packages = (document: object) => ({ 'package.json': JSON.stringify(document) });
  const bindings = (version: string, kind?: string) => packages(manifest(version, kind));
  const oldState = readFileSync(
    join(__dirname, '../fixtures/terraform/states/old-waf-3.35.tfstate'),
    'utf8',
  );
  const required = (version: string, source = 'cloudflare/cloudflare'): string =>
    `terraform {\n  required_providers {\n    cloudflare = {\n      source  = "${source}"\n      version = "${version}"\n    }\n  }\n}\n`;
  const constraint = (version: string, folder = '') => ({
    [`${folder}main.tf`]: required(version),
  });
  const requiredJson = (version: string): string =>
    JSON.stringify({ terraform: { required_providers: { cloudflare: { version } } } });
  const cdktf = (provider: unknown) => ({
    'cdktf.json': JSON.stringify({ terraformProviders: [provider] }),
  });
  const legacy = 'resource "cloudflare_waf_rule" "r" {\n}\n';
  const others = 'provider "x/y/z" {\n  version = "3.0.0"\n}\n';
  const notText = { '@cdktf/provider-cloudflare': null, x: { toString: 1, valueOf: 1 } };
  const synthesised = { 'cdktf.json': '{}', ...locked('3.35.0', 'cdktf.out/stacks/portal/') };
  const ranges = { ...manifest('11.30.0'), ...manifest('^12', 'peerDependencies') };
  const inOutput = { ...constraint('~> 4.52', 'waf/'), ...locked('3.35.0') };

  it.each<[string, Record<string, string>, number]>([
    ['nothing', {}, 5],
    ['a lock file of 4', locked('4.52.8'), 4],
    ['a lock file in the output folder', locked('3.35.0', 'waf/'), 3],
    ['a lock file in both', { ...locked('3.35.0', 'waf/'), ...locked('5.22.0') }, 3],
    [
      'a version constraint in the output folder beats all of the working directory',
      { ...inOutput, ...bindings('13.9.1'), ...constraint('~> 3.35') },
      4,
    ],
    ['a lock file beats package.json', { ...locked('4.52.8'), ...bindings('13.9.1') }, 4],
    ['the lock file of a synthesised stack', synthesised, 3],
    ['bindings 5', bindings('~5.0.3'), 3],
    ['bindings 6', bindings('^6.0.0'), 4],
    ['bindings 11', bindings('11.30.0', 'devDependencies'), 4],
    ['bindings 12', bindings('^12', 'peerDependencies'), 5],
    ['bindings without a number', bindings('latest'), 5],
    ['a broken package.json', { 'package.json': '{' }, 5],
    ['bindings that the project runs with, and others that it allows', packages(ranges), 4],
    [
      'a package.json with ranges that are no text',
      packages({ dependencies: notText, ...manifest('^11', 'devDependencies') }),
      4,
    ],
    ['a lock file of another provider', { [LOCK]: others }, 5],
    ['a version constraint of 3', constraint('~> 3.35'), 3],
    ['a version constraint of 4, as JSON', { 'waf/main.tf.json': requiredJson('4.52.8') }, 4],
    ['a version constraint of several', constraint('>= 3.35'), 5],
    ['a legacy resource', { 'waf.tf': legacy }, 3],
    ['a legacy resource beside >= 3.35', { ...constraint('>= 3.35'), 'waf.tf': legacy }, 3],
    ['a legacy resource and a constraint of 4', { ...constraint('~> 4.0'), 'waf.tf': legacy }, 4],
    ['a version constraint of another provider', { 'main.tf': required('~> 3.0', 'a/b') }, 5],
    ['a configuration that is broken', { 'main.tf': 'terraform {' }, 5],
    ['cdktf.json', cdktf('cloudflare/cloudflare@~> 4.0'), 4],
    ['cdktf.json with an object', cdktf({ name: 'cloudflare', version: '3.35' }), 3],
    ['cdktf.json of another provider', cdktf('aws@~> 4.0'), 5],
    ['package.json and a constraint', { ...bindings('13.9.1'), ...constraint('~> 3.35') }, 5],
    ['a lock file with CRLF', { [LOCK]: lock('4.0.1').replaceAll('\n', '\r\n') }, 4],
  ])('%s', async (_, files, expected) => {
    expect((await providerIn(files)).provider).toBe(expected);
  });

  it('no state shows it: without a lock file, the newest is meant', async () => {
    const { provider, providerBecause } = await providerIn({ 'terraform.tfstate': oldState });
    expect([provider, providerBecause]).toEqual([5, 'the default']);
  });

  it('the bindings in package.json tell nothing of HCL', async () => {
    const files = { ...bindings('5.0.3'), ...constraint('~> 4.52') };
    expect((await providerIn(files, '--format', 'hcl')).provider).toBe(4);
  });

  it('the project in --out beats the working directory', async () => {
    cli.write({ ...locked('3.35.0'), ...constraint('~> 5.19', 'new/') });
    const { document } = await cli.json(`generate --zone ${MIGRATED} --out new`);
    expect([document.provider, document.providerBecause]).toEqual([
      5,
      'the version constraint allows ~> 5.19',
    ]);
  });

  it('says what it saw, and --provider wins', async () => {
    const files = locked('4.52.8');
    expect((await providerIn(files)).providerBecause).toBe('.terraform.lock.hcl selects 4.52.8');
    expect((await providerIn(files, '--provider', '5')).provider).toBe(5);
    cli.write(bindings('11.30.0'));
    const { stdout } = await cli.run(`generate --zone ${MIGRATED} --out x`);
    expect(stdout).toContain(
      'for provider 4 (package.json has @cdktf/provider-cloudflare 11, its bindings):',
    );
  });
});

describe('generate bindings', () => {
  const cli = cliWithEmulator('demo');
  const listed = 'cloudflare/cloudflare@~> 4.52';
  const CDKTF = { cdktf: '^0.21.0' };

  /** What is generated in a project of CDKTF with this in its `cdktf.json`. */
  async function generateIn(manifest: object, args: string[], packages: object = CDKTF) {
    const common = { language: 'typescript', app: 'npx tsx main.ts' };
    cli.write({
      'cdktf.json': JSON.stringify({ ...common, ...manifest }),
      'package.json': JSON.stringify({ dependencies: packages }),
    });
    return (await cli.json(['generate', '--zone', MIGRATED, ...args])).document;
  }

  /** What the generated file imports, and what is left to be done by hand. */
  async function imports(...generated: Parameters<typeof generateIn>) {
    const { files, byHand } = await generateIn(...generated);
    const text = cli.read(files[0]);
    const from = [...text.matchAll(/^import .* from "(.*)";$/gm)].map(([, path]) => path);
    return { from, byHand: byHand as string[] };
  }

  describe('in a project that generates its bindings', () => {
    it.each([
      ['constructs', '../.gen/providers/cloudflare'],
      ['.', './.gen/providers/cloudflare'],
      ['src/edge/waf', '../../../.gen/providers/cloudflare'],
    ])('a construct in %s has them from %s', async (out, path) => {
      const manifest = { terraformProviders: ['hashicorp/random@~> 3.0', listed] };
      const { from } = await imports(manifest, ['--format', 'construct', '--out', out]);
      expect(from).toEqual([`${path}/ruleset`, 'constructs']);
    });

    it('a stack has them as well, and no package is to be installed', async () => {
      const { from, byHand } = await imports({ terraformProviders: [listed] }, ['--out', '.']);
      const own = './.gen/providers/cloudflare';
      expect(from).toEqual([`${own}/provider`, `${own}/ruleset`, 'cdktf', 'constructs']);
      expect(byHand).toEqual([
        expect.stringMatching(/^in main\.ts: import /),
        expect.stringMatching(/^in main\.ts, before app\.synth/),
      ]);
    });

    it('a stack that the program has already adds no line to it', async () => {
      const manifest = { terraformProviders: [listed] };
      const { byHand } = await imports(manifest, ['--out', '.']);
      cli.write({ 'main.ts': byHand.map((line) => line.replace(/^in .*?: /, '')).join('\n') });
      const again = await imports(manifest, ['--out', '.', '--force']);
      expect(again.byHand).toEqual([]);
    });

    it('they are found by the name and the folder that it gives them', async () => {
      const provider = { name: 'cf', source: 'cloudflare/cloudflare', version: '~> 4.52' };
      const manifest = { terraformProviders: [provider], codeMakerOutput: 'src/imports' };
      const { from } = await imports(manifest, ['--format', 'construct', '--out', 'src']);
      expect(from[0]).toBe('./imports/providers/cf/ruleset');
    });
  });

  it.each([
    ['that has a package of them beside', [listed], { '@cdktf/provider-cloudflare': '11.30.0' }],
    ['that generates those of others', ['hashicorp/random@~> 3.0'], CDKTF],
    ['that generates none', [], CDKTF],
  ])('a construct in a project %s has its bindings from the package', async (_, list, packages) => {
    const manifest = { terraformProviders: list };
    const { from } = await imports(manifest, ['--format', 'construct'], packages);
    expect(from[0]).toBe('@cdktf/provider-cloudflare/lib/ruleset');
  });

  it('a new project has its bindings from the package, whatever is around it', async () => {
    mkdirSync(join(cli.cwd(), 'apps'));
    const args = ['--project', 'apps/waf'];
    const { files } = await generateIn({ terraformProviders: [listed] }, args);
    const stack = (files as string[]).find((path) => path.includes('stacks/docs'))!;
    expect(cli.read(stack)).toContain('from "@cdktf/provider-cloudflare/lib/ruleset"');
  });
});
