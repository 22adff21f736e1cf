import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, writeInto } from '../support/temporary-folder';
import { cliWithEmulator, errorOf } from '../support/cli-lab';
import { MIGRATED, PRO } from '../support/zones';

describe('generate folder', () => {
  const cli = cliWithEmulator();
  const codesOf = (document: any): string[] => document.findings.map(({ code }: any) => code);

  describe('generate, into a folder', () => {
    const hcl = (zone: string, ...more: string[]): string[] => [
      ...['generate', '--zone', zone, '--format', 'hcl', '--out', 'waf', ...more],
    ];

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
      expect((await cli.run(hcl(PRO, '--address', 'cloudflare_ruleset.blog'), { cwd })).code).toBe(
        0,
      );
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
      const cwd = temporaryFolder({ 'waf/mine.tf': text });
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
      const cwd = temporaryFolder({ 'waf/main.tf': text });
      const { code, document } = await cli.json(hcl(MIGRATED), { cwd });
      expect([code, codesOf(document)]).toEqual([2, ['PROVIDER_NOT_REQUIRED']]);
      expect(document.findings[0].remedy).toContain('source = "cloudflare/cloudflare"');
    });

    it('is not led astray by comments and aliases', async () => {
      const cwd = temporaryFolder();
      mkdirSync(join(cwd, 'waf'));
      const files = {
        'main.tf':
          '# required_providers { }\n/* provider "cloudflare" {} */\n// resource "cloudflare_ruleset" "managed_rules" {}\nprovider "cloudflare" {\n  alias = "eu"\n}\n',
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
      const cwd = temporaryFolder({ file: 'mine' });
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
      const { code } = await cli.run(`generate --zone ${MIGRATED} --out link`, { cwd });
      expect([code, readdirSync(join(cwd, 'real'))]).toEqual([0, ['docs_example_com.ts']]);
    });
  });
});

describe('generate beside', () => {
  const cli = cliWithEmulator();
  let cwd: string;

  beforeEach(() => {
    cwd = temporaryFolder();
  });

  const put = (files: Record<string, string>): void => {
    writeInto(cwd, files);
  };
  const read = (path: string): string => readFileSync(join(cwd, path), 'utf8');
  const generate = (...args: string[]): Promise<any> =>
    cli.json(['generate', '--zone', MIGRATED, '--format', 'hcl', '--out', 'waf', ...args], { cwd });
  const codesOf = ({ document }: any): string[] => document.findings.map(({ code }: any) => code);
  const requiring = (version = '~> 5.19', name = 'cloudflare'): string =>
    `terraform {\n  required_providers {\n    ${name} = {\n      source  = "cloudflare/cloudflare"\n      version = "${version}"\n    }\n  }\n}\n`;
  const ruleset = (zone: string, phase = '"http_request_firewall_managed"'): string =>
    `resource "cloudflare_ruleset" "mine" {\n  zone_id = ${zone}\n  phase   = ${phase}\n}\n`;

  describe('generate, beside a providers file of somebody else', () => {
    const theirs =
      'terraform {\n  backend "s3" { bucket = "b" }\n}\nprovider "aws" {\n  region = "eu-west-1"\n}\n';

    it.each([[[]], [['--force']]])('never writes over it, with %j', async (flags) => {
      put({ 'waf/providers.tf': theirs });
      const ran = await generate(...flags);
      expect([ran.code, codesOf(ran)]).toEqual([2, ['PROVIDER_NOT_REQUIRED']]);
      expect(ran.document.findings[0].subject).toBe('providers.tf');
      expect(read('waf/providers.tf')).toBe(theirs);
      expect(readdirSync(join(cwd, 'waf')).sort()).toEqual(['docs_example_com.tf', 'providers.tf']);
    });

    it('does not take another entry of the name for the requirement', async () => {
      put({
        'waf/main.tf':
          'terraform {\n  required_providers {\n    aws = {\n      source = "hashicorp/aws"\n    }\n  }\n}\nlocals { owners = { cloudflare = "team-edge" } }\n',
      });
      const ran = await generate();
      expect([ran.code, codesOf(ran)]).toEqual([2, ['PROVIDER_NOT_REQUIRED']]);
    });
  });

  describe('generate, beside rulesets', () => {
    it('is not led astray by marks of a comment that stand in strings', async () => {
      const pageRule = (name: string, target: string): string =>
        `resource "cloudflare_page_rule" "${name}" {\n  target = "${target}"\n}\n`;
      put({
        'waf/main.tf':
          pageRule('a', 'example.com/*') +
          ruleset('"0123456789abcdef0123456789abcdef"').replace('"mine"', '"managed_rules"') +
          pageRule('b', '*.example.com/*/admin'),
      });
      const ran = await cli.run(`generate --zone ${MIGRATED} --format hcl --out waf --json`, {
        cwd,
      });
      expect([ran.code, errorOf(ran).code]).toEqual([1, 'ADDRESS_TAKEN']);
      expect(readdirSync(join(cwd, 'waf'))).toEqual(['main.tf']);
    });

    it.each([
      ['a local value', ruleset('local.zone'), `locals {\n  zone = "${MIGRATED}"\n}\n`],
      ['the default of a variable', ruleset('var.z'), `variable "z" { default = "${MIGRATED}" }\n`],
      ['a template', ruleset('"${local.z}"'), `locals {\n  z = "${MIGRATED}"\n}\n`],
    ])('finds the entry point of the zone that %s names', async (_, text, values) => {
      put({ 'waf/main.tf': text, 'waf/values.tf': values });
      const ran = await cli.run(`generate --zone ${MIGRATED} --format hcl --out waf --json`, {
        cwd,
      });
      expect([ran.code, errorOf(ran).code]).toEqual([1, 'ENTRY_POINT_DECLARED']);
    });

    it.each([
      ['a variable', ruleset('var.zone')],
      [
        'a variable that has another zone by default',
        `variable "z" { default = "${PRO}" }\n${ruleset('var.z')}`,
      ],
      ['a data source', ruleset('data.cloudflare_zone.z.id')],
      ['its own phase', ruleset(`"${MIGRATED}"`, 'var.phase')],
    ])('needs a decision where %s tells whether it is the entry point', async (_, text) => {
      put({ 'waf/main.tf': requiring() + text });
      const ran = await generate();
      expect([ran.code, codesOf(ran)]).toEqual([
        2,
        ['ENTRY_POINT_ZONE_UNKNOWN', 'PROVIDERS_DECLARED_ELSEWHERE'],
      ]);
      expect(ran.document.findings[0].subject).toBe('cloudflare_ruleset.mine in main.tf');
    });

    it.each([
      ['of another zone by a local value', `locals {\n  z = "${PRO}"\n}\n${ruleset('local.z')}`],
      ['of an account', 'resource "cloudflare_ruleset" "mine" {\n  phase = var.phase\n}\n'],
      ['of another phase and some zone', ruleset('var.zone', '"http_ratelimit"')],
    ])('has nothing to ask beside a ruleset %s', async (_, text) => {
      put({ 'waf/main.tf': requiring() + text });
      expect((await generate()).code).toBe(0);
    });

    it.each([
      ['broken.tf', 'resource "cloudflare_ruleset" {{\n'],
      ['broken.tf.json', '{'],
    ])('asks a person to look at a file that cannot be read: %s', async (name, text) => {
      put({ [`waf/${name}`]: text });
      const ran = await generate();
      expect([ran.code, codesOf(ran)]).toEqual([2, ['FOLDER_FILE_UNREAD']]);
      expect(ran.document.findings[0].subject).toBe(name);
    });

    it('finds a stack of the same zone in TypeScript that has another name', async () => {
      const out = ['generate', '--zone', MIGRATED, '--out', 'stacks', '--json'];
      await cli.run(out, { cwd });
      put({ [`stacks/${MIGRATED}.ts`]: read('stacks/docs_example_com.ts') });
      const ran = await cli.run([...out, '--force'], { cwd });
      expect(errorOf(ran)).toMatchObject({
        code: 'ENTRY_POINT_DECLARED',
        message: expect.stringContaining(`cloudflare_ruleset.managed_rules in ${MIGRATED}.ts`),
      });
      expect((await cli.run(`generate --zone ${PRO} --out stacks`, { cwd })).code).toBe(0);
    });
  });

  describe('generate, beside rulesets in TypeScript', () => {
    const construct = (zone: string, phase = '"http_request_firewall_managed"'): string =>
      `new Ruleset(this, "waf", { zoneId: ${zone}, phase: ${phase} });\n`;
    const beside = (text: string): Promise<any> => {
      put({ 'stacks/other.ts': text });
      return cli.run(`generate --zone ${MIGRATED} --out stacks --json`, { cwd });
    };
    it.each([
      ['a property of its own', construct(`"${MIGRATED}"`)],
      ['single quotes', construct(`'${MIGRATED}'`)],
    ])('finds the entry point of the zone that %s names', async (_, text) => {
      const ran = await beside(text);
      expect([ran.code, errorOf(ran).code]).toEqual([1, 'ENTRY_POINT_DECLARED']);
    });

    it.each([
      ['whose zone is an expression', construct('props.zoneId')],
      ['of another phase', construct(`"${MIGRATED}"`, '"http_ratelimit"')],
      ['of another zone', construct(`"${PRO}"`)],
    ])('has nothing to ask beside a ruleset %s', async (_, text) => {
      expect((await beside(text)).code).toBe(0);
    });
  });

  describe('generate, for the provider version of a folder', () => {
    it.each([
      [
        'a constraint that excludes --provider',
        { 'waf/main.tf': requiring('~> 3.35') },
        ['5'],
        '~> 3.35',
        'pass --provider',
      ],
      [
        'a constraint that excludes all',
        { 'waf/main.tf': requiring('~> 2.0') },
        [],
        '~> 2.0',
        'pass --provider',
      ],
    ])('needs a decision where there is %s', async (_, files, provider, excluding, remedy) => {
      put(files);
      const ran = await generate(...provider.flatMap((major) => ['--provider', major]));
      expect([ran.code, codesOf(ran).at(-1)]).toEqual([2, 'PROVIDER_EXCLUDED']);
      const { message, remedy: told } = ran.document.findings.at(-1);
      expect(message).toContain(`requires provider ${excluding},`);
      expect(told).toContain(remedy);
    });

    it('names the lock file where it alone has the version before', async () => {
      const block =
        'provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "4.52.8"\n}\n';
      put({ 'waf/main.tf': requiring('~> 5.19'), 'waf/.terraform.lock.hcl': block });
      const ran = await generate('--provider', '5');
      expect([ran.code, ran.document.findings.at(-1)]).toMatchObject([
        2,
        {
          code: 'PROVIDER_EXCLUDED',
          subject: '.terraform.lock.hcl',
          message: expect.stringContaining('the lock file selects provider 4.52.8'),
          remedy: 'run terraform init -upgrade in that folder',
        },
      ]);
    });
  });

  describe('generate, for the provider configuration of a folder', () => {
    const aliased = (alias: string, name = 'cloudflare'): string =>
      `provider "${name}" {\n  alias = "${alias}"\n}\n`;
    const argument = /^ {2}provider = (\S+)$/m;

    it.each([
      ['the only one, which has an alias', requiring() + aliased('prod'), 'cloudflare.prod'],
      [
        'the default one beside others',
        `${requiring() + aliased('a')}provider "cloudflare" {}\n`,
        undefined,
      ],
      ['the one of another local name', requiring('~> 5.19', 'cf'), 'cf'],
      ['an alias of another local name', requiring('~> 5.19', 'cf') + aliased('eu', 'cf'), 'cf.eu'],
    ])('refers to %s', async (_, text, reference) => {
      put({ 'waf/main.tf': text });
      const ran = await generate();
      expect([ran.code, codesOf(ran)]).toEqual([0, ['PROVIDERS_DECLARED_ELSEWHERE']]);
      expect(argument.exec(read('waf/docs_example_com.tf'))?.[1]).toBe(reference);
    });

    it('refers to it in Terraform JSON too', async () => {
      put({ 'waf/main.tf': requiring() + aliased('prod') });
      await generate('--format', 'tfjson');
      const { resource } = JSON.parse(read('waf/docs_example_com.tf.json'));
      expect(resource.cloudflare_ruleset.managed_rules.provider).toBe('cloudflare.prod');
    });

    it('asks a person which one, where several have an alias and none is the default', async () => {
      put({ 'waf/main.tf': requiring() + aliased('a') + aliased('b') });
      const ran = await generate();
      expect([ran.code, codesOf(ran)]).toEqual([
        2,
        ['PROVIDER_NOT_CHOSEN', 'PROVIDERS_DECLARED_ELSEWHERE'],
      ]);
      expect(ran.document.findings[0].remedy).toContain('provider = cloudflare.a');
      expect(read('waf/docs_example_com.tf')).not.toMatch(argument);
    });

    it('requires the provider and adds no default configuration beside an alias, time and again', async () => {
      put({ 'waf/main.tf': aliased('eu') });
      const again = async (): Promise<void> => {
        const { code, document } = await generate();
        expect([code, document.findings]).toEqual([0, []]);
        expect(document.files).toEqual(['waf/docs_example_com.tf', 'waf/providers.tf']);
        expect(read('waf/providers.tf')).not.toContain('provider "cloudflare"');
      };
      await again();
      await again();
    });
  });
});
