import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cliWithEmulator, errorOf } from '../support/cli-lab';
import { withFlags } from '../support/run-cli';
import { MIGRATED, PRO } from '../support/zones';

describe('generate, into a folder', () => {
  const cli = cliWithEmulator();
  const LINE = ['generate', '--zone', MIGRATED, '--format', 'hcl', '--out', 'waf'];
  const OTHER = LINE.with(2, PRO);
  const generate = (...args: string[]): Promise<any> => cli.json(withFlags(LINE, args));
  const refusal = async (...args: string[]): Promise<any> => {
    const ran = await cli.run(withFlags(LINE, [...args, '--json']));
    expect(ran.code).toBe(1);
    return errorOf(ran);
  };
  const codesOf = ({ document }: any): string[] => document.findings.map(({ code }: any) => code);
  const requiring = (version = '~> 5.19', name = 'cloudflare'): string =>
    `terraform {\n  required_providers {\n    ${name} = {\n      source  = "cloudflare/cloudflare"\n      version = "${version}"\n    }\n  }\n}\n`;
  const ruleset = (zone: string, phase = '"http_request_firewall_managed"'): string =>
    `resource "cloudflare_ruleset" "mine" {\n  zone_id = ${zone}\n  phase   = ${phase}\n}\n`;

  it('overwrites a file that differs only with --force, and then writes nothing else either', async () => {
    const file = 'waf/docs_example_com.tf';
    cli.write({ [file]: '# mine\n' });
    expect((await refusal()).code).toBe('FILE_EXISTS');
    expect([cli.list('waf'), cli.read(file)]).toEqual([['docs_example_com.tf'], '# mine\n']);
    expect((await generate('--force')).code).toBe(0);
    expect(cli.read(file)).toContain('resource "cloudflare_ruleset"');
  });

  it.each(['hcl', 'tfjson', 'cdktf', 'construct'])(
    'keeps the address in a file that it replaces, unless --address is another (%s)',
    async (format) => {
      const write = async (...args: string[]): Promise<string> =>
        (await generate('--format', format, '--force', ...args)).document.resource.address;
      await write('--address', 'cloudflare_ruleset.docs', '--provider', '3');
      const files = cli.list('waf');
      expect(await write('--provider', '5')).toBe('cloudflare_ruleset.docs');
      expect(cli.list('waf')).toEqual(files);
      expect(await write('--address', 'cloudflare_ruleset.other')).toBe('cloudflare_ruleset.other');
    },
  );

  it('takes several zones at several addresses, with one file for the provider', async () => {
    await generate('--address', 'cloudflare_ruleset.docs');
    await cli.json([...OTHER, '--address', 'cloudflare_ruleset.blog']);
    expect(cli.list('waf')).toEqual([
      ...['blog_example_com.tf', 'docs_example_com.tf', 'providers.tf'],
    ]);
  });

  it('refuses an address that another file declares, and names one that works', async () => {
    await generate();
    const { code, message, hint } = errorOf(await cli.run([...OTHER, '--json']));
    expect([code, message]).toEqual([
      'ADDRESS_TAKEN',
      expect.stringContaining('docs_example_com.tf'),
    ]);
    expect(existsSync(join(cli.cwd(), 'waf/blog_example_com.tf'))).toBe(false);
    const flags = hint.replace('pass ', '').split(' ');
    expect((await cli.run([...OTHER, ...flags])).code).toBe(0);
  });

  it.each([
    ['main.tf', requiring()],
    ['providers.tf', 'terraform {\n  required_providers {\n    cloudflare = {\n    }\n  }\n}\n'],
    [
      'main.tf.json',
      '{"terraform":[{"required_providers":[{"cloudflare":{"version":"~> 5.19"}}]}]}',
    ],
    // Terraform names the missing requirement
    ['versions.tf', 'terraform {\n  required_providers {\n    aws = {}\n  }\n}\n'],
  ])('writes the ruleset alone where %s requires providers already', async (name, text) => {
    cli.write({ [`waf/${name}`]: text });
    const ran = await generate();
    expect([ran.code, codesOf(ran)]).toEqual([0, []]);
    expect(cli.list('waf')).toEqual(['docs_example_com.tf', name].sort());
    expect(cli.read(`waf/${name}`)).toBe(text);
  });

  it.each([[[]], [['--force']]])('never replaces a providers.tf of the user: %j', async (flags) => {
    const text =
      'terraform {\n  backend "s3" { bucket = "b" }\n}\nprovider "aws" {\n  region = "eu-west-1"\n}\n';
    cli.write({ 'waf/providers.tf': text });
    const ran = await generate(...flags);
    expect([ran.code, codesOf(ran)]).toEqual([0, []]);
    expect(cli.read('waf/providers.tf')).toBe(text);
    expect(cli.list('waf')).toEqual(['docs_example_com.tf', 'providers.tf']);
  });

  it('reads no block in comments, and no default configuration in an alias', async () => {
    cli.write({
      'waf/main.tf':
        '# required_providers { }\n/* provider "cloudflare" {} */\n// resource "cloudflare_ruleset" "managed_rules" {}\nprovider "cloudflare" {\n  alias = "eu"\n}\n',
    });
    const { code, document } = await generate();
    expect([code, document.findings]).toEqual([0, []]);
    expect(document.files).toEqual(['waf/docs_example_com.tf', 'waf/providers.tf']);
  });

  it('reads no comment in strings', async () => {
    const pageRule = (name: string, target: string): string =>
      `resource "cloudflare_page_rule" "${name}" {\n  target = "${target}"\n}\n`;
    cli.write({
      'waf/main.tf':
        pageRule('a', 'example.com/*') +
        ruleset('"0123456789abcdef0123456789abcdef"').replace('"mine"', '"managed_rules"') +
        pageRule('b', '*.example.com/*/admin'),
    });
    expect((await refusal()).code).toBe('ADDRESS_TAKEN');
    expect(cli.list('waf')).toEqual(['main.tf']);
  });

  it.each([
    ['is a file', 'file'],
    ['lies under a file', 'file/a/b'],
    ['is a link that leads nowhere', 'link'],
    ['lies below /proc', '/proc/cf-waf-migrate'],
  ])(
    'that cannot be written because it %s: exit 1, the cause, and nothing is left',
    async (_, out) => {
      cli.write({ file: 'mine' });
      symlinkSync('nowhere', join(cli.cwd(), 'link'));
      const ran = await cli.run([...LINE.with(6, out), '--json']);
      const error = errorOf(ran);
      expect(ran.code).toBe(1);
      expect(error.code).toBe('FILE_UNWRITABLE');
      expect(error.causes[0]).toMatch(/^E[A-Z]+: /);
      expect([cli.list(), cli.read('file')]).toEqual([['file', 'link'], 'mine']);
    },
  );

  it('that is a link to another folder: writes there', async () => {
    mkdirSync(join(cli.cwd(), 'real'));
    symlinkSync('real', join(cli.cwd(), 'link'));
    const { code } = await cli.run(`generate --zone ${MIGRATED} --out link`);
    expect([code, cli.list('real')]).toEqual([0, ['docs_example_com.ts']]);
  });

  describe('beside rulesets', () => {
    const json = {
      cloudflare_ruleset: { mine: { zone_id: MIGRATED, phase: 'http_request_firewall_managed' } },
    };

    it.each([
      ['an id', { 'mine.tf': ruleset(`"${PRO}"`) + ruleset(`"${MIGRATED}"`) }],
      ['an id in JSON', { 'mine.tf.json': JSON.stringify({ resource: json }) }],
      ['a local value', { 'mine.tf': `${ruleset('local.z')}locals {\n  z = "${MIGRATED}"\n}\n` }],
      [
        'the default of a variable in another file',
        { 'mine.tf': ruleset('var.z'), 'values.tf': `variable "z" { default = "${MIGRATED}" }\n` },
      ],
      [
        'a template',
        { 'mine.tf': ruleset('"${local.z}"'), 'values.tf': `locals {\n  z = "${MIGRATED}"\n}\n` },
      ],
    ])('refuses a second entry point of the zone that %s names', async (_, files) => {
      for (const [name, text] of Object.entries(files)) cli.write({ [`waf/${name}`]: text });
      const [file] = Object.keys(files);
      expect(await refusal('--force')).toMatchObject({
        code: 'ENTRY_POINT_DECLARED',
        message: expect.stringContaining(`cloudflare_ruleset.mine in ${file} declares`),
        hint: expect.stringContaining('--address cloudflare_ruleset.mine'),
      });
      expect(cli.list('waf')).toEqual(Object.keys(files));
    });

    it.each([
      ['a variable', ruleset('var.zone')],
      ['another default of a variable', `variable "z" { default = "${PRO}" }\n${ruleset('var.z')}`],
      ['a data source', ruleset('data.cloudflare_zone.z.id')],
      ['its own phase', ruleset(`"${MIGRATED}"`, 'var.phase')],
    ])('needs a decision where %s tells whether it is the entry point', async (_, text) => {
      cli.write({ 'waf/main.tf': requiring() + text });
      const ran = await generate();
      expect([ran.code, codesOf(ran)]).toEqual([2, ['ENTRY_POINT_ZONE_UNKNOWN']]);
      expect(ran.document.findings[0].subject).toBe('cloudflare_ruleset.mine in main.tf');
    });

    it.each([
      ['of another zone', ruleset(`"${PRO}"`)],
      ['of another zone by a local value', `locals {\n  z = "${PRO}"\n}\n${ruleset('local.z')}`],
      ['of another phase', ruleset(`"${MIGRATED}"`, '"http_ratelimit"')],
      ['of another phase and some zone', ruleset('var.zone', '"http_ratelimit"')],
      ['of an account', 'resource "cloudflare_ruleset" "mine" {\n  phase = var.phase\n}\n'],
    ])('needs no decision beside a ruleset %s', async (_, text) => {
      cli.write({ 'waf/main.tf': text });
      expect((await generate()).code).toBe(0);
    });

    it.each([
      ['broken.tf', 'resource "cloudflare_ruleset" {{\n'],
      ['broken.tf.json', '{'],
      ['broken.tofu', ''],
    ])('is refused beside a file that cannot be read: %s', async (name, text) => {
      cli.write({ [`waf/${name}`]: text });
      expect((await refusal('--force')).message).toContain(name);
      expect(cli.list('waf')).toEqual([name]);
    });

    it('finds a stack of the same zone in TypeScript that has another name', async () => {
      const out = ['generate', '--zone', MIGRATED, '--out', 'stacks', '--json'];
      await cli.run(out);
      cli.write({ [`stacks/${MIGRATED}.ts`]: cli.read('stacks/docs_example_com.ts') });
      const ran = await cli.run([...out, '--force']);
      expect(errorOf(ran)).toMatchObject({
        code: 'ENTRY_POINT_DECLARED',
        message: expect.stringContaining(`cloudflare_ruleset.managed_rules in ${MIGRATED}.ts`),
      });
      expect((await cli.run(`generate --zone ${PRO} --out stacks`)).code).toBe(0);
    });
  });

  describe('beside rulesets in TypeScript', () => {
    const construct = (zone: string, phase = '"http_request_firewall_managed"'): string =>
      `new Ruleset(this, "waf", { zoneId: ${zone}, phase: ${phase} });\n`;
    const beside = (text: string): Promise<any> => {
      cli.write({ 'stacks/other.ts': text });
      return cli.run(`generate --zone ${MIGRATED} --out stacks --json`);
    };
    it.each([
      ['a property of its own', construct(`"${MIGRATED}"`)],
      ['single quotes', construct(`'${MIGRATED}'`)],
    ])('finds the entry point of the zone that %s names', async (_, text) => {
      const ran = await beside(text);
      expect([ran.code, errorOf(ran).code]).toEqual([1, 'ENTRY_POINT_DECLARED']);
    });

    it.each([
      [
        'of an account',
        'new Ruleset(this, "waf", { accountId: account, phase: "http_request_firewall_managed" });\n',
      ],
      ['of another phase', construct(`"${MIGRATED}"`, '"http_ratelimit"')],
      ['of another zone', construct(`"${PRO}"`)],
    ])('needs no decision beside a ruleset %s', async (_, text) => {
      expect((await beside(text)).code).toBe(0);
    });

    it.each([
      ['an expression', construct('zone.id')],
      [
        'the value of a variable',
        'new Ruleset(stack, "waf", {\n  phase: "http_request_firewall_managed",\n  zoneId,\n});\n',
      ],
    ])('needs a decision beside a ruleset whose zone is %s', async (_, text) => {
      const { code, stdout } = await beside(text);
      const subject = 'cloudflare_ruleset.waf in other.ts';
      const expected = [{ code: 'ENTRY_POINT_ZONE_UNKNOWN', severity: 'decision', subject }];
      expect([code, JSON.parse(stdout).findings]).toMatchObject([2, expected]);
    });
  });

  it('refuses a second declaration in another folder of the same CDKTF project', async () => {
    cli.write({ 'app/cdktf.json': '{"language":"typescript"}' });
    const line = ['generate', '--zone', MIGRATED, '--json', '--out'];
    expect((await cli.run([...line, 'app/src'])).code).toBe(0);
    for (const format of ['cdktf', 'construct']) {
      const ran = await cli.run([...line, 'app/stacks', '--format', format]);
      expect(errorOf(ran)).toMatchObject({
        code: 'ENTRY_POINT_DECLARED',
        message: expect.stringContaining('/app/src/docs_example_com.ts declares'),
        hint: expect.stringMatching(
          format === 'cdktf' ? /pass --force$/ : /delete it first if its stack/,
        ),
      });
    }
    // `plan` prints --force, and does not know where the file is
    cli.write({ 'app/src/docs_example_com.ts': cli.read('app/src/docs_example_com.ts') + '\n' });
    const again = await cli.run([...line, 'app/stacks', '--format', 'cdktf', '--force']);
    expect(JSON.parse(again.stdout).files).toEqual(['app/src/docs_example_com.ts']);
    expect(cli.read('app/src/docs_example_com.ts')).not.toMatch(/\n\n$/);
    expect(cli.list('app')).toEqual(['cdktf.json', 'src']);
  });

  describe('for the provider version of a folder', () => {
    it.each([
      ['--provider', '~> 3.35', ['--provider', '5']],
      ['all', '~> 2.0', []],
    ])('needs a decision where a constraint excludes %s', async (_, constraint, flags) => {
      cli.write({ 'waf/main.tf': requiring(constraint) });
      const ran = await generate(...flags);
      expect([ran.code, codesOf(ran).at(-1)]).toEqual([2, 'PROVIDER_EXCLUDED']);
      const { message, remedy } = ran.document.findings.at(-1);
      expect(message).toContain(
        `requires provider ${constraint}, and the stack was generated for provider 5`,
      );
      expect(remedy).toContain('or change the version with `plan --to`');
      expect(remedy).toContain('pass --provider');
    });
  });

  describe('for the provider configuration of a folder', () => {
    const aliased = (alias: string, name = 'cloudflare'): string =>
      `provider "${name}" {\n  alias = "${alias}"\n}\n`;
    const argument = /^ {2}provider = (\S+)$/m;

    it.each([
      ['the only one, which has an alias', requiring() + aliased('prod'), 'cloudflare.prod'],
      ['the default one', `${requiring() + aliased('a')}provider "cloudflare" {}\n`, undefined],
      ['the one of another local name', requiring('~> 5.19', 'cf'), 'cf'],
      ['an alias of another local name', requiring('~> 5.19', 'cf') + aliased('eu', 'cf'), 'cf.eu'],
    ])('refers to %s', async (_, text, reference) => {
      cli.write({ 'waf/main.tf': text });
      const ran = await generate();
      expect([ran.code, codesOf(ran)]).toEqual([0, []]);
      expect(argument.exec(cli.read('waf/docs_example_com.tf'))?.[1]).toBe(reference);
    });

    it('refers to it in Terraform JSON too', async () => {
      cli.write({ 'waf/main.tf': requiring() + aliased('prod') });
      await cli.json(LINE.with(4, 'tfjson'));
      const { resource } = JSON.parse(cli.read('waf/docs_example_com.tf.json'));
      expect(resource.cloudflare_ruleset.managed_rules.provider).toBe('cloudflare.prod');
    });

    it('needs a decision where several have an alias and none is the default', async () => {
      cli.write({ 'waf/main.tf': requiring() + aliased('a') + aliased('b') });
      const ran = await generate();
      expect([ran.code, codesOf(ran)]).toEqual([2, ['PROVIDER_NOT_CHOSEN']]);
      expect(ran.document.findings[0].remedy).toContain('provider = cloudflare.a');
      expect(cli.read('waf/docs_example_com.tf')).not.toMatch(argument);
    });

    describe('for a construct', () => {
      const generateConstruct = async (stacks: Record<string, (string | undefined)[]>) => {
        const files = Object.entries(stacks).map(([name, aliases]) => {
          const provider = { cloudflare: aliases.map((alias) => (alias ? { alias } : {})) };
          return [`cdktf.out/stacks/${name}/cdk.tf.json`, JSON.stringify({ provider })];
        });
        cli.write({ 'cdktf.json': '{"language":"typescript"}', ...Object.fromEntries(files) });
        const line = `generate --zone ${MIGRATED} --provider 5 --format construct --force`;
        const ran = await cli.run([...line.split(' '), '--out', 'constructs']);
        const named = /addOverride\("provider", "(.*)"\)/;
        const [, provider] = named.exec(cli.read('constructs/docs_example_com.ruleset.ts')) ?? [];
        return { ...ran, provider };
      };

      it.each<[string, Record<string, (string | undefined)[]>, number, string | undefined]>([
        ['the only alias of all stacks', { a: ['prod'], b: ['prod'] }, 0, 'cloudflare.prod'],
        ['no default configuration', { a: [undefined, 'prod'] }, 0, undefined],
        ['no alias of one stack only', { a: [undefined], b: ['prod'] }, 0, undefined],
        ['none of several aliases', { a: ['prod', 'test'] }, 2, undefined],
        ['none of different aliases', { a: ['prod'], b: ['test'] }, 2, undefined],
      ])('refers to %s', async (_, stacks, code, provider) => {
        const ran = await generateConstruct(stacks);
        expect([ran.code, ran.provider]).toEqual([code, provider]);
        expect(ran.stdout.includes('PROVIDER_NOT_CHOSEN')).toBe(code === 2);
      });

      it('keeps the configuration that a replaced construct names', async () => {
        const stacks = { a: ['prod', 'test'] };
        await generateConstruct(stacks);
        const file = 'constructs/docs_example_com.ruleset.ts';
        const line = '    ruleset.addOverride("provider", "cloudflare.test");\n';
        cli.write({ [file]: cli.read(file).replace(/(?<=overrideLogicalId.*\n)/, line) });
        const { code, provider } = await generateConstruct(stacks);
        expect([code, provider]).toEqual([0, 'cloudflare.test']);
      });
    });

    it('replaces a ruleset for an upgrade, and keeps the configuration that it names', async () => {
      cli.write({ 'waf/main.tf': requiring('~> 3.35') + aliased('a') + aliased('b') });
      for (const [format, line] of [
        ['hcl', '  provider = cloudflare.b\n'],
        ['hcl', '  provider = cloudflare.b # the other account\n'],
        ['tfjson', '        "provider": "cloudflare.b",\n'],
      ] as const) {
        const made = await cli.json([...LINE.with(4, format), '--provider', '3']);
        const [file] = made.document.files;
        const [head, ...more] = cli.read(file).split(/(?<=zone_id.*\n)/);
        cli.write({ [file]: [head, line, ...more].join('') });
        const ran = await cli.json([...LINE.with(4, format), '--provider', '5', '--force']);
        expect([ran.code, ran.document.files]).toEqual([0, [file]]);
        expect(ran.document.findings).toMatchObject([
          { code: 'PROVIDER_EXCLUDED', severity: 'info' },
        ]);
        expect(cli.read(file)).toContain('cloudflare.b');
        rmSync(join(cli.cwd(), file));
      }
    });

    it.each([
      ['an alias', aliased('eu')],
      ['a default configuration', 'provider "cloudflare" {\n}\n'],
    ])('requires the provider and adds no configuration beside %s', async (_, text) => {
      cli.write({ 'waf/main.tf': text });
      for (const written of [['docs_example_com.tf', 'providers.tf'], ['docs_example_com.tf']]) {
        const { code, document } = await generate();
        expect([code, document.findings]).toEqual([0, []]);
        expect(document.files).toEqual(written.map((name) => `waf/${name}`));
        expect(cli.read('waf/providers.tf')).not.toContain('provider "cloudflare"');
      }
    });
  });
});
