import { join } from 'node:path';
import { statesFolder } from '../plan/support/plans';
import { runCli } from '../support/run-cli';
import { errorOf } from '../support/cli-lab';

const ZONE = '0123456789abcdef0123456789abcdef';
const OTHER = 'f'.repeat(32);
const PLAN = ['plan', '--zone', ZONE];
/** The plan of a zone whose ruleset is known. */
const KNOWN = [...PLAN, '--ruleset-id', ZONE];
const EMPTY = join(statesFolder, 'filter-fwrule-4.52.8.tfstate');
const commands = ['check', 'generate', 'plan', 'status', 'fetch-config', 'emulator', 'demo'];

describe('the help', () => {
  it('lists the commands in groups, and exits with 0', async () => {
    const { code, stdout, stderr } = await runCli(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    const listed = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) .*\S/gm)].map(([, name]) => name);
    expect(listed.slice(0, 3)).toEqual(['status', 'check', 'report']);
    expect(stdout.match(/^[A-Z].*:$/gm)).toContain('Migrate the zone:');
    expect(listed).toEqual(expect.arrayContaining(commands));
  });

  it.each(commands)('of %s has an example that is a command line it takes', async (name) => {
    const { code, stdout } = await runCli([name, '--help']);
    expect(code).toBe(0);
    const [, example = ''] = /\nExample:\n {2}cf-waf-migrate (.+)\n/.exec(stdout) ?? [];
    expect(example.split(' ')[0]).toBe(name);
    const flags = example.match(/--[a-z-]+/g) ?? [];
    for (const flag of flags) expect(stdout).toMatch(new RegExp(`^ {2}${flag}\\b`, 'm'));
  });

  it('of every command fits 40 lines of 80 columns', async () => {
    const { stdout } = await runCli(['completion', 'fish']);
    const words = (text: string): string[] =>
      [...text.matchAll(/__fish_seen_subcommand_from ([a-z-]+)(?=['; ])/g)].map(
        ([, word = '']) => word,
      );
    const paths = new Set(stdout.split('\n').map((line) => words(line).reverse().join(' ')));
    expect(paths.size).toBeGreaterThan(20);
    for (const path of paths) {
      const help = await runCli([...path.split(' ').filter(Boolean), '--help']);
      const lines = help.stdout.trimEnd().split('\n');
      expect([path, lines.length]).toEqual([path, Math.min(lines.length, 40)]);
      const wide = lines.filter(
        (line) => line.length > 80 && !line.startsWith('  cf-waf-migrate '),
      );
      expect([path, wide]).toEqual([path, []]);
    }
  });

  it.each(['firewall', 'firewall rules', 'firewall overrides', 'fleet', 'catalogue'])(
    'of the group %s has one example, of a command in it',
    async (group) => {
      const { stdout } = await runCli([...group.split(' '), '--help']);
      expect(stdout.match(/Example:/g)).toHaveLength(1);
      expect(stdout).toContain(`\nExample:\n  cf-waf-migrate ${group} `);
    },
  );

  it.each([
    ['apply', '--accept <what>', 'accept a decision (code) or a change (address)'],
    ['rehearse', '--accept <what>', 'accept a change by its address'],
    ['verify', '--accept <what>', 'a change (address), or with --tfplan a decision (code)'],
    ['start-validation', '--zone <zone...>', 'zone id or name; one at a time'],
    ['firewall rules list', '--zone <zone...>', 'zone id or name; one at a time'],
    ['fleet status', '--out <file>', 'file to write, not standard output'],
    ['report', '--out <file>', 'file to write; a folder for many zones'],
  ])('of %s says what %s takes', async (path, flag, summary) => {
    const { stdout } = await runCli([...path.split(' '), '--help']);
    const lines = stdout.split(/\n {2}(?=-)/);
    expect(lines.find((line) => line.startsWith(flag))?.replace(/\s+/g, ' ')).toMatch(
      new RegExp(`${summary.replace(/[().]/g, '\\$&')}(?! [a-z])`),
    );
  });

  it('is printed without a command, on standard error, with exit 64', async () => {
    const { code, stdout, stderr } = await runCli([]);
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toContain('Usage: cf-waf-migrate');
    expect(stderr).not.toContain('error:');
  });

  it.each([
    [['--json', '--yes'], 'no command is given'],
    [['fleet', '--json'], 'no command is given'],
  ])('is asked for by %j, which is no command', async (args, message) => {
    const run = await runCli(args);
    expect([run.code, errorOf(run).message]).toEqual([64, message]);
  });

  it.each([[['--no-color', 'help']], [['help', '--json']], [['help', 'check', '--quiet']]])(
    'is printed by %j, flags of every command beside it',
    async (args) => {
      const { code, stdout, stderr } = await runCli(args);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('Usage: cf-waf-migrate');
    },
  );

  it('of a command that there is not says so', async () => {
    const { code, stderr } = await runCli(['help', 'chekc']);
    expect(code).toBe(64);
    expect(stderr).toContain("error: unknown command 'chekc' (USAGE)\n  hint: did you mean check?");
  });

  it('names the option that prints the version', async () => {
    expect((await runCli(['--help'])).stdout).toMatch(/^Usage: .*--version$/m);
  });

  it('--version prints the version alone', async () => {
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: '0.0.0-test\n', stderr: '' });
  });
});

describe('a command line that is wrong', () => {
  it.each([
    [['plan', '--to', '5', '--to', '5'], 'plan'],
    [['apply', '--only', 'x'], 'apply'],
    [['catalogue', 'lookup'], 'catalogue lookup'],
  ])('%j leads to the help of its command, which has an example', async (args, path) => {
    const { code, stderr } = await runCli(args);
    expect(code).toBe(64);
    expect(stderr).toContain(
      `hint: see its options, and an example:\n    cf-waf-migrate ${path} --help\n`,
    );
  });

  it.each([
    ['plan --zones f', 'plan --zones f --out plans'],
    ['fetch-config --zones f', 'fetch-config --zones f --out configs'],
  ])('%s leads to the complete command', async (line, complete) => {
    const { code, stderr } = await runCli(line.split(' '));
    expect([code, stderr]).toEqual([
      64,
      expect.stringContaining(`hint: run:\n    cf-waf-migrate ${complete}\n`),
    ]);
  });

  const wrong: [what: string, args: string[], message: string][] = [
    ['an unknown command', ['chek'], "unknown command 'chek'"],
    ['an unknown flag', ['check', '--zon', ZONE], "unknown option '--zon'"],
    ['a missing zone', ['check'], 'pass the zone: --zone <id or name>'],
    ['no Terraform folder', ['plan'], 'no Terraform configuration in this folder'],
    ['a version without a zone', ['plan', '--state', EMPTY, '--to', '5'], '--to needs a zone'],
    ['a method without a zone', ['plan', '--state', EMPTY, '--method', 'blocks'], 'pass --zone'],
    ['a flag without its value', ['check', '--zone'], "option '--zone <zone...>' argument missing"],
    ['a folder without a name', ['generate', '--zone', ZONE, '--out', ''], '--out is empty'],
    ['a list without a name', ['plan', '--zone', ZONE, '--dir', 'a', ''], '--dir is empty'],
    ['events without a name', ['review', '--events', ''], '--events is empty'],
    ['a plan without a name', ['verify', ''], '[plan] is empty'],
    ['two zones', ['start-validation', '--zone', ZONE, 'a.example'], 'one zone at a time'],
    ['a list', ['start-validation', '--zones', 'zones.txt'], "unknown option '--zones'"],
    ['too many words', ['check', 'extra'], "too many arguments for 'check'"],
    ['an unknown format', ['generate', '--zone', ZONE, '--format', 'yaml'], 'yaml'],
    ['an unknown provider', ['generate', '--zone', ZONE, '--provider', '6'], '6'],
    ['a zone that is none', ['check', '--zone', 'example'], '"example" is neither an id'],
    ['a zone id with a path in it', ['check', '--zone', `${ZONE}/../x`], 'hexadecimal'],
    ['state and folder', ['plan', '--zone', ZONE, '--state', 'a', '--dir', 'b'], 'cannot be used'],
    ['a ruleset id that is none', ['plan', '--zone', ZONE, '--ruleset-id', 'x'], '"x"'],
    ['a ruleset of another zone', [...PLAN, '--ruleset-id', `${OTHER}=${ZONE}`], '--zone does not'],
    ['one ruleset id for two zones', [...PLAN, OTHER, '--ruleset-id', ZONE], '<zone>=<id>'],
    ['a provider version that is none', [...KNOWN, '--state', 'x', '--from', '6'], '"6"'],
    [
      'a time that is none',
      [...KNOWN, '--dir', '.', '--terraform-timeout', '0'],
      '--terraform-timeout "0"',
    ],
    ['a port that is none', ['emulator', '--port', '99999'], '--port "99999"'],
    ['words behind --', ['check', '--zone', ZONE, '--', '-var=a'], 'accepts nothing after --'],
    [
      'flags for Terraform that a plan has or has not',
      ['apply', 'plan.json', '--', '-var-file=prod.tfvars'],
      'flags for Terraform are part of the plan',
    ],
    ['a code that is none', ['rehearse', 'p', '--accept', 'other_zones'], 'neither a code nor an'],
    ['a decision that is none', ['apply', 'p', '--accept', 'BOGUS'], 'has the code BOGUS'],
    ['a decision that is none', ['verify', '--tfplan', 'p', '--accept', 'BOGUS'], 'the code BOGUS'],
    ['events of a query', ['review', '--sql', 'spark', '--events', 'e'], 'cannot be used with'],
    ['a format of a query', ['review', '--sql', 'spark', '--format', 'csv'], 'cannot be used with'],
    ['two accounts', ['status', '--account', 'a', '--account', 'b'], 'Pass this option once'],
    ['two formats', ['plan', '--format', 'sh', '--format', 'json'], 'Pass this option once'],
    [
      'a ledger of one plan',
      ['plan', '--zones', 'z.txt', '--dir', 'a', '--ledger', 'l'],
      '--ledger goes with --zones and a column dir, without --dir',
    ],
    [
      'a ledger of one plan',
      ['rehearse', 'plan.json', '--ledger', 'l'],
      '--ledger goes with --zones',
    ],
    [
      'a ledger of one plan',
      ['verify', 'plan.json', '--ledger', 'l'],
      '--ledger goes with --zones',
    ],
    [
      'a concurrency of one zone',
      ['generate', '--zone', ZONE, '--concurrency', '2'],
      '--concurrency goes with --zones',
    ],
    ['a wave of one plan', ['apply', 'plan.json', '--wave', '2'], '--wave goes with --zones'],
    ['a part that is none', ['apply', 'no-plan.json', '--only', 'edit'], "'edit' is invalid"],
    ['a flag that Terraform may not get', ['plan', '--zone', ZONE, '--', '-target=x'], '"-target"'],
    ['the id of an account that is none', ['status', '--account', 'x'], 'account id "x"'],
    ['an account without an id', ['status', '--account', ''], 'account id ""'],
    [
      'a list and an account',
      ['check', '--zones', 'x', '--account', 'y'],
      'cannot be used with option',
    ],
    ['a zone and a list', ['check', '--zone', ZONE, '--zones', 'x'], 'cannot be used with option'],
    [
      'a ledger for one zone',
      ['check', '--zone', ZONE, '--ledger', 'x'],
      '--ledger goes with --zones or --account, or with several zones',
    ],
    [
      'a ledger of several zones without a list',
      ['status', '--zone', ZONE, OTHER, '--ledger', 'x'],
      '--ledger goes with --zones or --account',
    ],
    [
      'a concurrency of several zones without a list',
      ['report', '--zone', ZONE, OTHER, '--concurrency', '2'],
      '--concurrency goes with --zones or --account',
    ],
    [
      'too many zones at once',
      ['status', '--account', ZONE, '--concurrency', '17'],
      '--concurrency "17" is not a number from 1 to 16',
    ],
    ['many files without a folder', ['fetch-config', '--account', ZONE], '--out <dir>'],
    ['a base URL that is none', ['check', '--zone', ZONE, '--base-url', 'nonsense'], 'base URL'],
    ['a base URL without TLS', ['check', '--zone', ZONE, '--base-url', 'http://a.b'], 'clear text'],
  ];
  const environment = { CLOUDFLARE_API_TOKEN: 'some-token-1234567890' };

  it.each(wrong)('%s: exit 64, the error with a hint, also as JSON', async (_, args, message) => {
    const { code, stdout, stderr } = await runCli(args, { environment });
    expect([code, stdout]).toEqual([64, '']);
    expect(stderr).toMatch(
      /^error: .* \([A-Z_]+\)\n(?: {2}cause: .*\n)*(?: {2}hint: .*\n(?: {4}(?:cf-waf-migrate|npx|npm) .*\n)?)$/,
    );
    expect(stderr).toContain(message);
    const ran = await runCli(args.toSpliced(1, 0, '--json'), { environment });
    expect([ran.code, errorOf(ran)]).toMatchObject([
      64,
      {
        code: expect.stringMatching(/^(USAGE|ID_INVALID|BASE_URL_INVALID)$/),
        message: expect.stringContaining(message),
        hint: expect.stringMatching(/./),
      },
    ]);
  });

  it.each([
    [['chek'], 'did you mean check?'],
    [['check', '--zon', ZONE], 'did you mean --zone?'],
    [['plan', '--stat', 'x'], 'did you mean --state?'],
    [['plan', '--jsn'], 'did you mean --json?'],
    [['check', ZONE], 'see its options, and an example:\n    cf-waf-migrate check --help'],
    [
      ['rollback', 'a.journal.jsonl', '--', '-var=a=b'],
      'plan with them:\n    cf-waf-migrate plan --out plan.json -- -var-file=…',
    ],
  ])('%j: the hint names what was meant', async (args, hint) => {
    expect((await runCli(args)).stderr).toContain(`hint: ${hint}\n`);
  });

  it('is not repeated to the terminal with its control characters', async () => {
    for (const args of [
      ['\u001b[2J'],
      ['check', '--\u001b]0;x\u0007'],
      ['check', '--zone', '\u009b\n'],
    ]) {
      const { code, stderr } = await runCli(args);
      expect(code).toBe(64);
      expect(stderr).not.toMatch(/[^\P{Cc}\n]/u);
    }
  });
});

it.each([
  ['check', '--zones'],
  ['fleet', 'status', '--ledger'],
])('a file that cannot be opened is named: %s %s', async (...args) => {
  const name = 'a'.repeat(300);
  const { code, stderr } = await runCli([...args, name]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(`${name} \\(FILE_UNREADABLE\\)`)]);
});

it.each([['--json'], ['--json', '--no-color', '--verbose']])(
  'flags of every command may stand before it as well: %j',
  async (...flags) => {
    const args = ['check', '--zone', 'x'];
    expect(await runCli([...flags, ...args])).toEqual(await runCli([...args, ...flags]));
  },
);

describe('colour', () => {
  const args = ['check', '--zone', 'x'];
  const esc = '\u001b[';

  it('marks what weighs, on a terminal', async () => {
    const { stderr } = await runCli(args, { terminal: true });
    expect(stderr).toContain(`${esc}31merror:${esc}39m`);
    const forced = { FORCE_COLOR: '1', TERM: 'dumb' };
    expect((await runCli(args, { environment: forced })).stderr).toBe(stderr);
    const plain = (await runCli(args)).stderr;
    // eslint-disable-next-line no-control-regex
    expect(stderr.replace(/\u001b\[\d+m/g, '')).toBe(plain);
  });

  it.each([
    ['without a terminal', args, {}, false],
    ['with --no-color', [...args, '--no-color'], {}, true],
    ['with NO_COLOR', args, { NO_COLOR: '1' }, true],
    ['on a terminal that knows none', args, { TERM: 'dumb' }, true],
    ['with an empty FORCE_COLOR', args, { FORCE_COLOR: '' }, false],
    ['with --json', [...args, '--json'], {}, true],
  ])('is not there %s', async (_, line, environment, terminal) => {
    const { stderr, stdout } = await runCli(line, { environment, terminal });
    expect(stdout + stderr).not.toContain(esc);
  });
});
