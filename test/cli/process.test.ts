import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Emulator, startEmulator } from '../../src/emulator/emulator';
import { RULESET, statesFolder, ZONE } from '../plan/support/plans';
import { appliedFolder, resource, stateText } from '../support/applied-folder';
import { fakeTerraform } from '../support/fake-terraform';
import { silent, startFaultServer } from '../support/fault-server';
import { spawnCli, startCli } from '../support/spawn-cli';
import { untilEnd } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';
import { environmentOf } from '../support/cli-lab';
import { MIGRATED } from '../support/zones';

const oldWaf = join(statesFolder, 'tainted-3.35.tfstate');
const plan = ['plan', '--zone', ZONE, '--ruleset-id', RULESET];
const generate = ['generate', '--zone', MIGRATED, '--format', 'hcl', '--out', 'waf'];

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ scenario: 'demo' });
});
afterAll(() => emulator.stop());

describe('a reader that goes away', () => {
  it('of the output is no failure, and nothing is said', async () => {
    const cwd = temporaryFolder();
    const through = '{ "$@"; echo "code $?" >&2; } | head -n 1';
    const args = [...plan, '--state', oldWaf, '--json'];
    const ran = await spawnCli(args, { cwd, through });
    expect([ran.stdout, ran.stderr]).toEqual(['{\n', 'code 0\n']);
  });

  it('before anything is said leaves the exit code of the command as it is', async () => {
    const cwd = temporaryFolder();
    const through = '{ "$@"; echo "code $?" >&2; } | { exec <&-; }';
    const ran = await spawnCli([...plan, '--state', oldWaf], { cwd, through });
    expect([ran.stdout, ran.stderr]).toEqual(['', 'code 0\n']);
  });

  it('of the errors is no failure either', async () => {
    const cwd = temporaryFolder();
    const through = '{ { "$@" 2>&1 > /dev/null; echo "code $?" >&3; } | true; } 3>&1';
    const ran = await spawnCli(['check', '--zone', 'x'], { cwd, through });
    expect([ran.stdout, ran.stderr]).toEqual(['code 64\n', '']);
  });
});

it('decisions are printed once if both outputs go to one file, otherwise on each', async () => {
  const cwd = temporaryFolder();
  const rule = (name: string, zone_id: string) => ({
    ...{ ...resource('cloudflare_waf_rule', { zone_id }), name },
  });
  const state = stateText(1, [rule('a', ZONE), rule('b', 'b'.repeat(32))]);
  writeFileSync(join(cwd, 'state.json'), state);
  const args = [...plan, '--state', 'state.json', '--from', '3.35.0'];
  const count = (text: string) => text.match(/\(OTHER_ZONES\)/g)?.length;
  const apart = await spawnCli(args, { cwd });
  expect([count(apart.stdout), count(apart.stderr)]).toEqual([1, 1]);
  const together = await spawnCli(args, { cwd, through: '"$@" 2>&1' });
  expect([count(together.stdout), count(together.stderr)]).toEqual([1, undefined]);
});

describe('an output that cannot be written', () => {
  it('on a full disk is a failure with its cause, as text and as JSON', async () => {
    const cwd = temporaryFolder();
    const through = '"$@" > /dev/full';
    const text = await spawnCli([...plan, '--state', oldWaf], { cwd, through });
    expect(text.code).toBe(1);
    expect(text.stderr).toMatch(/^error: cannot write to standard output \(OUTPUT_UNWRITABLE\)\n/);
    expect(text.stderr).toContain('ENOSPC');
    const json = await spawnCli([...plan, '--state', oldWaf, '--json'], { cwd, through });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stderr).error.code).toBe('OUTPUT_UNWRITABLE');
  });

  it('closed is like no output at all', async () => {
    const cwd = temporaryFolder();
    const ran = await spawnCli([...plan, '--state', oldWaf], { cwd, through: '"$@" >&- 2>&-' });
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, '', '']);
  });

  it('as a file that may not grow leaves neither the file nor a part of it', async () => {
    const cwd = temporaryFolder();
    const through = `trap '' XFSZ; ulimit -f 1; "$@"`;
    const args = [...plan, '--state', oldWaf, '--format', 'json', '--out', 'plans/plan.json'];
    const ran = await spawnCli([...args, '--json'], { cwd, through });
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    const { error } = JSON.parse(ran.stderr);
    expect([error.code, error.causes[0]]).toEqual([
      'FILE_UNWRITABLE',
      expect.stringMatching(/^EFBIG/),
    ]);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

it.each([
  ['closed', '"$@" <&-', 'STATE_INVALID'],
  ['empty', '"$@" < /dev/null', 'STATE_INVALID'],
  ['a folder', '"$@" < /', 'STATE_INVALID'],
])('standard input that is %s: exit 1, no stack', async (_, through, code) => {
  const ran = await spawnCli([...plan, '--state', '-', '--json'], {
    cwd: temporaryFolder(),
    through,
  });
  expect([ran.code, JSON.parse(ran.stderr).error.code]).toEqual([1, code]);
});

describe('a signal', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s in the middle of a request: exit %i, nothing written', async (signal, code) => {
    const server = await startFaultServer(silent);
    const cwd = temporaryFolder();
    try {
      const environment = { ...environmentOf(emulator), CLOUDFLARE_BASE_URL: server.baseUrl };
      const child = startCli(generate, { cwd, environment });
      const ended = untilEnd(child);
      while (server.requests.length === 0) await new Promise((done) => setTimeout(done, 20));
      child.kill(signal);
      expect(await ended).toMatchObject({ code, stdout: '', stderr: '' });
      expect(readdirSync(cwd)).toEqual([]);
    } finally {
      await server.close();
    }
  });

  it('during a review leaves no events in the folder for temporary files', async () => {
    const [cwd, TMPDIR] = [temporaryFolder(), temporaryFolder()];
    const child = startCli(['review', '--events', '-'], {
      ...{ cwd, environment: { TMPDIR } },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const ended = untilEnd(child);
    child.stdin!.write('{}\n');
    await until(() => String(readdirSync(TMPDIR, { recursive: true })).includes('standard-input'));
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stderr: '' });
    expect(readdirSync(TMPDIR)).toEqual([]);
  });

  it('during apply, while no Terraform runs, says how to resume', async () => {
    const server = await startFaultServer(silent);
    const { folder, at, binary, journal, plan: saved, write } = appliedFolder();
    try {
      rmSync(at(journal));
      write('plan.json', JSON.stringify(saved));
      const environment = { ...environmentOf(emulator), CLOUDFLARE_BASE_URL: server.baseUrl };
      const line = ['apply', 'plan.json', '--yes', '--terraform', binary];
      const child = startCli(line, { cwd: folder, environment });
      const ended = untilEnd(child);
      await until(() => server.requests.length > 0);
      child.kill('SIGINT');
      const { code, stderr } = await ended;
      expect([code, stderr]).toEqual([130, expect.stringContaining(resumes(line))]);
    } finally {
      await server.close();
    }
  });

  const resumes = (line: readonly string[]): string =>
    `stopped; to resume, run the same command again:\n  cf-waf-migrate apply plan.json --terraform ${line.at(-1)} --yes\n`;

  /** Plans a folder with a Terraform that runs for long. Waits until it runs. */
  async function planning(before: string, last: string) {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'tf'));
    const fake = fakeTerraform(cwd, `${before} echo $$ > "$(dirname "$0")/pid"; ${last}`);
    const child = startCli([...plan, '--dir', 'tf', '--out', 'plan.json'], {
      cwd,
      environment: { PATH: fake.searchPath },
    });
    const ended = untilEnd(child);
    const pidFile = join(cwd, 'fake-bin/pid');
    const pid = await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').trim());
    return { cwd, child, ended, pid };
  }

  it('while Terraform runs stops Terraform as well', async () => {
    const { cwd, child, ended, pid } = await planning('', 'exec sleep 600');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(143);
    expect(readdirSync(cwd).sort()).toEqual(['fake-bin', 'tf']);
    await until(() => !isAlive(Number(pid)));
  });

  it('a second one ends a Terraform that does not hear, so that it does not outlive the tool', async () => {
    const { child, ended, pid } = await planning("trap '' TERM;", 'while :; do sleep 1; done');
    let said = '';
    child.stderr!.on('data', (text: string) => (said += text));
    child.kill('SIGTERM');
    await until(() => said.includes('press Ctrl-C again to end it now: terraform state pull in'));
    child.kill('SIGTERM');
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([
      143,
      expect.stringContaining('\nending Terraform now: terraform state pull in '),
    ]);
    await until(() => !isAlive(Number(pid)));
  });

  it('at any moment of generate leaves whole files or none, and no parts', async () => {
    const environment = environmentOf(emulator);
    const names = ['docs_example_com.tf', 'providers.tf'];
    const whole = temporaryFolder();
    await spawnCli(generate, { cwd: whole, environment });
    const textsIn = (cwd: string, files: string[]): string[] =>
      files.map((name) => readFileSync(join(cwd, 'waf', name), 'utf8'));
    for (const delay of [0, 4, 16]) {
      const cwd = temporaryFolder();
      const child = startCli([...generate, '--verbose'], { cwd, environment });
      const ended = untilEnd(child);
      // three requests are asked; then the files are written
      let requests = 0;
      child.stderr!.on('data', (text: string) => {
        requests += text.split('\n').length - 1;
        if (requests >= 3) setTimeout(() => child.kill('SIGTERM'), delay);
      });
      expect([0, 143]).toContain((await ended).code);
      const left = readdirSync(cwd).includes('waf') ? readdirSync(join(cwd, 'waf')).sort() : [];
      expect([[], names]).toContainEqual(left);
      expect(textsIn(cwd, left)).toEqual(textsIn(whole, left));
    }
  }, 300_000);
});

describe('the emulator as a process', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'prints one JSON line, and ends well on %s',
    async (signal) => {
      const child = startCli(['emulator', '--scenario', 'pro'], { cwd: temporaryFolder() });
      const ended = untilEnd(child);
      const [line] = (await once(child.stdout!, 'data')) as [string];
      const { baseUrl, zones, environment } = JSON.parse(line);
      expect(zones).toEqual([expect.objectContaining({ name: 'blog.example.com', plan: 'pro' })]);
      expect(Object.keys(environment)).toEqual(['3', '4', '5']);
      const token: string = environment[5].CLOUDFLARE_API_TOKEN;
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`${baseUrl}/zones`, { headers })).status).toBe(200);
      child.kill(signal);
      expect(await ended).toMatchObject({ code: 0, stdout: line, stderr: '' });
    },
  );

  it('says so when the port is taken', async () => {
    const port = new URL(emulator.baseUrl).port;
    const ran = await spawnCli(['emulator', '--port', port, '--json'], { cwd: temporaryFolder() });
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: 'EMULATOR_PORT',
      message: `cannot listen on port ${port}`,
    });
  });
});

async function until<T>(condition: () => T): Promise<T> {
  for (;;) {
    const value = condition();
    if (value) return value;
    await new Promise((done) => setTimeout(done, 20));
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
