import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cdktfCli } from '../support/cdktf-project';
import { runProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';

const root = join(__dirname, '../..');

function environment(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !/^(TF|CDKTF)_/.test(name));
  return { ...Object.fromEntries(own), CHECKPOINT_DISABLE: '1', CI: '1' };
}

/** Every file below a folder, with its text. */
function filesBelow(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.sort().map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );
}

it('cdktf synth and npm run synth give the same Terraform JSON, one folder a stack', async () => {
  const byCli = temporaryFolder();
  const cli = await runProcess(cdktfCli, ['synth', '--output', byCli], {
    cwd: root,
    env: environment(),
  });
  expect([cli.code, cli.stderr]).toEqual([0, '']);

  const plain = temporaryFolder();
  const npm = await runProcess('npm', ['run', '--silent', 'synth'], {
    cwd: root,
    env: { ...environment(), CDKTF_OUTDIR: plain },
  });
  expect([npm.code, npm.stdout]).toEqual([0, '']);

  const stacks = readdirSync(join(root, 'stacks'))
    .filter((name) => name !== 'main.ts')
    .map((name) => name.replace(/\.ts$/, ''))
    .sort();
  expect(readdirSync(join(plain, 'stacks')).sort()).toEqual(stacks);
  const json = (folder: string): Record<string, string> =>
    Object.fromEntries(
      Object.entries(filesBelow(folder)).filter(([path]) => path.endsWith('cdk.tf.json')),
    );
  expect(Object.keys(json(plain))).toHaveLength(stacks.length);
  expect(json(plain)).toEqual(json(byCli));
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
  const files = Object.entries(filesBelow(out)).filter(([path]) => path.endsWith('cdk.tf.json'));
  expect(files.length).toBeGreaterThan(0);
  for (const [, text] of files) {
    const document = JSON.parse(text);
    expect(document.terraform.required_providers.cloudflare).toEqual({
      source: 'cloudflare/cloudflare',
      version: '>= 5.19, < 6',
    });
    expect(Object.keys(document.resource.cloudflare_ruleset)).toEqual(['managed_rules']);
  }
});
