import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator, errorOf, MIGRATED, PRO } from './support/cli-with-emulator';

const cli = cliWithEmulator();
const codesOf = (document: any): string[] => document.findings.map(({ code }: any) => code);

describe('generate, into a folder', () => {
  const hcl = (zone: string, ...more: string[]): string[] => [
    ...['generate', '--zone', zone, '--format', 'hcl', '--out', 'waf', ...more],
  ];

  it('leaves files alone that are as they are to be', async () => {
    const cwd = temporaryFolder();
    await cli.run(hcl(MIGRATED), { cwd });
    const inodes = (): number[] =>
      readdirSync(join(cwd, 'waf')).map((name) => statSync(join(cwd, 'waf', name)).ino);
    const before = inodes();
    expect((await cli.run(hcl(MIGRATED), { cwd })).code).toBe(0);
    expect(inodes()).toEqual(before);
  });

  it('overwrites a file that differs only with --force, and then writes nothing else either', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'waf'));
    const path = join(cwd, 'waf/docs_example_com.tf');
    writeFileSync(path, '# mine\n');
    const ran = await cli.run([...hcl(MIGRATED), '--json'], { cwd });
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'FILE_EXISTS']);
    expect(readdirSync(join(cwd, 'waf'))).toEqual(['docs_example_com.tf']);
    expect(readFileSync(path, 'utf8')).toBe('# mine\n');
    expect((await cli.run([...hcl(MIGRATED), '--force'], { cwd })).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toContain('resource "cloudflare_ruleset"');
  });

  it('takes several zones at several addresses, with one file for the provider', async () => {
    const cwd = temporaryFolder();
    expect(
      (await cli.run(hcl(MIGRATED, '--address', 'cloudflare_ruleset.docs'), { cwd })).code,
    ).toBe(0);
    expect((await cli.run(hcl(PRO, '--address', 'cloudflare_ruleset.blog'), { cwd })).code).toBe(0);
    expect(readdirSync(join(cwd, 'waf')).sort()).toEqual([
      ...['blog_example_com.tf', 'docs_example_com.tf', 'providers.tf'],
    ]);
  });

  it('refuses an address that another file declares', async () => {
    const cwd = temporaryFolder();
    await cli.run(hcl(MIGRATED), { cwd });
    const ran = await cli.run([...hcl(PRO), '--json'], { cwd });
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'ADDRESS_TAKEN']);
    expect(errorOf(ran).message).toContain('docs_example_com.tf');
    expect(existsSync(join(cwd, 'waf/blog_example_com.tf'))).toBe(false);
  });

  const declaring = (zone: string, phase = 'http_request_firewall_managed'): string =>
    `resource "cloudflare_ruleset" "mine" {\n  zone_id = "${zone}"\n  phase   = "${phase}"\n}\n`;
  const asJson = JSON.stringify({
    resource: {
      cloudflare_ruleset: {
        mine: { zone_id: MIGRATED, phase: 'http_request_firewall_managed' },
      },
    },
  });

  it.each([
    ['mine.tf', declaring(PRO) + declaring(MIGRATED)],
    ['mine.tf.json', asJson],
  ])('refuses a second entry point of a zone, and names the one of %s', async (file, text) => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'waf'));
    writeFileSync(join(cwd, 'waf', file), text);
    const ran = await cli.run([...hcl(MIGRATED, '--force'), '--json'], { cwd });
    expect(errorOf(ran)).toMatchObject({
      code: 'ENTRY_POINT_DECLARED',
      message: expect.stringContaining(`cloudflare_ruleset.mine in ${file} declares`),
      hint: expect.stringContaining('--address cloudflare_ruleset.mine'),
    });
    expect(readdirSync(join(cwd, 'waf'))).toEqual([file]);
  });

  it.each([
    ['of another zone', declaring(PRO)],
    ['of another phase', declaring(MIGRATED, 'http_ratelimit')],
  ])('writes it beside a ruleset %s', async (_, text) => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'waf'));
    writeFileSync(join(cwd, 'waf/mine.tf'), text);
    expect((await cli.run(hcl(MIGRATED), { cwd })).code).toBe(0);
  });

  it.each([
    [
      'main.tf',
      'terraform {\n  required_providers {\n    cloudflare = { source = "cloudflare/cloudflare" }\n  }\n}\n',
    ],
    ['providers.tf', 'terraform {\n  required_providers {\n    cloudflare = {\n    }\n  }\n}\n'],
    [
      'main.tf.json',
      '{"terraform":[{"required_providers":[{"cloudflare":{"version":"~> 5.19"}}]}]}',
    ],
  ])('writes the ruleset alone where %s requires the provider already', async (name, text) => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'waf'));
    writeFileSync(join(cwd, 'waf', name), text);
    const { code, document } = await cli.json(hcl(MIGRATED), { cwd });
    expect([code, codesOf(document)]).toEqual([0, ['PROVIDERS_DECLARED_ELSEWHERE']]);
    expect(readdirSync(join(cwd, 'waf')).sort()).toEqual(['docs_example_com.tf', name].sort());
    expect(readFileSync(join(cwd, 'waf', name), 'utf8')).toBe(text);
  });

  it.each([
    ['other providers', 'terraform {\n  required_providers {\n    aws = {}\n  }\n}\n'],
    ['the provider configured', 'provider "cloudflare" {\n}\n'],
  ])('asks a person to add the requirement where there are %s', async (_, text) => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'waf'));
    writeFileSync(join(cwd, 'waf/main.tf'), text);
    const { code, document } = await cli.json(hcl(MIGRATED), { cwd });
    expect([code, codesOf(document)]).toEqual([2, ['PROVIDER_NOT_REQUIRED']]);
    expect(document.findings[0].remedy).toContain('source = "cloudflare/cloudflare"');
  });

  it('is not led astray by comments, aliases and override files', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'waf'));
    const files = {
      'main.tf':
        '# required_providers { }\n/* provider "cloudflare" {} */\n// resource "cloudflare_ruleset" "managed_rules" {}\nprovider "cloudflare" {\n  alias = "eu"\n}\n',
      'waf_override.tf': 'resource "cloudflare_ruleset" "managed_rules" {}\n',
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, 'waf', name), text);
    const { code, document } = await cli.json(hcl(MIGRATED), { cwd });
    expect([code, document.findings]).toEqual([0, []]);
    expect(document.files).toEqual(['waf/docs_example_com.tf', 'waf/providers.tf']);
  });
});

describe('generate, into a folder that cannot be written', () => {
  it.each([
    ['is a file', 'file'],
    ['lies under a file', 'file/a/b'],
    ['is a link that leads nowhere', 'link'],
    ['lies below /proc', '/proc/cf-waf-migrate'],
  ])('that %s: exit 1, the cause, and nothing is left', async (_, out) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'file'), 'mine');
    symlinkSync('nowhere', join(cwd, 'link'));
    const args = ['generate', '--zone', MIGRATED, '--format', 'hcl', '--out', out, '--json'];
    const ran = await cli.run(args, { cwd });
    const error = errorOf(ran);
    expect([ran.code, error.code]).toEqual([1, 'FILE_UNWRITABLE']);
    expect(error.causes[0]).toMatch(/^E[A-Z]+: /);
    expect(readdirSync(cwd).sort()).toEqual(['file', 'link']);
    expect(readFileSync(join(cwd, 'file'), 'utf8')).toBe('mine');
  });

  it('that is a link to another folder: writes there', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'real'));
    symlinkSync('real', join(cwd, 'link'));
    const { code } = await cli.run(['generate', '--zone', MIGRATED, '--out', 'link'], { cwd });
    expect([code, readdirSync(join(cwd, 'real'))]).toEqual([0, ['docs_example_com.ts']]);
  });
});
