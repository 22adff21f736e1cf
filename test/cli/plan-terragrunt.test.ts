import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fakeTerraform } from '../support/fake-terraform';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';

const ZONE = '0123456789abcdef0123456789abcdef';
const unit = (source: string): string => `terraform {\n  source = ${source}\n}\n`;
const block = 'resource "cloudflare_waf_rule" "r" {}\n';

/** The error of a plan of a folder among these files, and its stderr. */
async function planOf(dir: string, files: Record<string, string>) {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  const fake = fakeTerraform(cwd, 'printf {}');
  const args = ['plan', '--zone', ZONE, '--dir', dir, '--json'];
  const { stderr, code } = await runCli(args, { cwd, environment: { PATH: fake.searchPath } });
  return { cwd, code, error: JSON.parse(stderr).error };
}

const CACHE = 'live/waf/.terragrunt-cache/hash/hash/waf';

it('refuses to edit in a Terragrunt cache, and names the file of its source', async () => {
  const files = { [`${CACHE}/main.tf`]: block, 'live/waf/terragrunt.hcl': unit('"../m//waf"') };
  const { cwd, code, error } = await planOf(CACHE, files);
  expect([code, error.code]).toEqual([1, 'CONFIG_EDIT_REFUSED']);
  expect(error.message).toContain('inside a Terragrunt cache');
  expect(error.hint).toContain(
    `edit the source that ${join(cwd, 'live/waf')}/terragrunt.hcl names;`,
  );
});

it('refuses a Terragrunt unit without configuration, with the way to plan its state', async () => {
  const { error } = await planOf('live', { 'live/terragrunt.hcl': unit('"../waf"') });
  expect(error.message).toContain('live is a Terragrunt unit');
  expect(error.hint).toContain('terragrunt state pull > state.json');
});

it('plans a Terragrunt unit that holds its configuration as any folder', async () => {
  const files = { 'live/terragrunt.hcl': 'inputs = {}\n', 'live/main.tf': block };
  const { error } = await planOf('live', files);
  expect(error.code).not.toBe('CONFIG_EDIT_REFUSED');
});
