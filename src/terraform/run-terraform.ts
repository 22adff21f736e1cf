import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { processGroup, stopProcess } from './stop-process';
import { cannotStart, requireFolder, startTerraform, type TerraformStart } from './start-terraform';
import { terraformFailure, wasKilled } from './failures';
import { watchLines } from './output';

/**
 * Takes what has to end before the tool does.
 * @param ended resolves with what a person has to know of how it ended
 * @param what it is, where it may be waited for long
 */
export type Hold = (ended: Promise<string | undefined>, what?: string) => void;

/** How to run Terraform. */
export interface TerraformOptions extends TerraformStart {
  /** Milliseconds until it is stopped; ten minutes when it is left out. */
  readonly timeout?: number | undefined;
  /** Aborted when the user asks to stop: Terraform is asked to stop as well. */
  readonly signal?: AbortSignal | undefined;
  /** Aborted when the user does not wait for that: Terraform is ended. */
  readonly hurry?: AbortSignal | undefined;
  /** Told of each run, so that the tool does not end before it. */
  readonly hold?: Hold | undefined;
  /** Milliseconds that it may take to stop when it is asked to; half a minute when it is left out. */
  readonly grace?: number | undefined;
  /** Told every half minute what is waited for: provider 5 sits through a 429 for minutes. */
  readonly waiting?: ((text: string) => void) | undefined;
  /** Called with what it says while it runs, line by line: printable, secrets taken out. */
  readonly watch?: ((text: string) => void) | undefined;
  /** Most bytes that it may print; 1 GiB when it is left out. */
  readonly limit?: number | undefined;
}

const TEN_MINUTES = 600_000;
const LARGEST = 2 ** 30;
/** Of what it says on standard error, this much is kept. */
const SAID = 64 * 1024;
/** Milliseconds between two words on what is waited for. */
const WORD = 30_000;
/** Until then a provider is stopped and the lock of the state given back, over a slow network too. */
const GRACE = 30_000;

interface Ended {
  readonly code: number;
  readonly stdout: Buffer;
}

/**
 * Runs one subcommand: an argument vector, no shell.
 * @returns what it printed on standard output
 * @throws MigrationError `TERRAFORM_MISSING`, `TERRAFORM_TIMEOUT`, `FILE_UNREADABLE` (the folder),
 *   `TERRAFORM_FAILED` with what it said on standard error
 */
export async function runTerraform(
  args: readonly string[],
  options: TerraformOptions,
): Promise<Buffer> {
  return (await runAccepting(args, options, [0])).stdout;
}

/**
 * As {@link runTerraform}, for a subcommand of which other exit codes are answers as well:
 * `plan -detailed-exitcode` ends with 2 when it would change something.
 */
export async function runAccepting(
  args: readonly string[],
  options: TerraformOptions,
  accepted: readonly number[],
): Promise<Ended> {
  const { hold, signal } = options;
  requireFolder(options.dir);
  const place = `${nameOf(args)} in ${printable(options.dir)}`;
  // whoever asks to stop starts nothing
  if (signal?.aborted === true) throw interrupted(place);
  const run: Run = { args, options, place };
  const running = runStarted(run, accepted);
  const note = (): string | undefined => run.lockLeft;
  hold?.(running.then(note, note), place);
  return running;
}

interface Run {
  readonly args: readonly string[];
  readonly options: TerraformOptions;
  /** What runs, and where. */
  readonly place: string;
  /** Set where it was ended and may have left the lock of the state. */
  lockLeft?: string | undefined;
}

async function runStarted(run: Run, accepted: readonly number[]): Promise<Ended> {
  const { args, options, place } = run;
  const { dir, environment, signal, hurry, grace = GRACE } = options;
  const group = processGroup();
  const child = startTerraform(args, options, group.detached);
  const closed = new Promise<number | null>((resolve, reject) => {
    child.on('error', (cause) => {
      reject(cannotStart(options, cause));
    });
    child.on('close', resolve);
  });
  const output = readOutput(child, run);
  const limits = watchLimits(run);
  try {
    const reason = await Promise.race([
      closed.then(() => undefined),
      output.tooLong,
      limits.reached,
    ]);
    if (reason !== undefined) {
      const isLost = await stopProcess({ child, group, grace, hurry });
      if (isLost) run.lockLeft = lockLeftBy(args, place);
      // `hold` tells the user who asked to stop
      throw signal?.aborted === true ? reason : withLockLeft(reason, run.lockLeft);
    }
  } finally {
    limits.forget();
    output.end();
    // a process of another group can hold them open
    child.stdout.destroy();
    child.stderr.destroy();
  }
  const code = await closed;
  if (code !== null && accepted.includes(code)) return { code, stdout: output.printed() };
  const failure = terraformFailure({
    command: nameOf(args),
    dir,
    code,
    said: output.said(),
    environment,
  });
  if (!wasKilled(code)) throw failure;
  // providers do not notice that their Terraform was killed
  if (child.pid !== undefined) group.end(child.pid);
  throw withLockLeft(failure, lockLeftBy(args, place));
}

/** Collects what a child prints, and shows it line by line. */
function readOutput(
  { stdout, stderr }: ReturnType<typeof startTerraform>,
  { args, options, place }: Run,
) {
  const { environment, limit = LARGEST, watch } = options;
  const [watchedOut, watchedErr] =
    watch === undefined ? [] : [0, 1].map(() => watchLines(watch, environment));
  // states and plans are printed without a pause; what is for people comes line by line
  const isForPeople = !['pull', '-json'].some((word) => args.includes(word));
  const out: Buffer[] = [];
  let size = 0;
  let said = '';
  stderr.on('data', (chunk: Buffer) => {
    if (said.length < SAID) said += chunk.toString('utf8');
    watchedErr?.take(chunk);
  });
  const tooLong = new Promise<MigrationError>((resolve) => {
    stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (isForPeople) watchedOut?.take(chunk);
      if (size <= limit) out.push(chunk);
      else {
        const message = `${place} printed more than ${limit} bytes`;
        resolve(new MigrationError('TERRAFORM_FAILED', message));
      }
    });
  });
  return {
    tooLong,
    printed: () => Buffer.concat(out),
    said: () => said,
    end: () => {
      watchedOut?.end();
      watchedErr?.end();
    },
  };
}

/** Resolves when the time is over or the user asks to stop, and tells meanwhile what is waited for. */
function watchLimits({ options, place }: Run) {
  const { timeout = TEN_MINUTES, signal, waiting } = options;
  const start = performance.now();
  const seconds = Math.ceil(timeout / 1000);
  const word = setInterval(() => {
    const passed = Math.round((performance.now() - start) / 1000);
    waiting?.(`waiting for ${place}: ${passed} of at most ${seconds} seconds`);
  }, WORD);
  let forget = (): void => undefined;
  const reached = new Promise<MigrationError>((resolve) => {
    const timer = setTimeout(() => {
      const message = `${place} did not end in ${seconds} seconds`;
      resolve(new MigrationError('TERRAFORM_TIMEOUT', message));
    }, timeout);
    const interrupt = (): void => {
      resolve(interrupted(place));
    };
    signal?.addEventListener('abort', interrupt);
    forget = () => {
      clearTimeout(timer);
      clearInterval(word);
      signal?.removeEventListener('abort', interrupt);
    };
  });
  return { reached, forget };
}

const nameOf = (args: readonly string[]): string => `terraform ${args.slice(0, 2).join(' ')}`;

function interrupted(place: string): MigrationError {
  return new MigrationError('TERRAFORM_FAILED', `${place} was interrupted`, {
    hint: 'run the same cf-waf-migrate command again: it finds out what is done',
  });
}

/**
 * What the user has to know of a run that had no time to release the lock of the state. Terraform tells its
 * id only to a run that waits for it.
 * @returns undefined for a subcommand that locks nothing
 */
function lockLeftBy(args: readonly string[], place: string): string | undefined {
  const [command = '', sub] = args;
  if (sub === 'pull' || ['show', 'version', 'workspace', 'init'].includes(command))
    return undefined;
  return `where ${place} held the lock of the state, that may be left: once no Terraform runs there any more, \`terraform force-unlock <id>\` in that folder gives it back, with the id that the next run shows`;
}

function withLockLeft(error: MigrationError, left: string | undefined): MigrationError {
  return left === undefined ? error : error.withHint(`${error.hint}; ${left}`);
}
