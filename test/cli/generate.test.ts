import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import {
  cliWithEmulator,
  ENTERPRISE,
  errorOf,
  MIGRATED,
  NOT_ELIGIBLE,
} from './support/cli-with-emulator';

const cli = cliWithEmulator();

/** A file with what a path of the service answers. */
async function saved(cwd: string, path: string, change = (text: string) => text): Promise<string> {
  const { baseUrl, credentials } = cli.emulator();
  const response = await fetch(baseUrl + path, {
    headers: { authorization: `Bearer ${credentials.token}` },
  });
  writeFileSync(join(cwd, 'answer.json'), change(await response.text()));
  return 'answer.json';
}
const configPath = (zone: string): string => `/zones/${zone}/waf_migration/config?phase_two=1`;
const livePath = (zone: string): string =>
  `/zones/${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`;
const bare = (text: string): string => JSON.stringify(JSON.parse(text).result);

describe('generate, from the service', () => {
  it('of a zone that has not moved takes the config, as a CDKTF stack', async () => {
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await cli.run(['generate', '--zone', ENTERPRISE], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('from the migration config (provisional');
    expect(stdout).toContain('  stacks/shop_example_com.ts\n');
    expect(readFileSync(join(cwd, 'stacks/shop_example_com.ts'), 'utf8')).toContain('PROVISIONAL');
  });

  it('of a zone that has moved takes the live entry point, and says how to import it', async () => {
    const cwd = temporaryFolder();
    const ran = await cli.json(
      ['generate', '--zone', MIGRATED, '--format', 'hcl', '--out', 'waf'],
      { cwd },
    );
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.document).toMatchObject({
      files: ['waf/docs_example_com.tf', 'waf/providers.tf'],
      resource: {
        type: 'cloudflare_ruleset',
        address: 'cloudflare_ruleset.managed_rules',
        importId: `zones/${MIGRATED}/d0000000000000000000000000000401`,
      },
      provider: 5,
      source: 'live',
      findings: [],
    });
    for (const file of ran.document.files) expect(existsSync(join(cwd, file))).toBe(true);
  });

  it('as a construct says which lines put it into a stack, beside a stack that is there', async () => {
    const cwd = temporaryFolder();
    const args = ['generate', '--zone', MIGRATED, '--address', 'cloudflare_ruleset.waf'];
    expect((await cli.run(args, { cwd })).code).toBe(0);
    const ran = await cli.run([...args, '--format', 'construct', '--out', 'constructs'], { cwd });
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toContain('  constructs/docs_example_com.ruleset.ts\n');
    expect(ran.stdout).toContain('new DocsExampleComWafRuleset(stack, "docs_example_com");');
    const folder = join(cwd, 'constructs');
    expect(readdirSync(folder)).toEqual(['docs_example_com.ruleset.ts']);
  });

  it.each([
    ['cdktn', 'cdktn'],
    ['cdktf', 'cdktf'],
    ['something', 'cdktf'],
  ])('in a project that asks for %s is of %s, unless told', async (core, flavor) => {
    const cwd = temporaryFolder();
    const dependencies = { [core]: '^0.24.0' };
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ dependencies }));
    const args = ['generate', '--zone', MIGRATED, '--format', 'construct', '--force'];
    const imports = async (...more: string[]) => {
      await cli.run([...args, '--out', 'infra/constructs', ...more], { cwd });
      const text = readFileSync(join(cwd, 'infra/constructs/docs_example_com.ruleset.ts'), 'utf8');
      return /from ['"]@cdktf\/provider-cloudflare/.test(text)
        ? 'cdktf'
        : /\.gen\/providers/.test(text) && 'cdktn';
    };
    expect(await imports()).toBe(flavor);
    expect(await imports('--flavor', 'cdktf')).toBe('cdktf');
  });

  it.each([
    ['config', ENTERPRISE, 0],
    ['live', MIGRATED, 0],
    ['live', ENTERPRISE, 1],
    ['config', MIGRATED, 1],
    ['auto', NOT_ELIGIBLE, 1],
  ])('--source %s of zone %s exits with %i', async (source, zone, expected) => {
    const cwd = temporaryFolder();
    const ran = await cli.run(['generate', '--zone', zone, '--source', source], { cwd });
    expect(ran.code).toBe(expected);
    expect(readdirSync(cwd)).toEqual(expected === 0 ? ['stacks'] : []);
    if (expected === 1) expect(ran.stderr).toMatch(/^error: .*\n {2}(cause|hint): /);
  });
});

describe('generate, offline from a saved answer', () => {
  it.each([
    ['config', 'as it came', ENTERPRISE, configPath(ENTERPRISE), (text: string) => text],
    ['config', 'without its envelope', ENTERPRISE, configPath(ENTERPRISE), bare],
    ['live', 'as it came', MIGRATED, livePath(MIGRATED), (text: string) => text],
    ['live', 'without its envelope', MIGRATED, livePath(MIGRATED), bare],
    [
      'live',
      'with a byte order mark',
      MIGRATED,
      livePath(MIGRATED),
      (text: string) => `\ufeff${text}`,
    ],
  ])('of %s, %s, needs neither service nor credentials', async (source, _, zone, path, change) => {
    const cwd = temporaryFolder();
    const config = await saved(cwd, path, change);
    const args = ['generate', '--zone', zone, '--config', config, '--format', 'tfjson', '--json'];
    const environment = { CLOUDFLARE_BASE_URL: 'http://127.0.0.1:1/' };
    const ran = await runCli(args, { cwd, environment });
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      source,
      files: [`${zone}.tf.json`, 'providers.tf.json'],
    });
  });

  it('declares what the service would have given', async () => {
    const cwd = temporaryFolder();
    const config = await saved(cwd, livePath(MIGRATED));
    const common = ['generate', '--zone', MIGRATED, '--format', 'hcl'];
    await cli.run([...common, '--config', config, '--out', 'offline'], { cwd });
    await cli.run([...common, '--out', 'online'], { cwd });
    const withoutHead = (file: string): string =>
      readFileSync(join(cwd, file), 'utf8').replace(/^#.*\n/gm, '');
    expect(withoutHead(`offline/${MIGRATED}.tf`)).toBe(withoutHead('online/docs_example_com.tf'));
  });

  it('refuses a file that is the other answer than --source says', async () => {
    const cwd = temporaryFolder();
    const config = await saved(cwd, configPath(ENTERPRISE));
    const args = [
      'generate',
      '--zone',
      ENTERPRISE,
      '--config',
      config,
      '--source',
      'live',
      '--json',
    ];
    const error = errorOf(await runCli(args, { cwd }));
    expect(error.code).toBe('RULESET_INVALID');
    expect(error.message).toContain('answer.json is a saved answer of the migration config');
  });

  it.each([
    ['there is no such file', undefined, 'FILE_UNREADABLE'],
    ['it is empty', '', 'FILE_UNREADABLE'],
    ['it is cut off', '{"result":{"rules":[', 'FILE_UNREADABLE'],
    ['it is HTML', '<html>', 'FILE_UNREADABLE'],
    ['it is another document', '{"a":1}', 'RULESET_INVALID'],
    ['it is a list', '[]', 'RULESET_INVALID'],
    ['it is a refusal', '{"success":false,"errors":[],"result":null}', 'RULESET_INVALID'],
    ['it has no rules', '{"name":"default","rules":[]}', 'RULESET_EMPTY'],
  ])('fails when %s, and writes nothing', async (_, text, expected) => {
    const cwd = temporaryFolder();
    if (text !== undefined) writeFileSync(join(cwd, 'answer.json'), text);
    const args = [
      'generate',
      '--zone',
      MIGRATED,
      '--config',
      'answer.json',
      '--out',
      'out',
      '--json',
    ];
    const ran = await runCli(args, { cwd });
    expect([ran.code, errorOf(ran).code]).toEqual([1, expected]);
    expect(errorOf(ran).hint).not.toBe('');
    expect(existsSync(join(cwd, 'out'))).toBe(false);
  });
});
