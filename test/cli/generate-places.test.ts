import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { cliWithEmulator, errorOf } from '../support/cli-lab';
import { nextCommands } from '../support/next-commands';
import { withFlags } from '../support/run-cli';
import { ENTERPRISE, MIGRATED } from '../support/zones';

describe('generate places', () => {
  const cli = cliWithEmulator('demo');

  const generate = (...args: string[]) => cli.json(['generate', '--zone', MIGRATED, ...args]);
  const failure = async (...args: string[]): Promise<[number, string]> => {
    const ran = await cli.run(['generate', '--zone', MIGRATED, ...args, '--json']);
    return [ran.code, errorOf(ran).code];
  };
  const bindings = '{"dependencies":{"@cdktf/provider-cloudflare":"13.9.1"}}';

  describe('generate --address', () => {
    it('puts the resource into a module', async () => {
      const address = 'module.waf.module.zone.cloudflare_ruleset.a-b';
      const { code, document } = await generate('--format', 'hcl', '--address', address);
      expect([code, document.resource.address, document.findings]).toEqual([0, address, []]);
      const text = cli.read('docs_example_com.tf');
      expect(text).toContain('resource "cloudflare_ruleset" "a-b" {');
      expect(text).toContain(`# terraform import ${address} `);
    });

    it.each(['hcl', 'tfjson'])('configures no provider in a module, in %s', async (format) => {
      const address = 'module.m.cloudflare_ruleset.x';
      await generate('--format', format, '--out', 'm', '--address', address);
      const ending = format === 'hcl' ? 'tf' : 'tf.json';
      expect(cli.read(`m/providers.${ending}`)).toContain('required_providers');
      expect(cli.read(`m/providers.${ending}`)).not.toMatch(/"?provider"? ?(?:"cloudflare"|:)/);
    });

    it.each([
      'module.x',
      'cloudflare_ruleset.a["b"]',
      'module.x.cloudflare_waf_rule.a',
      'module..cloudflare_ruleset.a',
      // each instance would declare the entry point of the one zone
      'module.x["a"].cloudflare_ruleset.a',
    ])('is refused as %j', async (address) => {
      expect(await failure('--format', 'hcl', '--address', address)).toEqual([64, 'USAGE']);
    });
  });

  describe('generate --import-block', () => {
    it.each([
      [
        'hcl',
        'docs_example_com_import.tf',
        /^import {\n {2}to = cloudflare_ruleset\.x\n {2}id = "zones/,
      ],
      ['tfjson', 'docs_example_com_import.tf.json', /^{\n {2}"import": \[/],
    ])('writes the block to a file of its own, in %s', async (format, file, text) => {
      const flags = ['--format', format, '--address', 'cloudflare_ruleset.x', '--import-block'];
      const { document } = await generate(...flags);
      expect(document.files).toContain(file);
      expect(cli.read(file)).toMatch(text);
      expect((await generate(...flags)).code).toBe(0);
    });

    it.each([
      ['a CDKTF stack', ['--format', 'cdktf'], 64, 'USAGE'],
      ['a module', ['--format', 'hcl', '--address', 'module.x.cloudflare_ruleset.a'], 64, 'USAGE'],
      ['a zone not migrated', ['--zone', ENTERPRISE, '--format', 'hcl'], 1, 'ENTRY_POINT_MISSING'],
    ])('is refused for %s, and nothing is written', async (_, flags, code, error) => {
      const zone = flags.includes('--zone') ? [] : ['--zone', MIGRATED];
      const args = ['generate', ...zone, ...flags, '--import-block', '--json'];
      const ran = await cli.run(args);
      expect([ran.code, errorOf(ran).code]).toEqual([code, error]);
      expect(cli.list()).toEqual([]);
    });
  });

  describe('generate --project', () => {
    it('writes a whole project, names its files, and writes the same again', async () => {
      const { code, document } = await generate('--project', 'waf');
      expect(code).toBe(0);
      expect(cli.list('waf')).toEqual([
        ...['.gitignore', 'README.md', '__tests__', 'cdktf.json', 'load-stacks.ts', 'main.ts'],
        ...['package.json', 'stacks', 'tsconfig.json'],
      ]);
      expect(document.files).toContain('waf/package.json');
      expect(document.files).toContain('waf/stacks/docs_example_com.ts');
      expect((await generate('--project', 'waf')).code).toBe(0);
    });

    it('prints the commands up to the plan that imports the ruleset, in order', async () => {
      const { stdout } = await cli.run(['generate', '--zone', MIGRATED, '--project', 'my waf']);
      expect(stdout).toContain(
        [
          'Synthesise it, and initialise its stack:',
          "  cd 'my waf'",
          '  npm install',
          '  npm run synth',
          '  terraform -chdir=cdktf.out/stacks/docs_example_com init',
          '',
          'Next, when all of this is done, in the folder my waf:',
          `  cf-waf-migrate plan --zone ${MIGRATED}`,
        ].join('\n'),
      );
    });

    it('outside of a CDKTF project says how to create one, and plans nothing', async () => {
      const { stdout } = await cli.run(['generate', '--zone', MIGRATED]);
      expect(stdout).toMatch(/\nNo CDKTF project is here: --project waf creates one .*\n$/);
    });

    it.each([
      [['--format', 'hcl', '--out', 'waf'], 'the folder waf'],
      [['--format', 'cdktf'], 'the folder of the synthesised stack'],
      [
        ['--format', 'hcl', '--address', 'module.x.cloudflare_ruleset.a'],
        'the folder of the root module',
      ],
    ])('with %j says where to import', async (flags, folder) => {
      const { stdout } = await cli.run(['generate', '--zone', MIGRATED, ...flags]);
      expect(stdout).toMatch(
        new RegExp(`Import it, in ${folder}:\n(?:  terraform init\n)?  terraform import `),
      );
    });

    it.each([
      ['a literal', `"${MIGRATED}"`],
      ['an expression', 'cloudflare_waf_package.p.zone_id'],
    ])(
      'as an example for a declared ruleset, whose zone is %s, it is not imported',
      async (_, zone) => {
        const own = `resource "cloudflare_ruleset" "waf" {\n  zone_id = ${zone}\n  phase = "http_request_firewall_managed"\n}\n`;
        cli.write({ 'waf.tf': own });
        const line = `generate --zone ${MIGRATED} --format hcl --address cloudflare_ruleset.waf --out example`;
        const { stdout } = await cli.run(line);
        expect(stdout).toContain('\nDo not import it: the folder . declares the ruleset.');
        expect(stdout).not.toContain('  terraform import');
        expect(nextCommands(stdout)).toEqual(['cf-waf-migrate plan']);
      },
    );

    it('imports into an initialised folder, though the one above declares a ruleset of this name', async () => {
      const own = `resource "cloudflare_ruleset" "managed_rules" {\n  zone_id = var.zone\n  phase = "http_request_firewall_managed"\n}\n`;
      cli.write({ 'waf.tf': own, 'other/.terraform/modules.json': '{}' });
      const { stdout } = await cli.run(`generate --zone ${MIGRATED} --format hcl --out other`);
      expect(stdout).toContain('Import it, in the folder other:\n  terraform import ');
    });

    it('below a CDKTF program in another language is an example, which is not imported', async () => {
      cli.write({ 'cdktf.json': '{"language":"python"}' });
      const line = `generate --zone ${MIGRATED} --format tfjson --out example`;
      const { stdout } = await cli.run(line);
      expect(stdout).toContain(
        '\nDo not import it here: add the resource of this file to the stack',
      );
      expect(stdout).not.toContain('  terraform import');
      expect(nextCommands(stdout)).toEqual([`cf-waf-migrate plan --zone ${MIGRATED}`]);
      cli.write({ 'example/.terraform/modules.json': '{}' });
      expect((await cli.run(`${line} --force`)).stdout).not.toContain('Do not import');
    });

    it('of a folder that is not initialised, says to initialise it first', async () => {
      const line = `generate --zone ${MIGRATED} --format hcl --out waf`;
      const first = '\n  terraform init\n  terraform import ';
      expect((await cli.run(line)).stdout).toContain(first);
      cli.write({ 'waf/.terraform/x': '' });
      expect((await cli.run(`${line} --force`)).stdout).not.toContain(first);
    });

    describe('with a module', () => {
      const line = `generate --zone ${MIGRATED} --format hcl --out mod --address module.waf.cloudflare_ruleset.a`;

      it('leads to the plan of the folder that calls it', async () => {
        cli.write({ 'main.tf': 'module "waf" {\n  source = "./mod"\n}\n', 'mod/a.tf': '' });
        const { stdout } = await cli.run(line);
        expect(stdout).toContain('Import it, in the folder .:\n');
        expect(stdout.endsWith('\n  cf-waf-migrate plan\n')).toBe(true);
      });

      it('prints no plan where that folder is unknown', async () => {
        const { stdout } = await cli.run(line);
        expect(stdout).toMatch(/\nThen run `cf-waf-migrate plan` in that folder\.\n$/);
      });
    });

    it('leaves the import to the plan where it replaces a declaration, which a state may have', async () => {
      const line = `generate --zone ${MIGRATED} --format hcl --out waf`;
      await cli.run(`${line} --provider 3`);
      const { stdout } = await cli.run(`${line} --provider 5 --force`);
      expect(stdout).not.toContain('terraform import');
      expect(stdout).toMatch(/\nNext:\n {2}cf-waf-migrate plan --dir waf --to 5\n/);
    });

    it.each([
      ['3', '5.0.3'],
      ['4', '11.30.0'],
      ['5', '13.9.1'],
    ])('depends on the bindings of provider %s', async (provider, version) => {
      await generate('--project', 'waf', '--provider', provider);
      const { dependencies } = JSON.parse(cli.read('waf/package.json'));
      expect(dependencies).toMatchObject({
        '@cdktf/provider-cloudflare': version,
        cdktf: '^0.21.0',
      });
    });

    it('writes nothing where one of its files differs', async () => {
      cli.write({ 'waf/main.ts': '// mine\n' });
      expect(await failure('--project', 'waf')).toEqual([1, 'FILE_EXISTS']);
      expect(cli.list('waf')).toEqual(['main.ts']);
    });

    it.each(['package.json', 'cdktf.json'])(
      'does not replace a project that has a %s, also with --force',
      async (name) => {
        cli.write({ [name]: '{}' });
        const ran = await cli.run(['generate', '--zone', MIGRATED, '--project', '.', '--force']);
        expect([ran.code, cli.list()]).toEqual([1, [name]]);
        expect(ran.stderr).toContain(
          'hint: add the stack to it: pass --out . instead of --project',
        );
      },
    );

    it.each([[['--project', 'a', '--out', 'b']], [['--project', 'a', '--format', 'hcl']]])(
      '%j are a usage error',
      async (args) => {
        expect(await failure(...args)).toEqual([64, 'USAGE']);
      },
    );
  });

  describe('generate --out, for a project that exists', () => {
    it('adds one file to a CDKTF project, and says what to add by hand', async () => {
      cli.write({
        'app/cdktf.json': '{"language":"typescript","app":"npx ts-node src/main.ts"}',
        'app/package.json': '{"dependencies":{"cdktf":"^0.21.0"}}',
        'app/src/main.ts': '// mine\n',
      });
      const { document } = await generate('--out', 'app');
      expect(document.files).toEqual(['app/src/docs_example_com.ts']);
      expect(document.byHand).toEqual([
        'npm install @cdktf/provider-cloudflare@13.9.1',
        'in src/main.ts: import { DocsExampleComWafStack } from "./docs_example_com";',
        'in src/main.ts, before app.synth(): new DocsExampleComWafStack(app, "docs_example_com");',
      ]);
      expect(cli.read('app/src/main.ts')).toBe('// mine\n');
      expect(cli.list('app')).toEqual(['cdktf.json', 'package.json', 'src']);
    });

    it('says the same of a folder of the project, until a line of the program has the stack', async () => {
      const line = 'new DocsExampleComWafStack(app, "docs_example_com");';
      cli.write({
        'app/cdktf.json': '{"language":"typescript","app":"npx ts-node src/main.ts"}',
        'app/package.json': `{"dependencies":{"cdktf":"^0.21.0","@cdktf/provider-cloudflare":"13.9.1"}}`,
        'app/src/main.ts': `// later: ${line}\n`,
      });
      const { document } = await generate('--out', 'app/src/stacks');
      expect(document.files).toEqual(['app/src/stacks/docs_example_com.ts']);
      expect(document.byHand).toEqual([
        'in src/main.ts: import { DocsExampleComWafStack } from "./stacks/docs_example_com";',
        `in src/main.ts, before app.synth(): ${line}`,
      ]);
      cli.write({ 'app/src/main.ts': `  ${line}\n` });
      expect((await generate('--out', 'app/src/stacks')).document.byHand).toEqual([]);
    });

    it.each([
      ['a remote backend', { backend: { s3: {} } }, 's3'],
      ['Terraform Cloud', { cloud: {} }, 'cloud'],
      ['a local backend', { backend: { local: {} } }, undefined],
      ['no backend', {}, undefined],
    ])(
      'beside a stack with %s, says which backend the new stack needs',
      async (_, terraform, type) => {
        const backend = `for the stack, before its ruleset is imported: the backend of your other stacks (${type}); without one, its state is a file in the folder of the project`;
        cli.write({
          'app/cdktf.json': '{"language":"typescript","app":"npx ts-node main.ts"}',
          'app/package.json': bindings,
          'app/cdktf.out/stacks/edge/cdk.tf.json': JSON.stringify({ terraform }),
        });
        const lines = async () => (await generate('--out', 'app')).document.byHand;
        expect((await lines()).slice(2)).toEqual(type === undefined ? [] : [backend]);
        cli.write({ 'app/main.ts': 'new DocsExampleComWafStack(app, "docs_example_com");\n' });
        expect(await lines()).toEqual([]);
      },
    );

    it.each([
      [
        '^0.15.0',
        '5',
        ['npm install @cdktf/provider-cloudflare@13.9.1 cdktf@^0.21.0 constructs@^10.4.2'],
      ],
      ['0.20.12', '4', ['npm install @cdktf/provider-cloudflare@11.30.0']],
      [
        '~0.21.0',
        '4',
        [
          "npm pkg set 'overrides.@cdktf/provider-cloudflare.cdktf=$cdktf'",
          'npm install @cdktf/provider-cloudflare@11.30.0',
        ],
      ],
    ])('with cdktf %s installs bindings of provider %s that npm accepts', async (...row) => {
      const [cdktf, provider, install] = row;
      cli.write({
        'cdktf.json': '{"language":"typescript"}',
        'package.json': JSON.stringify({ dependencies: { cdktf } }),
      });
      const { document } = await generate('--format', 'construct', '--provider', provider);
      expect(document.byHand?.slice(0, install.length)).toEqual(install);
    });

    it.each([
      ['cdktf', '{"scripts":{"synth":"tsx main.ts"}}', 'npm run synth'],
      ['cdktf', '{"dependencies":{"cdktn":"^0.24.0"}}', 'npx cdktn synth'],
      ['construct', '{}', 'npx cdktf synth'],
    ])('as %s for %j names the way to its plan', async (format, manifest, synth) => {
      const project = '{"language":"typescript","output":"build"}';
      cli.write({ 'cdktf.json': project, 'package.json': manifest, 'node_modules/x': '' });
      const line = ['generate', '--zone', MIGRATED, '--format', format];
      const { stdout } = await cli.run(line);
      const init = '  terraform -chdir=build/stacks/docs_example_com init\n';
      const each = '  for stack in build/stacks/*; do terraform -chdir="$stack" init; done\n';
      const steps =
        format === 'cdktf'
          ? `, and initialise its stack:\n  ${synth}\n${init}`
          : `:\n  ${synth}\n${each}`;
      const next = `\nNext, when all of this is done:\n  cf-waf-migrate plan --zone ${MIGRATED}\n`;
      expect(stdout.endsWith(`Synthesise it${steps}${next}`)).toBe(true);
      // as a step of a plan, which is of all zones
      const step = await cli.run([...line, '--address', 'cloudflare_ruleset.a', '--force']);
      expect(nextCommands(step.stdout)).toEqual(['cf-waf-migrate plan']);
      expect(step.stdout).toContain('If a plan led here, continue it instead of the next command.');
      expect(stdout).not.toContain('If a plan led here');
      // `init` fails for another provider version, and its upgrade is a step of the plan
      for (const stack of ['docs_example_com', 'other'])
        cli.write({
          [`build/stacks/${stack}/.terraform/x`]: '',
          [`build/stacks/${stack}/cdk.tf.json`]: '{}',
        });
      expect((await cli.run(line)).stdout).toContain(`Synthesise it:\n  ${synth}\n\nNext`);
    });

    it.each([
      ['all stacks, if one is not initialised', 'main.tf', true],
      ['no stack, if all are initialised', '.terraform/x', false],
    ])('initialises for a construct %s', async (_, file, isShown) => {
      cli.write({
        'cdktf.json': '{"language":"typescript"}',
        'cdktf.out/stacks/edge/.terraform/x': '',
        [`cdktf.out/stacks/users/${file}`]: '',
      });
      const { stdout } = await cli.run(`generate --zone ${MIGRATED} --format construct`);
      expect(stdout.includes('terraform -chdir="$stack" init')).toBe(isShown);
    });

    it.each([
      ['without bindings', undefined, true],
      ['with the bindings of provider 5', '13.9.1', true],
      ['with the bindings of provider 3', '^5.0.0', false],
      ['that generates those of provider 5', undefined, true, '~> 5.22'],
      ['that generates those of provider 3', undefined, false, '~> 3.35'],
    ])('has bindings for a construct of provider 3 in a project %s', async (...row) => {
      const [, has, adds, version] = row;
      const dependencies = { '@cdktf/provider-cloudflare': has };
      const terraformProviders = version && [`cloudflare/cloudflare@${version}`];
      cli.write({
        'cdktf.json': JSON.stringify({ language: 'typescript', terraformProviders }),
        'package.json': JSON.stringify({ dependencies }),
      });
      const { document } = await generate('--format', 'construct', '--provider', '3');
      const add =
        version === undefined
          ? 'npm install @cdktf/provider-cloudflare@5.0.3'
          : 'in cdktf.json: "terraformProviders": ["cloudflare/cloudflare@~> 3.35"]; then run: cdktf get';
      expect(document.byHand.includes(add)).toBe(adds);
    });

    it.each([
      ['beside the program', 'main.ts', 'src'],
      ['not beside stacks that are loaded', 'load-stacks.ts', 'constructs'],
    ])('puts a construct %s', async (_, file, folder) => {
      cli.write({
        'app/cdktf.json': '{"language":"typescript","app":"npx tsx src/main.ts"}',
        [`app/${file}`]: '',
      });
      const { document } = await generate('--out', 'app', '--format', 'construct');
      expect(document.files).toEqual([`app/${folder}/docs_example_com.ruleset.ts`]);
    });

    it('writes a construct again as its hint says', async () => {
      cli.write({ 'app/cdktf.json': '{"language":"typescript"}' });
      const line = ['generate', '--json', '--zone', MIGRATED, '--out', 'app'];
      expect((await cli.run([...line, '--format', 'construct'])).code).toBe(0);
      expect(errorOf(await cli.run(line)).hint).toMatch(
        /write it again with --force --format construct, without --address$/,
      );
      expect((await cli.run([...line, '--format', 'construct', '--force'])).code).toBe(0);
      expect(cli.list('app')).toEqual(['cdktf.json', 'docs_example_com.ruleset.ts']);
    });

    it('overrides the provider version of the stack of a construct, unless it is suitable already', async () => {
      cli.write({ 'app/cdktf.json': '{"language":"typescript"}' });
      const { document } = await generate('--out', 'app', '--format', 'construct');
      const version = '"terraform.required_providers.cloudflare.version", "5.22.0"';
      expect(document.byHand.at(-1)).toBe(
        `for the stack, unless it requires provider 5.22.0 or a later 5 already: stack.addOverride(${version}); (all its resources get this provider)`,
      );
    });

    it.each([
      ['that is compiled before', 'node dist/index.js'],
      ['outside of the project', 'npx tsx ../other/main.ts'],
    ])('names main.ts for a program %s', async (_, app) => {
      cli.write({ 'app/cdktf.json': JSON.stringify({ language: 'typescript', app }) });
      const { document } = await generate('--out', 'app');
      expect(document.byHand.at(-1)).toContain('in main.ts, before app.synth()');
      expect(document.files).toEqual(['app/docs_example_com.ts']);
    });

    it('writes nothing into a folder that CDKTF generates', async () => {
      cli.write({ 'app/cdktf.json': '{}', 'app/cdktf.out/stacks/edge/cdk.tf.json': '{}' });
      const ran = await cli.run(
        `generate --zone ${MIGRATED} --out app/cdktf.out/stacks/edge --force`,
      );
      expect([ran.code, cli.list('app/cdktf.out/stacks/edge')]).toEqual([1, ['cdk.tf.json']]);
      expect(ran.stderr).toContain('hint: pass --format construct --out app,');
    });

    it('keeps an upgrade of the provider in the next command', async () => {
      cli.write({
        'cdktf.json': '{"language":"typescript"}',
        'package.json': '{"dependencies":{"@cdktf/provider-cloudflare":"5.0.3"}}',
      });
      const line = `generate --zone ${MIGRATED} --format construct --provider`;
      expect((await cli.run(`${line} 5`)).stdout).toMatch(/ plan --to 5\n$/);
      // with the new bindings, the lock file of a stack still has the earlier provider
      cli.write({
        'package.json': '{"dependencies":{"@cdktf/provider-cloudflare":"13.9.1"}}',
        'cdktf.out/stacks/edge/.terraform.lock.hcl':
          'provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "3.35.0"\n}\n',
      });
      expect((await cli.run(`${line} 5 --force`)).stdout).toMatch(/ plan --to 5\n$/);
      expect((await cli.run(`${line} 3 --force`)).stdout).toMatch(/plan --zone \S*\n$/);
    });

    it('has a project of CDK Terrain generate its bindings', async () => {
      cli.write({
        'app/cdktf.json': '{"language":"typescript","app":"npx tsx main.ts"}',
        'app/package.json': '{"dependencies":{"cdktn":"^0.24.0"}}',
      });
      const { document } = await generate('--out', 'app');
      expect(document.byHand[0]).toBe(
        'in cdktf.json: "terraformProviders": ["cloudflare/cloudflare@>= 5.19, < 6"]; then run: cdktn get',
      );
      expect(cli.read('app/docs_example_com.ts')).toContain('from "cdktn"');
      expect(cli.read('app/docs_example_com.ts')).toContain(
        'from "./.gen/providers/cloudflare/ruleset"',
      );
    });

    it('uses the folder stacks where there is one', async () => {
      cli.write({
        'app/cdktf.json': '{"language":"typescript","app":"npx ts-node main.ts"}',
        'app/package.json': bindings,
        'app/stacks/other.ts': '',
      });
      const { document } = await generate('--out', 'app');
      expect(document.files).toEqual(['app/stacks/docs_example_com.ts']);
      expect(document.byHand[0]).toContain('from "./stacks/docs_example_com"');
    });

    it('leaves nothing to be done by hand in a project of --project', async () => {
      await generate('--project', 'waf');
      const { document } = await cli.json(['generate', '--zone', ENTERPRISE, '--out', 'waf']);
      expect(document.byHand).toEqual([]);
      expect(cli.list('waf/stacks')).toHaveLength(2);
    });

    it('refuses a project in Python, but for the format that is named', async () => {
      cli.write({ 'app/cdktf.json': '{"language":"python"}' });
      expect(await failure('--out', 'app')).toEqual([1, 'PROJECT_UNSUITABLE']);
      const construct = ['--out', 'app/constructs', '--format', 'construct'];
      expect(await failure(...construct)).toEqual([1, 'PROJECT_UNSUITABLE']);
      const { document } = await generate('--out', 'app', '--format', 'tfjson');
      expect(document.files).toEqual(['app/docs_example_com.tf.json', 'app/providers.tf.json']);
    });

    it.each([
      ['main.tf', 'docs_example_com.tf'],
      ['main.tf.json', 'docs_example_com.tf.json'],
    ])('is the current folder by default: one with %s gets %s', async (name, file) => {
      cli.write({ [name]: name.endsWith('json') ? '{}' : '' });
      const { document } = await generate();
      expect(document.files).toContain(file);
    });

    it('writes the format that is named beside files of another', async () => {
      cli.write({ 'tf/main.tf': '' });
      const { document } = await generate('--out', 'tf', '--format', 'cdktf');
      expect(document.files).toEqual(['tf/docs_example_com.ts']);
    });
  });
});

describe('generate, where a file of another name declares the ruleset', () => {
  const cli = cliWithEmulator();

  const DECLARED = 'ENTRY_POINT_DECLARED';
  const PLANNED = 'waf/managed_rules.tf';
  const FILES = ['managed_rules.tf', 'providers.tf'];
  const LINE = ['generate', '--json', '--zone', MIGRATED, '--format', 'hcl', '--out', 'waf'];
  const run = (...more: string[]) => cli.run(withFlags(LINE, more));

  /** Writes the file of a ruleset under the name that a plan gives it. Returns its text. */
  async function writePlanned(): Promise<string> {
    expect((await run()).code).toBe(0);
    renameSync(join(cli.cwd(), 'waf/docs_example_com.tf'), join(cli.cwd(), PLANNED));
    return cli.read(PLANNED);
  }

  it('writes that file, and no second one', async () => {
    const text = await writePlanned();
    cli.write({ [PLANNED]: text.replace(/^ {2}name .*$/m, '  name = "other\u001b[8m"') });
    const held = await run();
    expect([held.code, errorOf(held).code]).toEqual([1, 'FILE_EXISTS']);
    const { stderr } = await cli.run(LINE.filter((word) => word !== '--json'));
    expect(stderr).toMatch(
      /^ +--- a\/waf\/\S+\n +\+\+\+ b\/waf\/\S+\n +@@ [^]*\n +- {2}name = "other\\u\{1b\}\[8m"\n +\+ {2}name +=[^]*\nerror: .* exists and differs/,
    );
    expect((await run('--force')).code).toBe(0);
    expect([cli.read(PLANNED), cli.list('waf')]).toEqual([text, FILES]);
  });

  it.each<[string, (text: string) => string, string]>([
    ['holds something else, too', (text) => `${text}locals {\n}\n`, DECLARED],
    ['is of the user', (text) => text.replace('generated by cf-waf-migrate', 'mine'), DECLARED],
    ['has another provider', (text) => text.replace('{', '{\n  provider = cloudflare.b'), DECLARED],
    ['is of any zone', (text) => text.replace(/zone_id .*/, 'zone_id = var.zone'), 'ADDRESS_TAKEN'],
  ])('refuses the address where that %s, also with --force', async (_, change, code) => {
    const changed = change(await writePlanned());
    cli.write({ [PLANNED]: changed });
    const ran = await run('--force');
    expect([ran.code, errorOf(ran).code]).toEqual([1, code]);
    expect([cli.read(PLANNED), cli.list('waf')]).toEqual([changed, FILES]);
  });

  it.each([
    ['hcl', 'waf/docs_example_com.tf', (text: string) => `${text}output "a" {\n  value = 1\n}\n`],
    [
      'tfjson',
      'waf/docs_example_com.tf.json',
      (text: string) => JSON.stringify({ ...JSON.parse(text), output: { a: { value: 1 } } }),
    ],
  ])(
    'keeps the blocks that the user added to a generated file, also with --force (%s)',
    async (format, file, add) => {
      const write = (...more: string[]) => run('--format', format, '--provider', ...more);
      await write('4');
      const added = add(cli.read(file));
      cli.write({ [file]: added });
      for (const flags of [['--force'], []]) {
        const ran = await write('5', ...flags);
        expect([ran.code, errorOf(ran).code, cli.read(file)]).toEqual([1, DECLARED, added]);
        expect(errorOf(ran).hint).toMatch(/^edit that block by hand: /);
      }
    },
  );

  it.each([
    ['hcl', 'waf/docs_example_com.tf', /zone_id .*/, 'zone_id = var.zone'],
    ['cdktf', 'waf/docs_example_com.ts', /zoneId: .*/, 'zoneId: zone.id,'],
  ])(
    'keeps the address of a generated file whose zone is now an expression (%s)',
    async (format, file, literal, expression) => {
      await run('--format', format, '--address', 'cloudflare_ruleset.docs');
      cli.write({ [file]: cli.read(file).replace(literal, expression) });
      const ran = await run('--format', format, '--force');
      expect(JSON.parse(ran.stdout).resource.address).toBe('cloudflare_ruleset.docs');
      expect(cli.read(file)).toContain(MIGRATED);
    },
  );

  it('names a free address without the index of the file that it replaces', async () => {
    await run('--address', 'cloudflare_ruleset.docs');
    const file = 'waf/docs_example_com.tf';
    cli.write({
      [file]: cli.read(file).replace(' {\n', ' {\n  count = 1\n'),
      'waf/main.tf': `resource "cloudflare_ruleset" "taken" {\n  zone_id = "${ENTERPRISE}"\n}\n`,
    });
    expect(errorOf(await run('--address', 'cloudflare_ruleset.taken'))).toMatchObject({
      code: 'ADDRESS_TAKEN',
      hint: 'pass --address cloudflare_ruleset.managed_rules_docs_example_com',
    });
  });

  it('keeps the provider that the file of the named ruleset has, also beside the default one', async () => {
    const planned = await writePlanned();
    cli.write({
      [PLANNED]: planned.replace(' {\n', ' {\n  provider = cloudflare.b\n\n'),
      'waf/providers.tf': `${cli.read('waf/providers.tf')}provider "cloudflare" {\n  alias = "b"\n}\n`,
    });
    const named = ['--address', 'cloudflare_ruleset.managed_rules', '--force'];
    expect((await run(...named, '--provider', '4')).code).toBe(0);
    expect(cli.read(PLANNED)).toContain('"managed_rules" {\n  provider = cloudflare.b\n');
    expect(cli.list('waf')).toEqual(FILES);
    // the block of another file is edited by hand
    cli.write({ [PLANNED]: `${cli.read(PLANNED)}locals {\n}\n` });
    expect(errorOf(await run(...named)).hint).toMatch(/^edit that block by hand: /);
  });
});
