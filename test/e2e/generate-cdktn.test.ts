import fc from 'fast-check';
import { configRuleset, liveRuleset } from '../generate/support/arbitrary-ruleset';
import { corpus } from '../generate/support/corpus';
import { everything } from '../generate/support/everything';
import { expectedResource } from '../generate/support/expected-resource';
import { textOf } from '../generate/support/generate-files';
import { readStack } from '../generate/support/read-back';
import { typeErrors } from '../generate/support/type-check';
import { cdktnProject, installCdktn } from '../support/cdktn-project';
import { runInProject } from '../support/cdktf-project';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator } from '../support/cli-lab';
import { MIGRATED } from '../support/zones';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const textFor = (answer: unknown): string =>
  textOf(answer, {
    ...{ provider: 5, format: 'cdktf', flavor: 'cdktn' },
    bindings: '@cdktn/provider-cloudflare/lib',
  });

describe('with the core of CDK Terrain, a stack of flavor cdktn', () => {
  it('compiles under strict', () => {
    const random = [...fc.sample(liveRuleset, 20), ...fc.sample(configRuleset, 10)];
    const sources = [...Object.values(corpus), everything(), ...random].map(textFor);
    expect(typeErrors(sources, cdktnProject().paths)).toEqual([]);
  }, 300_000);

  it('imports nothing of CDKTF', () => {
    expect(textFor(everything())).not.toMatch(/from '@?cdktf/);
  });

  it('would not compile, were a field misspelt', () => {
    const source = textFor(everything()).replace('expression:', 'expresion:');
    expect(typeErrors([source], cdktnProject().paths)).toEqual([
      expect.stringContaining("'expresion' does not exist"),
    ]);
  });

  it.each(Object.entries(corpus))('is synthesised to %s', (_, answer) => {
    const resource = readStack(textFor(answer), 'managed_rules', cdktnProject().load);
    expect(resource).toEqual(expectedResource(answer, 5));
  });
});

describe('a generated project of flavor cdktn', () => {
  const cli = cliWithEmulator('demo');

  it('asks npm for no bindings, generates them, compiles, passes its test and is synthesised', async () => {
    const cwd = temporaryFolder();
    const args = ['generate', '--zone', MIGRATED, '--project', 'waf', '--flavor', 'cdktn'];
    expect((await cli.run(args, { cwd })).code).toBe(0);
    const project = join(cwd, 'waf');
    const read = (path: string) => readFileSync(join(project, path), 'utf8');
    expect(read('package.json')).not.toContain('provider-cloudflare');
    expect(JSON.parse(read('cdktf.json')).terraformProviders).toEqual([
      'cloudflare/cloudflare@>= 5.19, < 6',
    ]);
    expect(read('README.md')).toContain('npm run get');

    await installCdktn(project);
    for (const [program, flags] of [
      ['tsc', ['--noEmit']],
      ['tsx', ['--test', '__tests__/stacks.test.ts']],
      ['tsx', ['main.ts']],
    ] as const) {
      const { code, stdout, stderr } = await runInProject(project, program, [...flags]);
      expect([program, code, code === 0 ? '' : stdout + stderr]).toEqual([program, 0, '']);
    }
    const made = JSON.parse(read('cdktf.out/stacks/docs_example_com/cdk.tf.json'));
    expect(made.terraform.required_providers.cloudflare.version).toBe('>= 5.19, < 6');
    expect(Object.keys(made.resource.cloudflare_ruleset)).toHaveLength(1);
  }, 300_000);
});
