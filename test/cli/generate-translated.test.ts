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
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator, errorOf } from '../support/cli-lab';
import { ENTERPRISE, MIGRATED, PRO } from '../support/zones';
import { OURS, fleetScenario, zoneId, zoneName } from './support/fleet-scenario';
import { resourceOf, stateOf } from './support/states';

describe('generate translated', () => {
  const cli = cliWithEmulator();
  const oldWaf = join(statesFolder, 'old-waf-3.35.tfstate');
  const generate = (args: string[], options = {}) =>
    cli.offline(
      ['generate', '--zone', ZONE, '--format', 'tfjson', '--provider', '5', ...args],
      options,
    );

  /** How many settings the findings say are lost. */
  function lostIn(stdout: string): number {
    const { findings } = JSON.parse(stdout) as { findings: { code: string; message: string }[] };
    const lost = findings.find(({ code }) => code === 'SETTINGS_LOST');
    return Number.parseInt(lost?.message ?? '0', 10);
  }

  describe('generate, from the old settings of a state', () => {
    it('needs neither service nor credentials, and takes --state as --source state', async () => {
      const ran = await generate(['--state', oldWaf, '--json']);
      expect([ran.code, ran.stderr]).toEqual([2, '']);
      const { source, resource, files } = JSON.parse(ran.stdout);
      expect([source, resource]).toEqual([
        'state',
        { type: 'cloudflare_ruleset', address: 'cloudflare_ruleset.managed_rules' },
      ]);
      const text = cli.read(files[0]);
      expect(text).toContain('PROVISIONAL: translated from the legacy settings');
      expect(lostIn(ran.stdout)).toBe(25);
    });

    it('reads standard input, and the backend of a folder', async () => {
      const file = await generate(['--state', oldWaf, '--json']);
      const stdin = readFileSync(oldWaf);
      const piped = await generate(['--state', '-', '--json'], { stdin, cwd: temporaryFolder() });
      expect(piped.stdout).toBe(file.stdout);
      const pulls = `[ "$1 $2" = "state pull" ] && cat '${oldWaf}'`;
      const cwd = temporaryFolder();
      const { path } = fakeTerraform(cwd, pulls);
      const args = ['--dir', '.', '--source', 'state', '--terraform', path, '--json'];
      const pulled = await generate(args, { cwd });
      expect(pulled).toMatchObject({ code: 2, stderr: '', stdout: file.stdout });
    });

    it.each([
      ['another zone', ['--state', oldWaf, '--zone', '9'.repeat(32)], 'OLD_SETTINGS_MISSING'],
      ['a state that is not there', ['--state', 'none.tfstate'], 'STATE_UNREADABLE'],
      ['a file that is no state', ['--state', __filename], 'STATE_INVALID'],
      ['no state', ['--source', 'state'], 'USAGE'],
      ['a state and a folder', ['--state', oldWaf, '--dir', '.'], 'USAGE'],
      ['a state for another source', ['--state', oldWaf, '--source', 'live'], 'USAGE'],
      ['a saved answer and a state', ['--state', oldWaf, '--config', 'a.json'], 'USAGE'],
      ['a saved answer and the old interfaces', ['--source', 'old', '--config', 'a.json'], 'USAGE'],
    ])('refuses %s, and writes nothing', async (_, args, code) => {
      const given = args.includes('--zone') ? args : ['--zone', ZONE, ...args];
      const ran = await cli.offline(['generate', ...given, '--json']);
      expect([ran.code, errorOf(ran).code]).toEqual([code === 'USAGE' ? 64 : 1, code]);
      expect(cli.list()).toEqual([]);
    });

    it('refuses a zone whose WAF is off: an empty entry point would switch off what is live', async () => {
      const state = JSON.parse(readFileSync(oldWaf, 'utf8'));
      state.resources.push({
        ...{ mode: 'managed', type: 'cloudflare_zone_settings_override', name: 'zone' },
        provider: 'provider["registry.terraform.io/cloudflare/cloudflare"]',
        instances: [
          { schema_version: 0, attributes: { zone_id: ZONE, settings: [{ waf: 'off' }] } },
        ],
      });
      const stdin = Buffer.from(JSON.stringify(state));
      const ran = await generate(['--state', '-', '--json'], { stdin });
      expect(errorOf(ran)).toMatchObject({
        code: 'RULESET_EMPTY',
        message: expect.stringContaining(
          'cloudflare_zone_settings_override.zone.settings[0]',
        ) as string,
      });
      expect(cli.list()).toEqual([]);
    });
  });

  describe('generate --source old, from the old interfaces', () => {
    const rulesOf = async (zone: string, source: string) => {
      const args = `generate --zone ${zone} --source ${source} --format tfjson --out ${source}`;
      const ran = await cli.json(args);
      const file = cli.read(ran.document.files[0]);
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
      const { code, hint } = errorOf(ran);
      expect([ran.code, code]).toEqual([1, 'OLD_SETTINGS_MISSING']);
      expect(hint).toContain('cf-waf-migrate report --backup ');
    });
  });
});

describe('generate, from a state and with credentials', () => {
  const cli = cliWithEmulator('old-waf');

  it('reads the managed ruleset of the zone, to complete the ids of rules', async () => {
    const state = join(statesFolder, 'old-waf-3.35.tfstate');
    const { code } = await cli.run(`generate --zone ${ZONE} --state ${state} --format tfjson`);
    const path = `/zones/${ZONE}/rulesets/efb7b8c949ac4650a09736fc376e9aee`;
    expect([code, cli.paths()]).toEqual([2, [path]]);
  });
});

describe('generate for many zones', () => {
  const COUNT = 12;
  const cli = cliWithEmulator(fleetScenario({ count: COUNT, moved: (number) => number !== 5 }));
  const all = Array.from({ length: COUNT }, (_, number) => number);
  const slug = (number: number): string => zoneName(number).replaceAll('.', '_');

  it('writes a CDKTF stack for each, all at one address: each has a state of its own', async () => {
    const { code, document } = await cli.json(`generate --account ${OURS}`);
    expect(code).toBe(0);
    expect(document.summary).toMatchObject({ zones: COUNT, done: COUNT });
    expect(cli.list('stacks')).toEqual(all.map((n) => `${slug(n)}.ts`).sort());
    for (const { result } of document.zones) {
      expect(result.resource.address).toBe('cloudflare_ruleset.managed_rules');
    }
    expect(document.zones[5].result.source).toBe('config');
    expect(document.zones[6].result.source).toBe('live');
  });

  it('writes a file again that was deleted since the run that it resumes', async () => {
    const path = `/zones/${zoneId(4)}/*`;
    cli.emulator().setFaults([{ kind: 'status', status: 403, path }]);
    await cli.run(`generate --account ${OURS}`);
    cli.emulator().setFaults([]);
    rmSync(join(cli.cwd(), `stacks/${slug(3)}.ts`));
    const { document } = await cli.json(`generate --account ${OURS}`);
    // neither that one, nor the one that failed, nor the provisional stack of zone 5
    expect(document.summary).toMatchObject({ done: COUNT, earlier: COUNT - 3 });
    expect(existsSync(join(cli.cwd(), `stacks/${slug(3)}.ts`))).toBe(true);
  });

  it('gives the same file as for the zone alone', async () => {
    await cli.run(`generate --account ${OURS} --out many`);
    await cli.run(`generate --zone ${zoneId(3)} --out one`);
    const read = (folder: string): string => cli.read(`${folder}/${slug(3)}.ts`);
    expect(read('many')).toBe(read('one'));
  });

  it.each(['hcl', 'tfjson'])(
    'gives each zone an address of its own in one folder of %s',
    async (format) => {
      const args = ['generate', '--account', OURS, '--format', format, '--out', 'waf'];
      const { code, document } = await cli.json(args);
      expect(code).toBe(0);
      const addresses = document.zones.map(({ result }: any) => result.resource.address);
      expect(addresses).toEqual(
        all.map((number) => `cloudflare_ruleset.managed_rules_${slug(number)}`),
      );
      expect(cli.list('waf')).toHaveLength(COUNT + 1);
    },
  );

  it('trap 0.10: never writes a stack for a zone whose read failed or came half, and writes the others', async () => {
    const path = (number: number): string => `/zones/${zoneId(number)}/rulesets/*`;
    cli.emulator().setFaults([
      { kind: 'truncate', path: path(1) },
      { kind: 'status', html: true, status: 200, path: path(2) },
      { kind: 'status', status: 200, path: path(3) },
      { kind: 'status', status: 403, path: path(4) },
    ]);
    const { code, document } = await cli.json(`generate --account ${OURS} --source live`);
    expect(code).toBe(1);
    const failed = document.zones.filter(({ outcome }: any) => outcome === 'failed');
    expect(failed.map(({ zone, error }: any) => [zone, error.code])).toEqual([
      [zoneId(1), 'API_RESPONSE_INVALID'],
      [zoneId(2), 'API_RESPONSE_INVALID'],
      [zoneId(3), 'API_REFUSED'],
      [zoneId(4), 'API_UNAUTHORIZED'],
      [zoneId(5), 'ENTRY_POINT_MISSING'],
    ]);
    expect(cli.list('stacks')).toEqual(
      all
        .filter((n) => n === 0 || n > 5)
        .map((n) => `${slug(n)}.ts`)
        .sort(),
    );
  });

  it('does not overwrite a stack that was changed, and reports it by zone', async () => {
    mkdirSync(join(cli.cwd(), 'stacks'));
    writeFileSync(join(cli.cwd(), 'stacks', `${slug(2)}.ts`), '// mine\n');
    const { document } = await cli.json(`generate --account ${OURS}`);
    expect(document.summary).toMatchObject({ done: COUNT - 1, failed: 1 });
    expect(document.zones[2].error.code).toBe('FILE_EXISTS');
    expect(cli.read(`stacks/${slug(2)}.ts`)).toBe('// mine\n');
  });

  it('writes one project around the stacks of all', async () => {
    const { code } = await cli.run(`generate --account ${OURS} --project waf`);
    expect(code).toBe(0);
    expect(existsSync(join(cli.cwd(), 'waf/main.ts'))).toBe(true);
    expect(cli.list('waf/stacks')).toHaveLength(COUNT);
  });

  it('takes no state of several zones, and says how to pass one of them', async () => {
    const rules = [0, 1].map((number) =>
      resourceOf('cloudflare_waf_rule', `r${number}`, { id: '100000', zone_id: zoneId(number) }),
    );
    cli.write({ 'two.tfstate': JSON.stringify(stateOf(...rules)) });
    const ran = await cli.run('generate --state two.tfstate');
    expect([ran.code, ran.stderr]).toEqual([
      64,
      expect.stringContaining('error: --state cannot be used with several zones: pass one --zone'),
    ]);
  });

  it('explains a decision below the zones', async () => {
    const aliased = ['a', 'b'].map((alias) => `provider "cloudflare" {\n  alias = "${alias}"\n}\n`);
    cli.write({ 'waf/main.tf': aliased.join('') });
    const { code, stdout } = await cli.run(`generate --account ${OURS} --format hcl --out waf`);
    expect(code).toBe(2);
    expect(stdout.match(/^decision: .* \(PROVIDER_NOT_CHOSEN\)$/gm)).toHaveLength(1);
    expect(stdout).toMatch(/\n +→ add the configuration/);
  });

  it.each([
    [['--config', 'x.json'], /^--config cannot be used with --zones or --account$/],
    [['--state', 'x'], /^--state cannot be used with --zones or --account$/],
    [['--source', 'old'], /--source old is for one zone/],
    [['--format', 'hcl', '--address', 'cloudflare_ruleset.x'], /--address is one resource/],
  ])('takes no %j', async (args, words) => {
    const ran = await cli.run(['generate', '--account', OURS, ...args, '--json']);
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
    for (const zone of [ENTERPRISE, PRO, MIGRATED]) {
      const ran = await cli.run(`generate --zone ${zone} --provider 5`);
      expect([ran.stderr, ran.stdout.split('\n')[0]]).toEqual([
        '',
        expect.stringMatching(/^Generated/),
      ]);
    }
    const generated = filesIn(join(cli.cwd(), 'stacks'));
    expect(generated).toHaveLength(3);
    if (process.env['UPDATE_GOLDEN'] === '1') {
      for (const file of generated)
        copyFileSync(join(cli.cwd(), 'stacks', file), join(stacks, file));
    }
    expect(filesIn(stacks)).toEqual(generated);
    for (const file of generated) {
      const text = readFileSync(join(stacks, file), 'utf8');
      expect([file, text]).toEqual([file, cli.read(`stacks/${file}`)]);
    }
  });
});
