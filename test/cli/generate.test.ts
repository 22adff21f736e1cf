import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../../src/emulator/emulator';
import { live } from '../generate/support/live-answer';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator, errorOf } from '../support/cli-lab';
import { ENTERPRISE, MIGRATED, NOT_ELIGIBLE } from '../support/zones';
import { fleetScenario, zoneId } from './support/fleet-scenario';

describe('generate', () => {
  const cli = cliWithEmulator();

  /** A file with what a path of the service answers. */
  async function saved(path: string, change = (text: string) => text): Promise<string> {
    const { baseUrl, credentials } = cli.emulator();
    const response = await fetch(baseUrl + path, {
      headers: { authorization: `Bearer ${credentials.token}` },
    });
    cli.write({ 'answer.json': change(await response.text()) });
    return 'answer.json';
  }
  const configPath = (zone: string): string => `/zones/${zone}/waf_migration/config?phase_two=1`;
  const livePath = (zone: string): string =>
    `/zones/${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`;
  const whole = (text: string): string => text;
  const marked = (text: string): string => `\ufeff${text}`;
  const bare = (text: string): string => JSON.stringify(JSON.parse(text).result);

  describe('generate, from the service', () => {
    it('of a zone that has not moved takes the config, as a CDKTF stack', async () => {
      const { code, stdout, stderr } = await cli.run(`generate --zone ${ENTERPRISE}`);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('from the migration configuration (provisional');
      expect(stdout).toContain('  stacks/shop_example_com.ts\n');
      const file = 'stacks/shop_example_com.ts';
      expect(stdout).toContain(`\n  cf-waf-migrate finish --zone ${ENTERPRISE} --stack ${file}\n`);
      expect(cli.read(file)).toContain('PROVISIONAL');
    });

    it('of a zone that has moved takes the live entry point, and says how to import it', async () => {
      const ran = await cli.json(`generate --zone ${MIGRATED} --format hcl --out waf`);
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
      for (const file of ran.document.files) expect(existsSync(join(cli.cwd(), file))).toBe(true);
    });

    it('as a construct says which lines put it into a stack, beside a stack that is there', async () => {
      const args = ['generate', '--zone', MIGRATED, '--address', 'cloudflare_ruleset.waf'];
      expect((await cli.run(args)).code).toBe(0);
      const ran = await cli.run([...args, '--format', 'construct', '--out', 'constructs']);
      expect([ran.code, ran.stderr]).toEqual([0, '']);
      expect(ran.stdout).toContain('  constructs/docs_example_com.ruleset.ts\n');
      expect(ran.stdout).toContain('new DocsExampleComWafRuleset(stack, "docs_example_com");');
      expect(cli.list('constructs')).toEqual(['docs_example_com.ruleset.ts']);
    });

    it('as constructs of two zones has two addresses, which one stack can have', async () => {
      const constructs = ['--format', 'construct', '--out', 'constructs'];
      const { document } = await cli.json(['generate', '--zone', MIGRATED, ...constructs]);
      expect(document.resource.address).toBe('cloudflare_ruleset.managed_rules_docs_example_com');
      expect(document.byHand.at(-1)).toContain('cloudflare.version", "5.22.0");');
      cli.write({ zones: `${MIGRATED}\n${ENTERPRISE}` });
      const many = ['generate', '--zones', 'zones', ...constructs];
      const ran = await cli.json(many);
      const addresses = ran.document.zones.map(({ result }: any) => result.resource.address);
      expect(new Set(addresses).size).toBe(2);
      const again = await cli.run([...many, '--force']);
      expect(again.stdout).toMatch(
        /^Add by hand, and deploy nothing before .*:\n {2}in the file that creates the stack: import/m,
      );
      const shared = await cli.run([...many, '--address', 'cloudflare_ruleset.x', '--json']);
      expect([shared.code, errorOf(shared).code]).toEqual([64, 'USAGE']);
    });

    it.each([
      ['cdktn', 'cdktn'],
      ['cdktf', 'cdktf'],
      ['something', 'cdktf'],
    ])('in a project that asks for %s is of %s', async (core, flavor) => {
      const dependencies = { [core]: '^0.24.0' };
      cli.write({ 'package.json': JSON.stringify({ dependencies }) });
      const args = ['generate', '--zone', MIGRATED, '--format', 'construct', '--force'];
      const imports = async () => {
        await cli.run([...args, '--out', 'infra/constructs']);
        const text = cli.read('infra/constructs/docs_example_com.ruleset.ts');
        return /from ['"]@cdktf\/provider-cloudflare/.test(text)
          ? 'cdktf'
          : /\.gen\/providers/.test(text) && 'cdktn';
      };
      expect(await imports()).toBe(flavor);
    });

    it.each([
      ['config', ENTERPRISE, 0],
      ['live', MIGRATED, 0],
      ['live', ENTERPRISE, 1],
      ['config', MIGRATED, 1],
      ['auto', NOT_ELIGIBLE, 1],
    ])('--source %s of zone %s exits with %i', async (source, zone, expected) => {
      const ran = await cli.run(`generate --zone ${zone} --source ${source}`);
      expect(ran.code).toBe(expected);
      expect(cli.list()).toEqual(expected === 0 ? ['stacks'] : []);
      if (expected === 1) expect(ran.stderr).toMatch(/^error: .*\n {2}(cause|hint): /);
    });
  });

  describe('generate, offline from a saved answer', () => {
    it.each([
      ['config', 'as it came', ENTERPRISE, configPath(ENTERPRISE), whole],
      ['config', 'without its envelope', ENTERPRISE, configPath(ENTERPRISE), bare],
      ['live', 'as it came', MIGRATED, livePath(MIGRATED), whole],
      ['live', 'without its envelope', MIGRATED, livePath(MIGRATED), bare],
      ['live', 'with a byte order mark', MIGRATED, livePath(MIGRATED), marked],
    ])(
      'of %s, %s, needs neither service nor credentials',
      async (source, _, zone, path, change) => {
        const config = await saved(path, change);
        const args = `generate --zone ${zone} --config ${config} --format tfjson --json`;
        const ran = await cli.offline(args);
        expect([ran.code, ran.stderr]).toEqual([0, '']);
        expect(JSON.parse(ran.stdout)).toMatchObject({
          source,
          files: [`${zone}.tf.json`, 'providers.tf.json'],
        });
      },
    );

    it('declares what the service would have given', async () => {
      const config = await saved(livePath(MIGRATED));
      const common = ['generate', '--zone', MIGRATED, '--format', 'hcl'];
      await cli.run([...common, '--config', config, '--out', 'offline']);
      await cli.run([...common, '--out', 'online']);
      const withoutHead = (file: string): string => cli.read(file).replace(/^#.*\n/gm, '');
      expect(withoutHead(`offline/${MIGRATED}.tf`)).toBe(withoutHead('online/docs_example_com.tf'));
    });

    it('refuses a file that is the other answer than --source says', async () => {
      const config = await saved(configPath(ENTERPRISE));
      const args = `generate --zone ${ENTERPRISE} --config ${config} --source live --json`;
      const error = errorOf(await cli.offline(args));
      expect(error.code).toBe('RULESET_INVALID');
      expect(error.message).toContain('answer.json was saved from the migration config');
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
      ['rules share a ref', JSON.stringify(live({ ref: 'x' }, { ref: 'x' })), 'RULESET_INVALID'],
    ])('fails when %s, and writes nothing', async (_, text, expected) => {
      if (text !== undefined) cli.write({ 'answer.json': text });
      const args = `generate --zone ${MIGRATED} --config answer.json --out out --json`;
      const ran = await cli.offline(args);
      expect([ran.code, errorOf(ran).code]).toEqual([1, expected]);
      expect(errorOf(ran).hint).not.toBe('');
      expect(existsSync(join(cli.cwd(), 'out'))).toBe(false);
    });
  });
});

describe('generate, with hostile names', () => {
  const cli = cliWithEmulator();

  it.each([
    'cloudflare_ruleset.a"b',
    'cloudflare_ruleset.',
    'module.a.cloudflare_ruleset.b',
    'a\u001b[2J',
    'cloudflare_ruleset.a\n',
  ])('refuses the address %j, and prints no control character', async (address) => {
    const ran = await cli.run(['generate', '--zone', MIGRATED, '--address', address]);
    expect(ran.code).toBe(64);
    expect(ran.stderr).not.toMatch(/[^\P{Cc}\n]/u);
    expect(cli.list()).toEqual([]);
  });

  it('writes a zone of any name inside the output folder, named by nothing hostile', async () => {
    const scenario = JSON.parse(
      readFileSync(join(__dirname, '../../src/emulator/scenarios/migrated.json'), 'utf8'),
    );
    scenario.zones[0].name = '../../evil\u001b[2J\n$(id)/"x';
    const emulator = await startEmulator({ scenario });
    try {
      const environment = { CLOUDFLARE_BASE_URL: emulator.baseUrl };
      const ran = await cli.run(`generate --zone ${MIGRATED} --out a/b`, {
        environment,
      });
      expect([ran.code, ran.stderr]).toEqual([0, '']);
      expect(ran.stdout).not.toMatch(/[^\P{Cc}\n]/u);
      expect(cli.list()).toEqual(['a']);
      const [file, ...others] = cli.list('a/b');
      expect([others, file]).toEqual([[], expect.stringMatching(/^[a-z0-9_-]+\.ts$/)]);
      expect(cli.read(`a/b/${file}`)).not.toMatch(/[^\P{Cc}\n]/u);
    } finally {
      await emulator.stop();
    }
  });
});

describe.each([
  ['one name', 'shop.example'],
  ['two spellings of one name', 'Shop.Example'],
])('generate, for two zones of %s,', (_, second) => {
  const name = (number: number): string => (number === 0 ? 'shop.example' : second);
  const cli = cliWithEmulator(fleetScenario({ count: 2, name }));
  const ids = [zoneId(0), zoneId(1)];

  it.each(['cdktf', 'hcl', 'tfjson'])(
    'as %s in one folder writes one, and refuses the other, also with --force',
    async (format) => {
      cli.write({ zones: ids.join('\n') });
      const line = ['generate', '--zones', 'zones', '--format', format, '--out', 'waf'];
      const run = async (...more: string[]) => {
        const { code, document } = await cli.json([...line, ...more]);
        const of = (outcome: string) =>
          document.zones.filter((zone: any) => zone.outcome === outcome);
        const [failed, ...others] = of('failed');
        expect([code, failed?.error.code, others]).toEqual([1, 'FILE_EXISTS', []]);
        expect(failed.error.message).toContain('belongs to another zone with the name of zone');
        expect(failed.error.hint).not.toContain('--force');
        return of('done')[0].zone;
      };
      const written = await run('--force');
      const read = (): string =>
        cli
          .list('waf')
          .map((file) => cli.read(`waf/${file}`))
          .join('');
      const text = read();
      expect(ids.filter((id) => text.includes(id))).toEqual([written]);
      expect(await run('--force', '--ledger', 'other.jsonl')).toBe(written);
      expect(await run()).toBe(written);
      expect(read()).toBe(text);
    },
  );

  it('one after the other in one folder refuses the second, also with --force', async () => {
    const [first, other] = ids.map((id) => ['generate', '--zone', id, '--force', '--json']);
    expect((await cli.run(first!)).code).toBe(0);
    const ran = await cli.run(other!);
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'FILE_EXISTS']);
    expect(errorOf(ran).message).toContain('belongs to another zone with the name of zone');
    expect((await cli.run([...other!, '--out', 'other'])).code).toBe(0);
  });
});

// what becomes of each fault of an answer: test/ruleset and test/generate
it('generate leaves out a field that is not known, with a decision', async () => {
  const override = { id: 'a'.repeat(32), enabled: true, colour: 'red' };
  const parameters = { id: 'b'.repeat(32), overrides: { rules: [override] } };
  const answer = live({ action: 'execute', action_parameters: parameters });
  const cwd = temporaryFolder({ 'answer.json': JSON.stringify(answer) });
  const args = ['generate', '--zone', MIGRATED, '--config', 'answer.json', '--format', 'hcl'];
  const ran = await runCli([...args, '--json'], { cwd });
  expect(ran.code).toBe(2);
  const { files, findings } = JSON.parse(ran.stdout);
  expect(findings).toMatchObject([{ code: 'FIELD_NOT_SUPPORTED', severity: 'decision' }]);
  expect(readFileSync(join(cwd, files[0]), 'utf8')).not.toContain('colour');
});

describe('generate, with a token that may not read the zone itself', () => {
  const cli = cliWithEmulator({
    name: 'no-zone',
    include: ['migrated'],
    faults: [{ kind: 'status', path: `/zones/${MIGRATED}`, status: 403 }],
  });

  it('names files after the id of the zone', async () => {
    const { code, document } = await cli.json(`generate --zone ${MIGRATED} --format hcl --out waf`);
    expect([code, document.files]).toEqual([0, [`waf/${MIGRATED}.tf`, 'waf/providers.tf']]);
  });
});
