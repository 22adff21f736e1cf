import {
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Plan } from '../../src/plan/plan-schema';
import { RULESET, ZONE, statesFolder } from '../plan/support/plans';
import { cliWithEmulator, errorOf } from '../support/cli-lab';
import { fakeTerraform } from '../support/fake-terraform';
import { runCli, type CliOptions } from '../support/run-cli';
import { runProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';
import { deploy, ENTERPRISE, entryPoint, MANAGED, oneZone } from '../support/zones';
import { resourceOf, stateOf, terraformOf } from './support/states';

describe('plan', () => {
  const oldWaf = join(statesFolder, 'old-waf-3.35.tfstate');
  const withoutOld = join(statesFolder, 'ruleset-v5-after-import.tfstate');
  const offline = ['plan', '--zone', ZONE, '--ruleset-id', RULESET];
  const ofOldWaf = [...offline, '--state', oldWaf];
  const cli = cliWithEmulator('old-waf');

  async function planned(args: string[], options: CliOptions = {}): Promise<Plan> {
    const { stdout } = await runCli([...offline, ...args, '--json'], options);
    return JSON.parse(stdout);
  }

  describe('plan, of a state file', () => {
    it('is text by default: decisions remain, so exit 2', async () => {
      const { code, stdout, stderr } = await runCli(ofOldWaf);
      expect([code, stderr]).toEqual([2, expect.stringContaining('OTHER_ZONES')]);
      expect(stdout).toMatch(new RegExp(`^Migration plan of cf-waf-migrate for ${ZONE}\n`));
      expect(stdout).toContain('would be removed from the state too (OTHER_ZONES)');
    });

    it('with every zone of the state leaves nothing to decide: exit 0', async () => {
      const state = join(statesFolder, 'tainted-3.35.tfstate');
      const { code, stdout } = await runCli([...offline, '--state', state, '--from', '3']);
      expect([code, stdout.includes('decision:')]).toEqual([0, false]);
    });

    it('takes a version without a patch: the first one that can import rulesets', async () => {
      const state = join(statesFolder, 'tainted-3.35.tfstate');
      const { code, stderr } = await runCli([...offline, '--state', state, '--from', '3.29']);
      expect([code, stderr]).toEqual([0, '']);
    });

    it('is the same document by --json and --format json, byte for byte', async () => {
      const one = await runCli([...ofOldWaf, '--json']);
      const other = await runCli([...ofOldWaf, '--format', 'json']);
      expect(one.stdout).toBe(other.stdout);
      expect(JSON.parse(one.stdout)).toMatchObject({
        format: 'cf-waf-migrate/plan',
        formatVersion: 1,
      });
      const both = await runCli([...ofOldWaf, '--json', '--format', 'sh']);
      expect(both.stdout).toBe(one.stdout);
    });

    it('may come from standard input', async () => {
      const stdin = readFileSync(oldWaf);
      const ran = await runCli([...offline, '--state', '-', '--json'], { stdin });
      expect(JSON.parse(ran.stdout)).toEqual(await planned(['--state', oldWaf]));
    });

    it('refuses to remove what Terraform cannot address', async () => {
      const state = readFileSync(oldWaf, 'utf8').replace(/"name": "[^"]*"/, '"name": "100000"');
      const ran = await runCli([...offline, '--state', '-', '--json'], {
        stdin: Buffer.from(state),
      });
      expect([ran.code, errorOf(ran).code]).toEqual([1, 'ADDRESS_INVALID']);
      expect(errorOf(ran).message).toContain('100000');
    });

    it('names the workspace of the environment', async () => {
      const environment = { TF_WORKSPACE: 'prod' };
      const plan = await planned(['--state', oldWaf], { environment });
      expect(plan.states[0]!.workspace).toBe('prod');
    });

    it('reads the name and the ruleset id of the zone, and never calls the legacy API', async () => {
      const { code, document } = await cli.json(`plan --zone ${ZONE} --state ${oldWaf}`);
      expect(code).toBe(2);
      expect(document.zones[0].ruleset.id).toMatch(/^[0-9a-f]{32}$/);
      expect(cli.requests()).toEqual([
        `GET /zones/${ZONE}`,
        `GET /zones/${ZONE}/rulesets/phases/http_request_firewall_managed/entrypoint`,
        `GET /zones/${ZONE}/waf_migration/status`,
      ]);
    });

    it('carries what stands behind -- to the subcommands that take it', async () => {
      const ran = await runCli([
        ...ofOldWaf,
        '--json',
        '--',
        '-var-file',
        'prod.tfvars',
        '-lock-timeout=60s',
      ]);
      const plan: Plan = JSON.parse(ran.stdout);
      const argvOf = (kind: string) =>
        plan.steps.find((step) => step.kind === kind)!.runs![0]!.argv;
      expect(argvOf('backup')).toEqual(['terraform', 'state', 'pull']);
      expect(argvOf('remove').slice(0, 4)).toEqual([
        'terraform',
        'state',
        'rm',
        '-lock-timeout=60s',
      ]);
      expect(argvOf('check').slice(0, 3)).toEqual(['terraform', 'plan', '-var-file=prod.tfvars']);
      expect(plan.digest).not.toBe((await planned(['--state', oldWaf])).digest);
    });
  });

  describe('plan, of a state without old resources', () => {
    it.each([
      ['text', [], /-detailed-exitcode\n\ninfo: .* \(NO_LEGACY_RESOURCES\)/],
      ['sh', ['--format', 'sh'], /terraform plan -input=false -detailed-exitcode/],
      ['JSON', ['--json'], /"code": "NO_LEGACY_RESOURCES"/],
    ])('says so as %s, exit 0, with no credentials', async (_, flags, expected) => {
      const args = ['plan', '--zone', ZONE, '--state', withoutOld, ...flags];
      const { code, stdout, stderr } = await runCli(args);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(expected);
    });
  });

  describe('plan, into a file', () => {
    const args = [...ofOldWaf, '--format', 'sh', '--out', 'plans/plan.sh'];

    it('writes the plan that apply takes, says where, and prints what --format says', async () => {
      const cwd = temporaryFolder();
      const { code, stdout, stderr } = await runCli(args, { cwd });
      expect(code).toBe(2);
      expect(stdout).toMatch(/^#!\/bin\/sh\n/);
      expect(stderr).toMatch(/blocker: .* \(OTHER_ZONES\)\n {4}main\n/);
      expect(stderr).toMatch(/^wrote plans\/plan\.sh$/m);
      const plan: Plan = JSON.parse(readFileSync(join(cwd, 'plans/plan.sh'), 'utf8'));
      expect(plan.format).toBe('cf-waf-migrate/plan');
    });

    it.each(['text', 'json', 'sh'])(
      'replaces an earlier plan as %s by a new one',
      async (format) => {
        const cwd = temporaryFolder();
        const earlier = await runCli([...ofOldWaf, '--format', format], { cwd });
        writeFileSync(join(cwd, 'plan'), earlier.stdout);
        const out = [...ofOldWaf, '--out', 'plan'];
        const again = await runCli([...out, '--format', 'json', '--from', '4'], { cwd });
        expect(again.code).toBe(2);
        const plan: Plan = JSON.parse(readFileSync(join(cwd, 'plan'), 'utf8'));
        expect(plan.states[0]!.provider.from).toBe('4.52.8');
      },
    );

    it('as text names the file, and the next command below it', async () => {
      const cwd = temporaryFolder();
      copyFileSync(oldWaf, join(cwd, 'x.tfstate'));
      const saved = [...offline, '--state', 'x.tfstate', '--out', 'my plan.json'];
      const ran = await runCli(saved, { cwd });
      expect(ran.stdout).toMatch(
        /\nwrote my plan\.json\n\nNext, when the remedy of each finding is done:\n {2}cf-waf-migrate plan /,
      );
    });

    it('leaves anything else alone, the state above all, but with --force', async () => {
      const cwd = temporaryFolder();
      copyFileSync(oldWaf, join(cwd, 'terraform.tfstate'));
      const over = [...offline, '--state', 'terraform.tfstate', '--out', 'terraform.tfstate'];
      for (const flags of [[], ['--force']]) {
        const ran = await runCli([...over, ...flags, '--json'], { cwd });
        expect([ran.code, errorOf(ran).message]).toEqual([64, '--out is the state itself']);
      }
      expect(readFileSync(join(cwd, 'terraform.tfstate'))).toEqual(readFileSync(oldWaf));
      writeFileSync(join(cwd, 'notes'), 'mine');
      const ran = await runCli([...ofOldWaf, '--out', 'notes', '--json'], {
        cwd,
      });
      expect([ran.code, errorOf(ran).code]).toEqual([1, 'FILE_EXISTS']);
      const forced = await runCli([...ofOldWaf, '--out', 'notes', '--force'], {
        cwd,
      });
      expect(forced.code).toBe(2);
    });
  });

  describe('plan, of a bad state', () => {
    const secret = 'geheim-0123456789';

    it.each([
      ['cut off', `{"version":4,"resources":[{"attributes":"${secret}"`, 'STATE_INVALID'],
      ['binary', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), 'STATE_INVALID'],
      ['version 5', '{"version":5,"terraform_version":"9.0.0"}', 'STATE_VERSION_UNSUPPORTED'],
      ['encrypted', `{"encrypted_data":"${secret}","encryption_version":"v0"}`, 'STATE_ENCRYPTED'],
    ])(
      'that is %s: exit 1, code and hint, and nothing of its content',
      async (_, text, expected) => {
        const cwd = temporaryFolder({ state: text });
        const args = [...offline, '--state', 'state', '--out', 'plan.json', '--json'];
        const ran = await runCli(args, { cwd });
        expect([ran.code, errorOf(ran).code]).toEqual([1, expected]);
        expect(errorOf(ran).hint).not.toBe('');
        expect(ran.stderr).not.toContain(secret);
        expect(existsSync(join(cwd, 'plan.json'))).toBe(false);
      },
    );

    it.each([
      ['is not there', 'nowhere.tfstate'],
      ['is a folder', '.'],
      ['lies under a file', 'package.json/x'],
    ])('that %s: exit 1 with the reason as the cause', async (_, state) => {
      const ran = await runCli([...offline, '--state', state, '--json']);
      const error = errorOf(ran);
      expect([ran.code, error.code]).toEqual([1, 'STATE_UNREADABLE']);
      expect(error.causes[0]).toMatch(/^E[A-Z]+: /);
    });
  });
});

describe('plan --zones', () => {
  const state = ['--state', join(statesFolder, 'old-waf-3.35.tfstate')];
  const cli = cliWithEmulator('old-waf');
  const list = (...lines: string[]): string[] => {
    cli.write({ 'zones.txt': lines.map((line) => `${line}\n`).join('') });
    return ['--zones', 'zones.txt'];
  };
  const ids = () => cli.emulator().zones.map(({ id }) => id);
  const planned = async (args: string[]): Promise<Plan> =>
    JSON.parse((await cli.run(['plan', ...state, ...args, '--json'])).stdout);

  it('is the plan of the same zones named one by one, and reads the status and the entry point of each zone once', async () => {
    const one = await planned(ids().flatMap((id) => ['--zone', id]));
    cli.emulator().clearRequests();
    expect(await planned(list('# all of ours', ...ids(), ids()[0] ?? ''))).toEqual(one);
    expect(one.zones.map(({ zoneId }) => zoneId)).toEqual(ids());
    expect(cli.paths().toSorted()).toEqual([
      '/zones',
      ...ids()
        .flatMap((id) => [
          `/zones/${id}/rulesets/phases/http_request_firewall_managed/entrypoint`,
          `/zones/${id}/waf_migration/status`,
        ])
        .toSorted(),
    ]);
  });

  it('takes names, for one request more, and shows them', async () => {
    const { zones } = cli.emulator();
    const names = zones.map(({ name }) => name);
    const plan = await planned(list(...names));
    expect(plan.zones.map(({ zoneId, name }) => [zoneId, name])).toEqual(
      zones.map(({ id, name }) => [id, name]),
    );
    expect(cli.emulator().requests()).toHaveLength(2 * names.length + 1);
    const [{ id, name }] = zones as [(typeof zones)[number]];
    const { stdout } = await cli.run(['plan', ...state, '--zone', name.toUpperCase()]);
    expect(stdout).toContain(`for ${name}\n  (${id})\n`);
  });

  it('asks for no entry point where each zone has its ruleset id', async () => {
    const given = ids().map((id, index) => `${id}=${String(index).padStart(32, 'a')}`);
    const plan = await planned([...list(...ids()), '--ruleset-id', ...given]);
    expect(plan.zones).toHaveLength(ids().length);
    expect(cli.emulator().requests()).toMatchObject([{ path: '/zones' }]);
  });

  it('refuses two ruleset ids of one zone, and takes one that is given twice', async () => {
    const [zone = ''] = ids();
    const [one, other] = ['a', 'b'].map((digit) => `${zone}=${digit.repeat(32)}`);
    const args = ['plan', ...state, '--zone', zone, '--json', '--ruleset-id', one ?? ''];
    const two = await cli.run([...args, other ?? '']);
    expect([two.code, errorOf(two).code]).toEqual([64, 'USAGE']);
    expect((await cli.run([...args, one ?? ''])).stderr).toContain('OTHER_ZONES');
  });

  it('plans all zones of the list or none', async () => {
    const file = list(ids()[0] ?? '', 'unknown.example.com', '\u001b[2Jhostile');
    const ran = await cli.run(['plan', ...state, ...file, '--json']);
    expect(ran.code).toBe(1);
    expect(errorOf(ran)).toMatchObject({
      code: 'ZONE_NOT_REACHED',
      message: expect.stringMatching(/^line 2: zone unknown\.example\.com is not found/),
    });
  });

  it.each([
    ['no zone', [], 'ZONES_EMPTY', 1],
    ['a zone beside it', ['x'], 'USAGE', 64],
  ])('refuses %s', async (_, lines, expected, code) => {
    const beside = lines.length === 0 ? [] : ['--zone', ids()[0] ?? ''];
    const ran = await cli.run(['plan', ...state, ...list(...lines), ...beside, '--json']);
    expect([ran.code, errorOf(ran).code]).toEqual([code, expected]);
  });
});

const plan = ['plan', '--zone', ZONE, '--ruleset-id', RULESET];

/** The command of step 1, as a user copies it. */
const commands: Readonly<Record<string, RegExp>> = {
  text: /^ 1\. .*\n(?: {4}\S.*\n)*? {4}\$ ((?:.+\n)+)\n/m,
  markdown: /\*\*1\. [^]*? {2}```sh\n([^]*?) {2}```/,
};

it.each(Object.keys(commands))(
  'the first command of a plan as %s works when pasted',
  async (format) => {
    const cwd = temporaryFolder();
    const state = join(statesFolder, 'tainted-3.35.tfstate');
    const { stdout } = await runCli([...plan, '--state', state, '--format', format]);
    const [, command = ''] = commands[format]!.exec(stdout) ?? [];
    const fake = fakeTerraform(cwd, 'echo "$*"');
    const ran = await runProcess('sh', ['-c', command], {
      cwd,
      env: { ...process.env, PATH: fake.searchPath },
    });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const folder = join(cwd, 'cf-waf-migrate-backup');
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.tfstate$/)]);
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
  },
);

describe('plan consent', () => {
  /** A state with legacy resources of five zones, and data sources. */
  const state = join(statesFolder, 'old-waf-3.35.tfstate');
  const oneZone = ['plan', '--zone', ZONE, '--ruleset-id', RULESET, '--state', state];
  const INSTALLED = {
    'provider 3': ['--from', '3.35.0'],
    'provider 4': ['--from', '4.52.8'],
    'provider 5': ['--from', '5.22.0'],
    'an unknown provider': [],
  };
  const severityOf = (provider: string): string =>
    provider === 'provider 3' ? 'decision' : 'blocker';

  /** Plans into a script, and runs it with a Terraform that does nothing. */
  async function runScript(provider: keyof typeof INSTALLED, ...args: string[]) {
    const cwd = temporaryFolder();
    const { stdout } = await runCli([...oneZone, ...INSTALLED[provider], '--format', 'sh']);
    writeFileSync(join(cwd, 'plan.sh'), stdout);
    const terraform = fakeTerraform(cwd, 'exit 1');
    const env = { ...process.env, PATH: terraform.searchPath };
    const ran = await runProcess('sh', ['plan.sh', ...args], { cwd, env });
    return { ...ran, calls: terraform.calls() };
  }

  describe.each(Object.keys(INSTALLED) as (keyof typeof INSTALLED)[])(
    'one of five zones, under %s',
    (provider) => {
      const stays = severityOf(provider) === 'decision';
      const title = `Legacy resources of other zones ${stays ? 'stay in' : 'would be removed from'} the state${stays ? '' : ' too'}`;
      const finding = `${severityOf(provider)}: ${title} (OTHER_ZONES)`;

      it.each([
        ...['text', 'sh', 'markdown', 'json'].map((format) => ['--format', format]),
        ['--json'],
        ['--json', '--quiet'],
      ])('is on standard error where standard output is a pipe: %s %s', async (...flags) => {
        const piped = await runCli([...oneZone, ...INSTALLED[provider], ...flags]);
        expect(piped.code).toBe(2);
        expect(piped.stderr).toContain(`${finding}\n`);
        const shown = await runCli([...oneZone, ...INSTALLED[provider], ...flags], {
          terminal: true,
        });
        expect(shown.stderr).toBe('');
      });

      it('is in the Markdown text', async () => {
        const args = [...oneZone, ...INSTALLED[provider], '--format', 'markdown'];
        const { stdout } = await runCli(args);
        expect(stdout).toContain(`- [ ] **${severityOf(provider)}** ${title} (\`OTHER_ZONES\`)`);
      });

      it('keeps the script from running', async () => {
        const { code, stderr, calls } = await runScript(provider);
        expect(stderr).toContain(`${finding}\n`);
        expect([code > 0, calls]).toEqual([true, []]);
      });
    },
  );

  describe('the script of a plan with a decision', () => {
    it('says how to accept it', async () => {
      const { code, stderr } = await runScript('provider 3');
      expect([code, stderr]).toEqual([2, expect.stringContaining('--accept OTHER_ZONES\n')]);
    });

    it('runs when the decision is accepted by its code', async () => {
      const { calls } = await runScript('provider 3', '--accept', 'OTHER_ZONES');
      expect(calls).toEqual([['state', 'pull']]);
    });

    it.each([
      [['--accept', 'ANOTHER']],
      [['--accept', 'OTHER']],
      [['--accept', 'OTHER_ZONES_TOO', '2']],
    ])('does not run with %j', async (args) => {
      const { code, calls } = await runScript('provider 3', ...args);
      expect([code, calls]).toEqual([2, []]);
    });

    it.each([[['--accept']], [['--yes']], [['']]])('refuses %j', async (args) => {
      const { code, stderr, calls } = await runScript('provider 3', ...args);
      expect([code, calls]).toEqual([64, []]);
      expect(stderr).toBe('usage: sh plan.sh [--accept CODE]... [STEP]\n');
    });
  });

  it('a blocker is not accepted by its code', async () => {
    const { code, calls } = await runScript('provider 4', '--accept', 'OTHER_ZONES');
    expect([code, calls]).toEqual([1, []]);
  });

  it('with data sources under provider 3 only data sources and the resources of the selected zones are removed', async () => {
    const { stdout } = await runCli([...oneZone, ...INSTALLED['provider 3'], '--json']);
    const { steps } = JSON.parse(stdout);
    const removed: string[] = steps.find(({ kind }: any) => kind === 'remove').addresses;
    const { resources } = JSON.parse(readFileSync(state, 'utf8'));
    const expected = resources
      .filter(({ type }: any) => type.startsWith('cloudflare_waf_'))
      .flatMap(({ mode, instances }: any) =>
        instances.filter(({ attributes }: any) => mode === 'data' || attributes.zone_id === ZONE),
      );
    expect(removed).toHaveLength(expected.length);
    expect(steps.map(({ kind }: any) => kind)).toEqual(
      expect.arrayContaining(['remove', 'import', 'check']),
    );
    // a full plan would call the legacy API for what stays
    const checks = steps.slice(-2).map(({ expects }: any) => expects.plan);
    expect(checks).toEqual(['target-empty', 'empty']);
    expect(steps.at(-1).runs[0].argv).toContain('-refresh=false');
  });

  it('plan without --zone plans all zones of the state', async () => {
    const { resources } = JSON.parse(readFileSync(state, 'utf8'));
    const zones = new Set<string>(
      resources
        .filter(({ type }: any) => type.startsWith('cloudflare_waf_'))
        .flatMap(({ instances }: any) => instances.map((one: any) => one.attributes.zone_id)),
    );
    const ids = [...zones].map((zone) => `${zone}=${RULESET.slice(0, 31)}${zone.slice(0, 1)}`);
    const args = ['plan', '--state', state, '--from', '4.52.8', '--ruleset-id', ...ids];
    const { code, stdout, stderr } = await runCli([...args, '--json']);
    const plan = JSON.parse(stdout);
    expect(plan.zones.map(({ zoneId }: any) => zoneId).toSorted()).toEqual([...zones].toSorted());
    expect([code, stderr]).toEqual([0, '']);
  });

  it('plan --write with a blocker writes nothing', async () => {
    const rule = 'resource "cloudflare_waf_rule" "r" {\n  zone_id = "z"\n}\n';
    const [own, other] = [ZONE, 'f'.repeat(32)].map((zone_id, index_key) =>
      resourceOf('cloudflare_waf_rule', 'r', { id: '100000', zone_id }, { index_key }),
    );
    const instances = [...own!.instances, ...other!.instances];
    const cwd = temporaryFolder({
      'main.tf': rule,
      'state.json': JSON.stringify(stateOf({ ...own, instances })),
      'managed_rules.tf': `resource "cloudflare_ruleset" "managed_rules" {\n  zone_id = "${ZONE}"\n  name = "n"\n  kind = "zone"\n  phase = "http_request_firewall_managed"\n}\n`,
    });
    const environment = { PATH: terraformOf(cwd, 'state.json').searchPath };
    const { code, stderr } = await runCli(
      `plan --zone ${ZONE} --ruleset-id ${RULESET} --dir . --from 3.35.0 --method blocks --write --out plan.json --json`,
      { cwd, environment },
    );
    expect(readFileSync(join(cwd, 'main.tf'), 'utf8')).toBe(rule);
    expect(existsSync(join(cwd, 'plan.json'))).toBe(false);
    expect(existsSync(join(cwd, 'cf-waf-migrate.tf'))).toBe(false);
    const { error } = JSON.parse(stderr);
    expect([code, error]).toMatchObject([
      1,
      {
        code: 'PLAN_INVALID',
        message: expect.stringMatching(/^Nothing was changed: \d blockers? \([A-Z_, ]+\)/),
      },
    ]);
    // the message has a single blocker
    const blockers = error.findings ?? [{ severity: 'blocker', title: '' }];
    expect(error.message).toContain(`: ${blockers.length} blocker`);
    for (const one of blockers)
      expect(one).toMatchObject({ severity: 'blocker', title: expect.any(String) });
  });
});

describe('plan, of a zone whose migration is not finished', () => {
  const rulesets = [entryPoint(deploy(MANAGED, { enabled: true }))];
  const cli = cliWithEmulator(oneZone({ migration: { state: 'validation' }, rulesets }));
  const state = stateOf(
    resourceOf('cloudflare_waf_rule', 'r', { id: '100000', zone_id: ENTERPRISE }),
  );

  it('asks, because `finish` replaces the ruleset', async () => {
    cli.write({ 'state.json': JSON.stringify(state) });
    const { code, document } = await cli.json('plan --state state.json --from 3.35.0');
    expect(code).toBe(2);
    expect(document.findings).toContainEqual(
      expect.objectContaining({
        code: 'ZONE_NOT_MIGRATED',
        severity: 'decision',
        subject: ENTERPRISE,
      }),
    );
  });

  it('prints the command of a remedy as code in Markdown', async () => {
    cli.write({ 'state.json': JSON.stringify(state) });
    const { stdout } = await cli.run('plan --state state.json --from 3.35.0 --format markdown');
    expect(stdout).toContain(
      `then plan again&#58; \`cf-waf-migrate status --zone ${ENTERPRISE}\`.\n`,
    );
  });

  it('leaves it out of the plans of a list', async () => {
    cli.write({ 'zones.txt': `zone,dir\n${ENTERPRISE},edge\n` });
    const { code, stdout } = await cli.run('plan --zones zones.txt --out plans');
    expect([code, stdout]).toEqual([0, expect.stringContaining('not migrated: finish it first')]);
  });
});

describe('plan, of a zone whose migration status cannot be read', () => {
  const action_parameters = { id: MANAGED, overrides: { action: 'log' } };
  const rulesets = [entryPoint(deploy(MANAGED, { enabled: true, action_parameters }))];
  const cli = cliWithEmulator({
    ...oneZone({ migration: { state: 'validation' }, rulesets }),
    faults: [{ kind: 'status', path: '*/waf_migration/status', status: 403 }],
  });

  it('asks if its rules only log, as in validation mode', async () => {
    const state = stateOf(
      resourceOf('cloudflare_waf_rule', 'r', { id: '100000', zone_id: ENTERPRISE }),
    );
    cli.write({ 'state.json': JSON.stringify(state) });
    const { code, document } = await cli.json('plan --state state.json --from 3.35.0');
    expect([code, document.findings.map((one: any) => one.code)]).toEqual([2, ['NEW_RULES_LOG']]);
  });
});
