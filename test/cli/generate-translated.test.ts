import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ZONE, statesFolder } from '../plan/support/plans';
import { fakeTerraform } from '../support/fake-terraform';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator, errorOf } from '../support/cli-lab';
import { ENTERPRISE, MIGRATED, PRO } from '../support/zones';
import { OURS, fleetScenario, zoneId, zoneName } from './support/fleet-scenario';

describe('generate translated', () => {
  const cli = cliWithEmulator();
  const oldWaf = join(statesFolder, 'old-waf-3.35.tfstate');
  const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
  const generate = (args: string[], options = {}) =>
    runCli(['generate', '--zone', ZONE, '--format', 'tfjson', '--provider', '5', ...args], {
      cwd: temporaryFolder(),
      ...options,
    });

  /** How many settings the findings say are lost. */
  function lostIn(stdout: string): number {
    const { findings } = JSON.parse(stdout) as { findings: { code: string; message: string }[] };
    const lost = findings.find(({ code }) => code === 'SETTINGS_LOST');
    return Number.parseInt(lost?.message ?? '0', 10);
  }

  describe('generate, from the old settings of a state', () => {
    it('needs neither service nor credentials, and takes --state as --source state', async () => {
      const environment = { CLOUDFLARE_BASE_URL: 'http://127.0.0.1:1/' };
      const cwd = temporaryFolder();
      const ran = await generate(['--state', oldWaf, '--json'], { cwd, environment });
      expect([ran.code, ran.stderr]).toEqual([2, '']);
      const { source, resource, files } = JSON.parse(ran.stdout);
      expect([source, resource]).toEqual([
        'state',
        { type: 'cloudflare_ruleset', address: 'cloudflare_ruleset.managed_rules' },
      ]);
      const text = readFileSync(join(cwd, files[0]), 'utf8');
      expect(text).toContain('PROVISIONAL: translated from the legacy settings');
      expect(lostIn(ran.stdout)).toBe(25);
    });

    it('reads standard input, and the backend of a folder', async () => {
      const file = await generate(['--state', oldWaf, '--json']);
      const piped = await generate(['--state', '-', '--json'], { stdin: readFileSync(oldWaf) });
      expect(piped.stdout).toBe(file.stdout);
      const cwd = temporaryFolder();
      const { path } = fakeTerraform(cwd, `[ "$1 $2" = "state pull" ] && cat '${oldWaf}'`);
      const args = ['--dir', '.', '--source', 'state', '--terraform', path, '--json'];
      const pulled = await generate(args, { cwd });
      expect(pulled).toMatchObject({ code: 2, stderr: '', stdout: file.stdout });
    });

    it('completes ids from a saved managed ruleset, and names what is not in it', async () => {
      const cwd = temporaryFolder();
      const ids = ['8e361ee4328f4a3caf6caf3e664ed6fe', `${'1'.repeat(24)}5723bcc9`];
      const save = (document: object) => {
        writeFileSync(join(cwd, 'managed.json'), JSON.stringify(document));
      };
      const run = () =>
        generate(['--state', oldWaf, '--managed-ruleset', 'managed.json', '--json', '--force'], {
          cwd,
        });
      const ruleset = { id: MANAGED, rules: ids.map((id) => ({ id })) };
      save({ success: true, result: ruleset });
      const written = () => readFileSync(join(cwd, `${ZONE}.tf.json`), 'utf8');
      await run();
      expect(written()).toContain(ids[1]!);
      save({ ...ruleset, rules: [...ruleset.rules, { id: `${'2'.repeat(24)}5723bcc9` }] });
      await run();
      expect(written()).not.toContain('5723bcc9');
    });

    it.each([
      ['another zone', ['--state', oldWaf, '--zone', '9'.repeat(32)], 'OLD_SETTINGS_MISSING'],
      ['a state that is not there', ['--state', 'none.tfstate'], 'STATE_UNREADABLE'],
      ['a file that is no state', ['--state', __filename], 'STATE_INVALID'],
      [
        'a managed ruleset that is none',
        ['--state', oldWaf, '--managed-ruleset', oldWaf],
        'MANAGED_RULESET_INVALID',
      ],
      ['no state', ['--source', 'state'], 'USAGE'],
      ['a state and a folder', ['--state', oldWaf, '--dir', '.'], 'USAGE'],
      ['a state for another source', ['--state', oldWaf, '--source', 'live'], 'USAGE'],
      ['a saved answer and a state', ['--state', oldWaf, '--config', 'a.json'], 'USAGE'],
      ['a saved answer and the old interfaces', ['--source', 'old', '--config', 'a.json'], 'USAGE'],
    ])('refuses %s, and writes nothing', async (_, args, code) => {
      const cwd = temporaryFolder();
      const given = args.includes('--zone') ? args : ['--zone', ZONE, ...args];
      const ran = await runCli(['generate', ...given, '--json'], { cwd });
      expect([ran.code, errorOf(ran).code]).toEqual([code === 'USAGE' ? 64 : 1, code]);
      expect(readdirSync(cwd)).toEqual([]);
    });

    it('refuses a zone whose WAF is off: an empty entry point would switch off what is live', async () => {
      const cwd = temporaryFolder();
      const state = JSON.parse(readFileSync(oldWaf, 'utf8'));
      state.resources.push({
        ...{ mode: 'managed', type: 'cloudflare_zone_settings_override', name: 'zone' },
        provider: 'provider["registry.terraform.io/cloudflare/cloudflare"]',
        instances: [
          { schema_version: 0, attributes: { zone_id: ZONE, settings: [{ waf: 'off' }] } },
        ],
      });
      const stdin = Buffer.from(JSON.stringify(state));
      const ran = await generate(['--state', '-', '--json'], { cwd, stdin });
      expect(errorOf(ran)).toMatchObject({
        code: 'RULESET_EMPTY',
        message: expect.stringContaining(
          'cloudflare_zone_settings_override.zone.settings[0]',
        ) as string,
      });
      expect(readdirSync(cwd)).toEqual([]);
    });
  });

  describe('generate --source old, from the old interfaces', () => {
    const rulesOf = async (zone: string, source: string) => {
      const cwd = temporaryFolder();
      const args = ['generate', '--zone', zone, '--source', source, '--format', 'tfjson'];
      const ran = await cli.json(args, { cwd });
      const file = readFileSync(join(cwd, ran.document.files[0]), 'utf8');
      const { rules } = JSON.parse(file).resource.cloudflare_ruleset.managed_rules;
      return { ran, rules };
    };

    it('runs the same managed rulesets for the same requests as the service proposes', async () => {
      const [ours, theirs] = [
        await rulesOf(ENTERPRISE, 'old'),
        await rulesOf(ENTERPRISE, 'config'),
      ];
      expect(ours.ran.document.source).toBe('old');
      const gist = (rules: any[]) =>
        rules.map(({ action, expression, action_parameters: { id, ruleset } }) => [
          action,
          expression,
          id ?? ruleset,
        ]);
      expect(gist(ours.rules)).toEqual(gist(theirs.rules));
      expect(ours.rules.length).toBeGreaterThan(1);
    });

    it('says that a zone which has moved does not answer', async () => {
      const ran = await cli.run(`generate --zone ${MIGRATED} --source old --json`);
      expect([ran.code, errorOf(ran).code]).toEqual([1, 'API_UNAUTHORIZED']);
    });
  });
});

describe('generate for many zones', () => {
  const COUNT = 12;
  const cli = cliWithEmulator(fleetScenario({ count: COUNT, moved: (number) => number !== 5 }));
  const all = Array.from({ length: COUNT }, (_, number) => number);
  let cwd: string;

  beforeEach(() => {
    cwd = temporaryFolder();
  });
  const slug = (number: number): string => zoneName(number).replaceAll('.', '_');

  it('writes a CDKTF stack for each, all at one address: each has a state of its own', async () => {
    const { code, document } = await cli.json(`generate --account ${OURS}`, { cwd });
    expect(code).toBe(0);
    expect(document.summary).toMatchObject({ zones: COUNT, done: COUNT });
    expect(readdirSync(join(cwd, 'stacks')).sort()).toEqual(all.map((n) => `${slug(n)}.ts`).sort());
    for (const { result } of document.zones) {
      expect(result.resource.address).toBe('cloudflare_ruleset.managed_rules');
    }
    expect(document.zones[5].result.source).toBe('config');
    expect(document.zones[6].result.source).toBe('live');
  });

  it('writes a file anew that is gone since the run that is gone on with', async () => {
    const path = `/zones/${zoneId(4)}/*`;
    cli.emulator().setFaults([{ kind: 'status', status: 403, path }]);
    await cli.run(`generate --account ${OURS}`, { cwd });
    cli.emulator().setFaults([]);
    rmSync(join(cwd, `stacks/${slug(3)}.ts`));
    const { document } = await cli.json(`generate --account ${OURS}`, { cwd });
    expect(document.summary).toMatchObject({ done: COUNT, earlier: COUNT - 2 });
    expect(existsSync(join(cwd, `stacks/${slug(3)}.ts`))).toBe(true);
  });

  it('gives the same file as for the zone alone', async () => {
    await cli.run(`generate --account ${OURS} --out many`, { cwd });
    await cli.run(`generate --zone ${zoneId(3)} --out one`, { cwd });
    const read = (folder: string): string =>
      readFileSync(join(cwd, folder, `${slug(3)}.ts`), 'utf8');
    expect(read('many')).toBe(read('one'));
  });

  it.each(['hcl', 'tfjson'])(
    'gives each zone an address of its own in one folder of %s',
    async (format) => {
      const args = ['generate', '--account', OURS, '--format', format, '--out', 'waf'];
      const { code, document } = await cli.json(args, { cwd });
      expect(code).toBe(0);
      const addresses = document.zones.map(({ result }: any) => result.resource.address);
      expect(addresses).toEqual(
        all.map((number) => `cloudflare_ruleset.managed_rules_${slug(number)}`),
      );
      expect(readdirSync(join(cwd, 'waf'))).toHaveLength(COUNT + 1);
    },
  );

  it('asks for each zone one request beyond the list', async () => {
    const names = all.filter((number) => number !== 5).map((number) => `${zoneName(number)}\n`);
    writeFileSync(join(cwd, 'zones'), names.join(''));
    const { code } = await cli.run('generate --zones zones --source live', { cwd });
    expect(code).toBe(0);
    const paths = cli
      .emulator()
      .requests()
      .map(({ path }) => path);
    expect(paths[0]).toBe('/zones');
    expect(paths.slice(1).sort()).toEqual(
      all
        .filter((number) => number !== 5)
        .map((n) => `/zones/${zoneId(n)}/rulesets/phases/http_request_firewall_managed/entrypoint`),
    );
  });

  it('trap 0.10: never writes a stack for a zone whose read failed or came half, and writes the others', async () => {
    const path = (number: number): string => `/zones/${zoneId(number)}/rulesets/*`;
    cli.emulator().setFaults([
      { kind: 'truncate', path: path(1) },
      { kind: 'status', html: true, status: 200, path: path(2) },
      { kind: 'status', status: 200, path: path(3) },
      { kind: 'status', status: 403, path: path(4) },
    ]);
    const { code, document } = await cli.json(`generate --account ${OURS} --source live`, {
      cwd,
    });
    expect(code).toBe(1);
    const failed = document.zones.filter(({ outcome }: any) => outcome === 'failed');
    expect(failed.map(({ zone, error }: any) => [zone, error.code])).toEqual([
      [zoneId(1), 'API_RESPONSE_INVALID'],
      [zoneId(2), 'API_RESPONSE_INVALID'],
      [zoneId(3), 'API_REFUSED'],
      [zoneId(4), 'API_UNAUTHORIZED'],
      [zoneId(5), 'ENTRY_POINT_MISSING'],
    ]);
    expect(readdirSync(join(cwd, 'stacks')).sort()).toEqual(
      all
        .filter((n) => n === 0 || n > 5)
        .map((n) => `${slug(n)}.ts`)
        .sort(),
    );
  });

  it('does not overwrite a stack that somebody changed, and says so by zone', async () => {
    mkdirSync(join(cwd, 'stacks'));
    writeFileSync(join(cwd, 'stacks', `${slug(2)}.ts`), '// mine\n');
    const { document } = await cli.json(`generate --account ${OURS}`, { cwd });
    expect(document.summary).toMatchObject({ done: COUNT - 1, failed: 1 });
    expect(document.zones[2].error.code).toBe('FILE_EXISTS');
    expect(readFileSync(join(cwd, 'stacks', `${slug(2)}.ts`), 'utf8')).toBe('// mine\n');
  });

  it('writes one project around the stacks of all', async () => {
    const { code } = await cli.run(`generate --account ${OURS} --project waf`, { cwd });
    expect(code).toBe(0);
    expect(existsSync(join(cwd, 'waf/main.ts'))).toBe(true);
    expect(readdirSync(join(cwd, 'waf/stacks'))).toHaveLength(COUNT);
  });

  it.each([
    [['--config', 'x.json'], /--config is of one zone/],
    [['--state', 'x'], /--state is of one zone/],
    [['--managed-ruleset', 'x'], /--managed-ruleset is of one zone/],
    [['--source', 'old'], /--source old is for one zone/],
    [['--format', 'hcl', '--address', 'cloudflare_ruleset.x'], /--address is one resource/],
  ])('takes no %j', async (args, words) => {
    const ran = await cli.run(['generate', '--account', OURS, ...args, '--json'], { cwd });
    expect([ran.code, errorOf(ran).message]).toEqual([64, expect.stringMatching(words)]);
  });
});

describe('example stacks', () => {
  const cli = cliWithEmulator('demo');
  const stacks = join(__dirname, '../../stacks');
  const filesIn = (folder: string): string[] =>
    readdirSync(folder)
      .filter((name) => name !== 'main.ts')
      .sort();

  it('the stacks of this repository are what generate gives for the example zones', async () => {
    const cwd = temporaryFolder();
    for (const zone of [ENTERPRISE, PRO, MIGRATED]) {
      const ran = await cli.run(`generate --zone ${zone} --provider 5`, { cwd });
      expect([ran.stderr, ran.stdout.split('\n')[0]]).toEqual([
        '',
        expect.stringMatching(/^Generated/),
      ]);
    }
    const generated = filesIn(join(cwd, 'stacks'));
    expect(generated).toHaveLength(3);
    if (process.env['UPDATE_GOLDEN'] === '1') {
      for (const file of generated) copyFileSync(join(cwd, 'stacks', file), join(stacks, file));
    }
    expect(filesIn(stacks)).toEqual(generated);
    for (const file of generated) {
      const text = readFileSync(join(stacks, file), 'utf8');
      expect([file, text]).toEqual([file, readFileSync(join(cwd, 'stacks', file), 'utf8')]);
    }
  });
});
