import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { umask } from 'node:process';
import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { MigrationError, reading } from '../core/migration-error';
import { printable } from '../core/printable';
import { type Environment, terraformEnvironment } from './environment';
import { redactLines, terraformFailure, wasKilled } from './failures';
import { hasOwnGroup, killGroup, stopProcess } from './stop-process';

/**
 * Registers an operation that must end before this tool exits.
 * @param ended resolves with an optional note for the user
 * @param what a name for an operation that may take long
 */
export type Hold = (ended: Promise<string | undefined>, what?: string) => void;

export interface TerraformOptions {
  /** The binary: a name to look up in PATH, or an absolute path. */
  readonly binary: string;
  readonly dir: string;
  readonly environment: Environment;
  /** Timeout in milliseconds; default: ten minutes. */
  readonly timeout?: number | undefined;
  /** Aborted at the first interrupt of the user: Terraform gets SIGINT. */
  readonly signal?: AbortSignal | undefined;
  /** Aborted at the second interrupt: Terraform is killed. */
  readonly hurry?: AbortSignal | undefined;
  /** Called with each run, so that this tool does not exit before it. */
  readonly hold?: Hold | undefined;
  /** Maximum milliseconds for a clean stop; default: half a minute. */
  readonly grace?: number | undefined;
  /** Called every half minute with the running command, because provider 5 waits minutes after a 429. */
  readonly waiting?: ((text: string) => void) | undefined;
  readonly watch?: ((text: string) => void) | undefined;
}

export type TerraformSettings = Omit<TerraformOptions, 'dir'>;

const TEN_MINUTES = 600_000;
const REMINDER = 30_000;
/** Milliseconds for a provider to stop and release the lock, even over a slow network. */
const GRACE = 30_000;

interface Ended {
  readonly code: number;
  readonly stdout: Buffer;
}

/**
 * Runs one subcommand from an argument vector, without a shell.
 * @returns its standard output
 * @throws MigrationError `TERRAFORM_MISSING`, `TERRAFORM_TIMEOUT`, `FILE_UNREADABLE` (the folder),
 *   `TERRAFORM_FAILED` with its standard error
 */
export async function runTerraform(
  args: readonly string[],
  options: TerraformOptions,
): Promise<Buffer> {
  return (await runAccepting(args, options, [0])).stdout;
}

/**
 * Like {@link runTerraform}, but accepts other exit codes: `plan -detailed-exitcode` exits with 2 if the plan
 * has changes.
 */
export async function runAccepting(
  args: readonly string[],
  options: TerraformOptions,
  accepted: readonly number[],
): Promise<Ended> {
  requireFolder(options.dir);
  const place = `${nameOf(args)} in ${printable(options.dir)}`;
  const run: Run = { args, options, place, lockLeft: undefined };
  // start nothing after an interrupt
  if (options.signal?.aborted === true) throw interrupted(run);
  const running = runOnce(run, accepted);
  options.hold?.(
    Promise.allSettled([running]).then(() => run.lockLeft),
    run.place,
  );
  return running;
}

function requireFolder(dir: string): void {
  const missing = `the Terraform folder ${printable(dir)} does not exist`;
  if (reading(missing, () => statSync(dir).isDirectory())) return;
  throw new MigrationError('FILE_UNREADABLE', `${printable(dir)} is not a folder`);
}

/** A subcommand, and its name in messages: `terraform plan in infra`. */
interface Run {
  readonly args: readonly string[];
  readonly options: TerraformOptions;
  readonly place: string;
  /** What to show after an interrupt, if the run may have left a lock. */
  lockLeft: string | undefined;
}

async function runOnce(run: Run, accepted: readonly number[]): Promise<Ended> {
  const { args, options } = run;
  const child = start(run);
  const [printed, said] = [collect(child.stdout), collect(child.stderr)];
  show(child, run);
  await untilClosed(child, run);
  const { exitCode: code, pid } = child;
  if (code !== null && accepted.includes(code)) return { code, stdout: Buffer.concat(printed) };
  const error = terraformFailure({
    command: nameOf(args),
    dir: options.dir,
    code,
    environment: options.environment,
    said: Buffer.concat(said).toString('utf8'),
  });
  if (!wasKilled(code)) throw error;
  // its providers would keep running
  if (pid !== undefined) killGroup(pid);
  throw withHint(error, lockLeftBy(run));
}

/** Waits for the end of a run. Throws if it cannot start, or after a timeout or an interrupt, which stop it. */
async function untilClosed(child: ReturnType<typeof start>, run: Run): Promise<void> {
  const { timeout = TEN_MINUTES, signal, hurry, grace = GRACE } = run.options;
  const over = new AbortController();
  const reminder = remind(run);
  try {
    const first = await Promise.race([
      once(child, 'close', { signal: over.signal }).then(
        () => 'closed' as const,
        (cause: unknown) => Promise.reject(cannotStart(run.options, cause)),
      ),
      // Node 20 collects an AbortSignal.timeout within AbortSignal.any, which then never aborts
      sleep(timeout, 'timeout' as const, { signal: over.signal }),
      ...(signal
        ? [once(signal, 'abort', { signal: over.signal }).then(() => 'interrupt' as const)]
        : []),
    ]);
    if (first === 'closed') return;
    const isKilled = await stopProcess(child, grace, hurry);
    const lockLeft = isKilled ? lockLeftBy(run) : undefined;
    if (first === 'interrupt') {
      run.lockLeft = lockLeft;
      throw interrupted(run);
    }
    const message = `${run.place} did not end in ${Math.ceil(timeout / 1000)} seconds`;
    throw withHint(new MigrationError('TERRAFORM_TIMEOUT', message), lockLeft);
  } finally {
    over.abort();
    clearInterval(reminder);
    // a process of another group can keep them open
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** These write lock files and providers, which other users of the folder may read, but no state. */
const KEEPS_NO_STATE: ReadonlySet<string> = new Set(['init', 'plan']);

/**
 * Starts Terraform without a shell, which would interpret the arguments. So Node refuses a batch file
 * (`.cmd`) on Windows, and throws (CVE-2024-27980). The umask lets only the owner read new files, because
 * Terraform copies the state with their mode.
 */
function start({ args, options }: Run): ChildProcessByStdio<null, Readable, Readable> {
  const { binary, dir: cwd, environment } = options;
  const before = KEEPS_NO_STATE.has(args[0] ?? '') ? undefined : umask(0o077);
  try {
    const env = terraformEnvironment(environment);
    const detached = hasOwnGroup();
    const child = spawn(binary, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached });
    // ignore errors after its end, for example of a signal that could not be sent
    return child.on('error', () => undefined);
  } catch (cause) {
    throw cannotStart(options, cause);
  } finally {
    if (before !== undefined) umask(before);
  }
}

function cannotStart({ binary, dir }: TerraformOptions, cause: unknown): MigrationError {
  const message = `cannot start ${printable(binary)} in ${printable(dir)}`;
  return new MigrationError('TERRAFORM_MISSING', message, { cause });
}

function collect(stream: Readable): Buffer[] {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return chunks;
}

const LONGEST_LINE = 10_000;

/**
 * Shows what Terraform prints for the user, which the state and JSON are not, line by line: printable, without secrets and
 * colours, because much of it comes from the Cloudflare API or a provider.
 */
function show(
  { stdout, stderr }: { readonly stdout: Readable; readonly stderr: Readable },
  { args, options: { environment, watch } }: Run,
): void {
  if (watch === undefined) return;
  const isForUser = !['pull', '-json'].some((word) => args.includes(word));
  for (const input of isForUser ? [stdout, stderr] : [stderr]) {
    // whole lines, so that a secret is recognised even if it arrives in two parts
    const redacted = redactLines(environment);
    createInterface({ input }).on('line', (line) => {
      for (const text of redacted(line))
        watch(`${printable(text.replaceAll('\t', '    '), LONGEST_LINE)}\n`);
    });
  }
}

function remind({ place, options }: Run): NodeJS.Timeout {
  const { timeout = TEN_MINUTES, waiting } = options;
  const start = performance.now();
  return setInterval(() => {
    const passed = Math.round((performance.now() - start) / 1000);
    waiting?.(`waiting for ${place}: ${passed} of at most ${Math.ceil(timeout / 1000)} seconds`);
  }, REMINDER);
}

function nameOf(args: readonly string[]): string {
  // the value of a flag can be a secret
  return `terraform ${args
    .slice(0, 2)
    .filter((one) => !/^-.*=/.test(one))
    .join(' ')}`;
}

function interrupted({ place }: Run): MigrationError {
  return new MigrationError('TERRAFORM_FAILED', `${place} was interrupted`, {
    hint: 'run the same cf-waf-migrate command again to resume',
  });
}

/**
 * A note about a run that may not have released the state lock. Terraform prints the lock id only to a run
 * that waits for it.
 * @returns undefined for a subcommand that takes no lock
 */
function lockLeftBy({ args, place }: Run): string | undefined {
  const [command = '', sub] = args;
  if (sub === 'pull' || ['show', 'version', 'workspace', 'init'].includes(command))
    return undefined;
  return `${place} may have left a lock on the state: when no Terraform runs there, run \`terraform force-unlock <id>\` in that folder, with the id that the next run shows`;
}

function withHint(error: MigrationError, more: string | undefined): MigrationError {
  return more === undefined ? error : error.withHint(`${error.hint}; ${more}`);
}
