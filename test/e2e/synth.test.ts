import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cdktfCli, plainEnvironment } from '../support/cdktf-project';
import { runProcess } from '../support/run-process';
import { folderContents, temporaryFolder } from '../support/temporary-folder';

const root = join(__dirname, '../..');

/** The Terraform JSON of each stack below a folder, by its path. */
const stacksIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(folderContents(folder))
      .filter(([path]) => path.endsWith('cdk.tf.json'))
      .map(([path, bytes]) => [path, Buffer.from(bytes, 'base64').toString()]),
  );

it('cdktf synth and npm run synth give the same Terraform JSON, one folder a stack', async () => {
  const byCli = temporaryFolder();
  const cli = await runProcess(cdktfCli, ['synth', '--output', byCli], {
    cwd: root,
    env: plainEnvironment(),
  });
  expect([cli.code, cli.stderr]).toEqual([0, '']);

  const plain = temporaryFolder();
  const npm = await runProcess('npm', ['run', '--silent', 'synth'], {
    cwd: root,
    env: plainEnvironment({ CDKTF_OUTDIR: plain }),
  });
  expect([npm.code, npm.stdout]).toEqual([0, '']);

  const stacks = readdirSync(join(root, 'stacks'))
    .filter((name) => name !== 'main.ts')
    .map((name) => name.replace(/\.ts$/, ''))
    .sort();
  expect(readdirSync(join(plain, 'stacks')).sort()).toEqual(stacks);
  expect(Object.keys(stacksIn(plain))).toHaveLength(stacks.length);
  expect(stacksIn(plain)).toEqual(stacksIn(byCli));
}, 600_000);

it('trap 8.5: importFrom would start terraform for each resource; npm run synth needs no terraform, and each stack requires the provider of its dialect', async () => {
  const out = temporaryFolder();
  const bin = temporaryFolder();
  const tsx = join(root, 'node_modules/tsx/dist/loader.mjs');
  const ran = await runProcess(process.execPath, ['--import', tsx, 'stacks/main.ts'], {
    cwd: root,
    // no program can be found
    env: { PATH: bin, HOME: bin, CDKTF_OUTDIR: out },
  });
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, '', '']);
  const texts = Object.values(stacksIn(out));
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) {
    const document = JSON.parse(text);
    expect(document.terraform.required_providers.cloudflare).toEqual({
      source: 'cloudflare/cloudflare',
      version: '>= 5.19, < 6',
    });
    expect(Object.keys(document.resource.cloudflare_ruleset)).toEqual(['managed_rules']);
  }
});
