import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator, MIGRATED } from './support/cli-with-emulator';

const cli = cliWithEmulator();

describe('generate, for the provider that it finds', () => {
  const lock = (version: string): string =>
    `provider "registry.terraform.io/hashicorp/aws" {\n  version = "5.1.0"\n}\n\nprovider "registry.terraform.io/cloudflare/cloudflare" {\n  version     = "${version}"\n  constraints = "~> 4.0"\n}\n`;
  const providerIn = async (files: Record<string, string>, ...more: string[]): Promise<any> => {
    const cwd = temporaryFolder();
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(cwd, name, '..'), { recursive: true });
      writeFileSync(join(cwd, name), text);
    }
    const args = ['generate', '--zone', MIGRATED, '--format', 'hcl', '--out', 'waf', ...more];
    return (await cli.json(args, { cwd })).document;
  };
  const manifest = (version: string, kind = 'dependencies'): string =>
    JSON.stringify({ [kind]: { '@cdktf/provider-cloudflare': version } });

  it.each([
    ['nothing', {}, 5],
    ['a lock file of 4', { '.terraform.lock.hcl': lock('4.52.8') }, 4],
    ['a lock file in the output folder', { 'waf/.terraform.lock.hcl': lock('3.35.0') }, 3],
    [
      'a lock file in both',
      { 'waf/.terraform.lock.hcl': lock('3.35.0'), '.terraform.lock.hcl': lock('5.22.0') },
      3,
    ],
    [
      'a lock file beats package.json',
      { '.terraform.lock.hcl': lock('4.52.8'), 'package.json': manifest('13.9.1') },
      4,
    ],
    ['bindings 5', { 'package.json': manifest('~5.0.3') }, 3],
    ['bindings 6', { 'package.json': manifest('^6.0.0') }, 4],
    ['bindings 11', { 'package.json': manifest('11.30.0', 'devDependencies') }, 4],
    ['bindings 12', { 'package.json': manifest('^12', 'peerDependencies') }, 5],
    ['bindings without a number', { 'package.json': manifest('latest') }, 5],
    ['a broken package.json', { 'package.json': '{' }, 5],
    [
      'a lock file of another provider',
      { '.terraform.lock.hcl': 'provider "x/y/z" {\n  version = "3.0.0"\n}\n' },
      5,
    ],
    ['a lock file with CRLF', { '.terraform.lock.hcl': lock('4.0.1').replaceAll('\n', '\r\n') }, 4],
  ])('%s', async (_, files, expected) => {
    expect((await providerIn(files)).provider).toBe(expected);
  });

  it('says what it saw, and --provider wins', async () => {
    const files = { '.terraform.lock.hcl': lock('4.52.8') };
    expect((await providerIn(files)).providerBecause).toBe('.terraform.lock.hcl selects 4.52.8');
    expect((await providerIn(files, '--provider', '5')).provider).toBe(5);
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'package.json'), manifest('11.30.0'));
    const { stdout } = await cli.run(['generate', '--zone', MIGRATED, '--out', 'x'], { cwd });
    expect(stdout).toContain('for provider 4 (package.json has @cdktf/provider-cloudflare 11):');
  });
});
