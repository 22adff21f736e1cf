import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runTerraform, type TerraformOptions } from '../../src/terraform/run-terraform';
import { failureOf } from '../support/client-under-test';
import { fakeTerraform } from '../support/fake-terraform';
import { temporaryFolder } from '../support/temporary-folder';

interface RunOptions extends Partial<TerraformOptions> {
  arguments?: string[];
}

function run(body: string, { arguments: args, ...options }: RunOptions = {}): Promise<Buffer> {
  const dir = temporaryFolder();
  const { path } = fakeTerraform(dir, body);
  const environment = { PATH: process.env['PATH'] };
  const of = { binary: path, dir, environment, ...options };
  return runTerraform(args ?? ['state', 'pull'], of);
}

const fails = (said: string): string => `printf 'Error: no\n\n${said}\n' >&2; exit 1`;

describe('a run of Terraform', () => {
  it('gives the bytes that it printed, whatever they are', async () => {
    expect(await run("printf 'a\\000\\377\\n'")).toEqual(Buffer.from([0x61, 0, 0xff, 0x0a]));
  });

  it('keeps what it says beside it out of the result', async () => {
    expect((await run('echo warning >&2; echo state')).toString()).toBe('state\n');
  });

  it('is stopped when the user asks to stop', async () => {
    const controller = new AbortController();
    const running = failureOf(run('exec sleep 600', { signal: controller.signal }));
    setTimeout(() => {
      controller.abort();
    }, 200);
    expect((await running).message).toContain('was interrupted');
  });

  it('is not started any more then', async () => {
    const signal = AbortSignal.abort();
    const made = await failureOf(run('exit 0', { signal }));
    expect([made.code, made.message]).toEqual([
      'TERRAFORM_FAILED',
      expect.stringContaining('was interrupted'),
    ]);
    expect(made.hint).toContain('run the same cf-waf-migrate command again');
  });

  /** A subcommand that is interrupted as soon as it is up, at once where that is said. */
  async function interrupted(
    body: string,
    args: readonly string[],
    isHurried: boolean,
    grace: number,
  ) {
    const [asked, again] = [new AbortController(), new AbortController()];
    const notes: (string | undefined)[] = [];
    const dir = temporaryFolder();
    const { path: binary } = fakeTerraform(dir, body);
    const environment = { PATH: process.env['PATH'] };
    const error = await failureOf(
      runTerraform(args, {
        ...{ binary, dir, environment, signal: asked.signal, hurry: again.signal, grace },
        hold: (ended) => void ended.then((note) => notes.push(note)),
        watch: () => {
          asked.abort();
          if (isHurried) again.abort();
        },
      }),
    );
    return { dir, error, notes };
  }
  const importing = ['import', 'a.b', 'x'];
  /** A grace that no test waits for. */
  const ENDLESS = 600_000;
  /** Started by a wrapper without `exec`. */
  const wrapped = (real: string): string => `sh -c "${real}"; exit $?`;
  const lockNamed = expect.stringMatching(
    /^terraform import a\.b in \S+ may have left a lock .* `terraform force-unlock <id>`/,
  );

  describe('that hears no signal', () => {
    const deaf = "trap '' INT; echo up >&2; while :; do sleep 1; done";

    it.each([
      ['at once', 'itself', deaf, true],
      ['after its grace', 'itself', deaf, false],
      ['at once', 'behind a wrapper', wrapped(deaf), true],
      ['after its grace', 'behind a wrapper', wrapped(deaf), false],
    ])('is ended %s, and its lock named: %s', async (_, _who, body, isHurried) => {
      const grace = isHurried ? ENDLESS : 200;
      const { error, notes } = await interrupted(body, importing, isHurried, grace);
      expect(error.message).toContain('was interrupted');
      expect(notes).toEqual([lockNamed]);
    });

    it('has none where it only reads', async () => {
      const { notes } = await interrupted(deaf, ['state', 'pull'], true, ENDLESS);
      expect(notes).toEqual([undefined]);
    });

    it('has it named when its time is over, too', async () => {
      const dir = temporaryFolder();
      const { path: binary } = fakeTerraform(dir, wrapped(deaf));
      const options = { binary, dir, environment: { PATH: process.env['PATH'] } };
      const error = await failureOf(
        runTerraform(importing, { ...options, timeout: 1_000, grace: 200 }),
      );
      expect([error.code, error.hint]).toEqual([
        'TERRAFORM_TIMEOUT',
        expect.stringContaining('force-unlock'),
      ]);
    });
  });

  it('behind a wrapper that does not exec it has its time to give the lock back', async () => {
    const unlocking =
      "trap 'sleep 0.3; touch unlocked; exit 1' INT; echo up >&2; while :; do sleep 0.1; done";
    const { dir, error, notes } = await interrupted(wrapped(unlocking), importing, false, ENDLESS);
    expect(error.message).toContain('was interrupted');
    expect(existsSync(join(dir, 'unlocked'))).toBe(true);
    expect(notes).toEqual([undefined]);
  });

  it.each([
    ['in the same group that ignores signals is ended', 'sh -c \'trap "" INT;', 500, [lockNamed]],
    ['of another group is not waited for', "setsid sh -c '", ENDLESS, [undefined]],
  ])('a process that it leaves, with its pipes open, %s', async (_, begin, grace, expected) => {
    const left = `${begin} echo up >&2; exec sleep 20'`;
    const body = `trap 'exit 1' INT; ${left} & while :; do sleep 0.1; done`;
    const { error, notes } = await interrupted(body, importing, false, grace);
    expect(error.message).toContain('was interrupted');
    expect(notes).toEqual(expected);
  });

  it('reports that it cannot be started where Node refuses at once, as for a batch file', async () => {
    const error = await failureOf(run('exit 0', { binary: 'terraform\0.cmd' }));
    expect(error.code).toBe('TERRAFORM_MISSING');
  });

  it.each([
    ['No value for required variable', 'part of the plan: `-- -var-file=…`'],
    ['must provide one of "api_key", "api_token" or "api_user_service_key".', 'the credentials'],
    ['Authentication error (10000)', 'check the credentials that the provider reads'],
    ['Invalid request headers (6003)', 'check the credentials that the provider reads'],
    ['Invalid format for Authorization header (6111)', 'check the credentials that the'],
    ['{"code": 6003, "error_chain": []}', 'check the credentials that the provider reads'],
    ['Failed to unmarshal v4 ruleset state', 'plan the import of the rulesets'],
    [
      'Saving a generated plan is currently not supported',
      'set the execution mode of the workspace',
    ],
    [
      'Please run\n"terraform init" with either the "-reconfigure" or "-migrate-state" flags',
      'the backend of the folder is not the one',
    ],
    [
      'Reason: Initial configuration of the requested backend "s3"\n\nPlease run\n"terraform init" with either the "-reconfigure" or "-migrate-state" flags',
      'run `terraform init` in that folder',
    ],
    [
      'Inconsistent dependency lock file\n- provider registry.terraform.io/hashicorp/cloudflare: required by this configuration but no version is selected\nrun:\n  terraform init -upgrade',
      'Add it there, also in the root module: cloudflare = { source = "cloudflare/cloudflare" }',
    ],
    ['Moved resource instances excluded by targeting', 'run `terraform state mv` in your folder'],
    [
      'Instance cannot be destroyed: either disable lifecycle.prevent_destroy',
      'keep prevent_destroy',
    ],
    ['Failed to write state: write terraform.tfstate: no space left on device.', 'check the disk'],
    [
      'Error message: could not write lock info for "a": write .a.lock.info: no\nspace left on device',
      'restore terraform.tfstate.backup',
    ],
    [
      '- Unsupported state file format: The state file could not be parsed as JSON: syntax error',
      'restore terraform.tfstate.backup',
    ],
  ])('has a specific hint where it says "%s"', async (said, hint) => {
    const error = await failureOf(run(fails(said)));
    expect(error.hint).toContain(hint);
  });

  it.each([
    ['0f3a1f6e-0000-4000-8000-000000000001', '0f3a1f6e-0000-4000-8000-000000000001'],
    ['1; rm -rf /', '<id>'],
  ])('names the holder and the id of a lock, and two ways on: %s', async (id, typed) => {
    const lines = `Error acquiring the state lock\n\nError message: resource temporarily unavailable\nLock Info:\n  ID:        ${id}\n  Path:      terraform.tfstate\n  Operation: OperationTypeApply\n  Who:       root@\u202evm\n  Version:   1.11.4\n  Created:   2026-11-23 07:00:56 +0000 UTC\n  Info:      \n`;
    const error = await failureOf(run(fails(lines)));
    expect([error.code, error.message.replace(/ in \S+:/, ' in .:')]).toEqual([
      'STATE_LOCKED',
      `terraform state pull in .: the state is locked by root@\\u{202e}vm since 2026-11-23 07:00:56 +0000 UTC, lock id ${id}`,
    ]);
    expect(error.hint).toMatch(/^wait until that process has ended.*; if it no longer runs/);
    expect(error.hint.endsWith(`:\nterraform force-unlock ${typed}`)).toBe(true);
  });

  const ofInit = expect.stringContaining('run `terraform init` in that folder');

  it.each([
    ['was never initialised', '', 'no', ofInit],
    ['has its data elsewhere', 'mkdir data; ', 'no', undefined],
    ['was initialised', 'mkdir .terraform; ', 'no', undefined],
    ['has changed since', 'mkdir .terraform; ', 'Please run "terraform init".', ofInit],
    ['has no module', '', 'Error: No module\n\n on main.tf line 1:\nRun "terraform init".', ofInit],
    [
      'has a syntax error',
      '',
      'Error: Invalid expression\n\n  on main.tf line 2, in resource "x" "y":',
      'correct the file at the line that the cause names, then run the same command again',
    ],
    [
      'has a warning, beside an error of another kind',
      'mkdir .terraform; printf "Warning: Redundant empty provider block\\n\\n  on main.tf line 1:\\n" >&2; ',
      'dial tcp: no route',
      undefined,
    ],
    [
      'has a resource that fails',
      'mkdir .terraform; ',
      'Error: refused\n\n  with x.y,\n  on main.tf line 2, in resource "x" "y":',
      undefined,
    ],
  ])('has a hint where the folder %s', async (_, first, said, hint) => {
    const environment = {
      PATH: process.env['PATH'],
      ...(first.includes('data') && { TF_DATA_DIR: 'data' }),
    };
    const error = await failureOf(run(`${first}${fails(said)}`, { environment }));
    const byHand = 'run the same command by hand in that folder';
    expect([error.code, error.hint]).toEqual(['TERRAFORM_FAILED', hint ?? byHand]);
  });

  it('shows no line of the configuration, which can be of a linked file', async () => {
    const said = 'Error: Invalid\n\n  on main.tf line 5:\n   5: secret = "hunter2"\n\nNot valid.';
    const { cause } = await failureOf(run(fails(said)));
    expect(String(cause)).toBe('Error: Error: Invalid on main.tf line 5: Not valid.');
  });

  it('is ended by taskkill on Windows, where a signal would end it at once', async () => {
    const { spawn } = childProcess;
    const started: (readonly string[])[] = [];
    const spied = jest.spyOn(childProcess, 'spawn').mockImplementation(((
      file: string,
      args: readonly string[],
      options: childProcess.SpawnOptions,
    ) => {
      if (file !== 'taskkill') return spawn(file, args, options);
      started.push(args);
      process.kill(Number(args[1]), 'SIGKILL');
      return new EventEmitter();
    }) as never);
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value: 'win32' });
    try {
      const body = "trap 'touch signalled' INT TERM; while :; do sleep 0.1; done";
      const { dir, error } = await interrupted(`echo up >&2; ${body}`, importing, false, 300);
      expect(error.message).toContain('was interrupted');
      expect(existsSync(join(dir, 'signalled'))).toBe(false);
      expect(started).toEqual([['/pid', expect.stringMatching(/^\d+$/), '/T', '/F']]);
    } finally {
      Object.defineProperty(process, 'platform', { value: platform });
      spied.mockRestore();
    }
  });

  it.each([
    ['keeps its copies of the state to their owner', 'import', 0o600],
    ['leaves what others read by to all who work in the folder', 'plan', 0o666],
    ['leaves what is no state to all who work in the folder', 'init', 0o666],
  ])('%s (%s)', async (_, subcommand, mode) => {
    const dir = temporaryFolder();
    const { path } = fakeTerraform(dir, 'echo > left');
    const before = process.umask(0);
    const { PATH } = process.env;
    const after = await runTerraform([subcommand], { binary: path, dir, environment: { PATH } })
      .catch(() => undefined)
      .then(() => process.umask(before));
    expect(after).toBe(0);
    expect(statSync(join(dir, 'left')).mode & 0o777).toBe(mode);
  });

  it('does not repeat a credential that the provider refuses', async () => {
    const refused = 'Error: Invalid\n\nAttribute api_key must have 37 characters, got: 12\n34';
    const error = await failureOf(run(`printf '${refused}' >&2; exit 1`));
    expect(error.message).toContain('Error: Invalid');
    expect(String(error.cause)).toMatch(/37 characters, got: \[redacted\]$/);
  });

  it('may say a megabyte on standard error', async () => {
    const error = await failureOf(run("yes 'Error: no' | head -c 1000000 >&2; exit 1"));
    expect(error.code).toBe('TERRAFORM_FAILED');
    expect(error.message.length).toBeLessThan(500);
  });
});

/** The lines that are shown while a body runs. */
async function shown(body: string, secrets: Readonly<Record<string, string>> = {}) {
  const lines: string[] = [];
  const environment = { PATH: process.env['PATH'], ...secrets };
  const watch = (text: string): void => void lines.push(text);
  await run(body, { arguments: ['plan'], environment, watch });
  return lines;
}

describe('what Terraform says while it runs', () => {
  const secret = { API_TOKEN: 'very-secret-token' };
  const pause = '; sleep 0.1; ';

  it.each<[string, string, string[], Record<string, string>]>([
    ['in full lines', `printf a${pause}printf 'b\\nc\\r\\n\\nd'`, ['ab\n', 'c\n', '\n', 'd\n'], {}],
    ['with whole characters', `printf '\\303'${pause}printf '\\251\\n'`, ['é\n'], {}],
    ['with the space of tabs', "printf 'a\\tb\\n'", ['a    b\n'], {}],
    ['without a secret', 'echo $API_TOKEN', ['[redacted]\n'], secret],
    [
      'without a secret in two pieces',
      `printf 'with very-sec'${pause}printf 'ret-token\\n'`,
      ['with [redacted]\n'],
      secret,
    ],
    ['without a coloured secret', "printf 'very-\\033[1msecret-token'", ['[redacted]\n'], secret],
    ['without lines of the configuration', "printf '│   10: key = 5\\nb\\n'", ['b\n'], {}],
    [
      'without the token that a provider refuses',
      "printf '│ Attribute api_token must have 40\\n│ characters, got:\\n│ my token\\n╵\\nb\\n'",
      ['│ Attribute api_token must have 40\n', '│ characters, got: [redacted]\n', '╵\n', 'b\n'],
      {},
    ],
  ])('is shown %s', async (_, body, lines, secrets) => {
    expect(await shown(body, secrets)).toEqual(lines);
  });

  it('drives no terminal: without its colours, and the rest as escapes', async () => {
    const [line] = await shown(
      "printf '\\033[31mError\\033[0m: \\033]0;pwn\\007x\\b\\342\\200\\256y\\n'",
    );
    expect(line).toMatch(/^Error: .*x\\u\{8\}\\u\{202e\}y\n$/);
    // eslint-disable-next-line no-control-regex -- what drives a terminal
    expect(line).not.toMatch(/[\u001b\u0007\u202e]/);
  });

  it('is cut where a line does not end', async () => {
    const [line = ''] = await shown("head -c 100000 /dev/zero | tr '\\0' x");
    expect(line).toMatch(/^x{10000}…\n$/);
  });
});

describe('a run of Terraform, while it lasts', () => {
  it('keeps the state that it prints to itself', async () => {
    const seen: string[] = [];
    const watch = (text: string): void => void seen.push(text);
    await run('echo state; echo warning >&2', { watch });
    expect(seen).toEqual(['warning\n']);
  });

  it('says every half minute what is waited for, and nothing once it has ended', async () => {
    const said: string[] = [];
    const waiting = (text: string): void => void said.push(text);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const running = run('echo state', { waiting, timeout: 90_000 });
      jest.advanceTimersByTime(29_000);
      expect(said).toEqual([]);
      jest.advanceTimersByTime(32_000);
      expect(said).toEqual([
        expect.stringMatching(
          /^waiting for terraform state pull in .*: \d+ of at most 90 seconds$/,
        ),
        expect.stringMatching(
          /^waiting for terraform state pull in .*: \d+ of at most 90 seconds$/,
        ),
      ]);
      await running;
      jest.advanceTimersByTime(60_000);
      expect(said).toHaveLength(2);
    } finally {
      jest.useRealTimers();
    }
  });

  it('is in a separate process group: Ctrl-C of a terminal reaches it once', async () => {
    const group = (await run("ps -o pgid= -p $$ | tr -d ' '")).toString().trim();
    const own = (await run("ps -o pgid= -p $PPID | tr -d ' '")).toString().trim();
    expect(group).not.toBe(own);
  });

  /** Waits until a process has ended; in a container it may remain as a zombie. */
  async function untilGone(id: string): Promise<void> {
    const listed = async () => (await run(`ps -o stat= -p ${id.trim()} || true`)).toString();
    while (!/^(Z.*)?\s*$/.test(await listed()));
  }

  it('is stopped when its time is over, also after a garbage collection', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const collecting = setInterval(() => {
      collect();
    }, 50);
    const error = await failureOf(run('exec sleep 600', { timeout: 1000, grace: 200 }));
    clearInterval(collecting);
    expect(error.code).toBe('TERRAFORM_TIMEOUT');
  });

  it('takes its providers with it when its time is over and it has to be killed', async () => {
    const stubborn = "trap '' INT; sleep 600 & echo $! >&2; wait; wait";
    const seen: string[] = [];
    const watch = (text: string): void => void seen.push(text);
    const error = await failureOf(run(stubborn, { timeout: 300, grace: 300, watch }));
    expect([error.code, error.hint]).toEqual([
      'TERRAFORM_TIMEOUT',
      expect.not.stringContaining('force-unlock'),
    ]);
    await untilGone(seen.join(''));
  });

  it.each([
    ['', ''],
    [', below a wrapper,', 'sh -c '],
  ])('that is killed%s takes its providers with it, and says how to resume', async (_, below) => {
    const provider = join(temporaryFolder(), 'provider');
    const start = `sleep 600 > /dev/null 2>&1 & echo $! > "${provider}"; kill -9 $$`;
    const body = below === '' ? start : `${below}'${start}'; exit $?`;
    const error = await failureOf(run(body, { arguments: ['state', 'rm', 'a.b'] }));
    expect([error.code, error.message]).toEqual([
      'TERRAFORM_FAILED',
      expect.stringContaining('terraform state rm was killed'),
    ]);
    expect(error.hint).toMatch(/run the same cf-waf-migrate command again[^]*force-unlock/);
    await untilGone(readFileSync(provider, 'utf8'));
  });
});
