import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { terraformFailure, wasKilled } from './failures';
import { readOutput, type TerraformOutput } from './output';
import { cannotStart, requireFolder, startTerraform, type TerraformStart } from './start-terraform';
import { processGroup, stopProcess } from './stop-process';

/**
 * Registers an operation that must end before this tool exits.
 * @param ended resolves with an optional note for the user
 * @param what a name for an operation that may take long
 */
export type Hold = (ended: Promise<string | undefined>, what?: string) => void;

export interface TerraformOptions extends TerraformStart {
  /** Timeout in milliseconds; default: ten minutes. */
  readonly timeout?: number | undefined;
  /** Aborted at the first interrupt of the user: Terraform is asked to stop. */
  readonly signal?: AbortSignal | undefined;
  /** Aborted at the second interrupt: Terraform is killed. */
  readonly hurry?: AbortSignal | undefined;
  /** Called with each run, so that this tool does not exit before it. */
  readonly hold?: Hold | undefined;
  /** Maximum milliseconds for a clean stop; default: half a minute. */
  readonly grace?: number | undefined;
  /** Called every half minute with the running command, because provider 5 waits minutes after a 429. */
  readonly waiting?: ((text: string) => void) | undefined;
  /** Called with each output line for the user: printable, without secrets. */
  readonly watch?: ((text: string) => void) | undefined;
  /** Maximum number of output bytes; default: 1 GiB. */
  readonly limit?: number | undefined;
}

const TEN_MINUTES = 600_000;
const LARGEST = 2 ** 30;
/** Milliseconds between two reminders. */
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
  const run: Run = { args, options, place: `${nameOf(args)} in ${printable(options.dir)}` };
  // start nothing after an interrupt
  if (options.signal?.aborted === true) throw interrupted(run);
  const running = runOnce(run, accepted);
  options.hold?.(
    running.then(
      (outcome) => ('lockLeft' in outcome ? outcome.lockLeft : undefined),
      () => undefined,
    ),
    run.place,
  );
  const outcome = await running;
  if ('error' in outcome) throw outcome.error;
  return outcome;
}

/** A subcommand, and its name in messages: `terraform plan -input=false in infra`. */
interface Run {
  readonly args: readonly string[];
  readonly options: TerraformOptions;
  readonly place: string;
}

/** A failed or stopped run, with a note about a lock that it may have left. */
interface Failed {
  readonly error: MigrationError;
  readonly lockLeft?: string | undefined;
}

async function runOnce(run: Run, accepted: readonly number[]): Promise<Ended | Failed> {
  const { args, options } = run;
  const { dir, environment, signal, hurry, grace = GRACE, limit = LARGEST, watch } = options;
  const group = processGroup();
  const child = startTerraform(args, options, group.detached);
  const isForUser = !['pull', '-json'].some((word) => args.includes(word));
  const output = readOutput(child, { environment, limit, watch, isForUser });
  const over = new AbortController();
  const reminder = remind(run);
  try {
    const reason = await Promise.race([
      once(child, 'close', { signal: over.signal }).then(
        () => undefined,
        (cause: unknown) => {
          throw cannotStart(options, cause);
        },
      ),
      ...reasonsToStop(run, output, over.signal),
    ]);
    if (reason !== undefined) {
      const mayHoldLock = await stopProcess({ child, group, grace, hurry });
      const lockLeft = mayHoldLock ? lockLeftBy(run) : undefined;
      // after an interrupt, `hold` shows the note
      return { error: signal?.aborted === true ? reason : withHint(reason, lockLeft), lockLeft };
    }
  } finally {
    over.abort();
    clearInterval(reminder);
    output.end();
  }
  const { exitCode: code, pid } = child;
  if (code !== null && accepted.includes(code)) return { code, stdout: output.printed() };
  const error = terraformFailure({
    ...{ command: nameOf(args), dir, code, said: output.said(), environment },
  });
  if (!wasKilled(code)) return { error };
  // its providers would keep running
  if (pid !== undefined) group.end(pid);
  return { error: withHint(error, lockLeftBy(run)) };
}

/** Each promise resolves when the run must be stopped; none resolves after its end. */
function reasonsToStop(
  run: Run,
  { tooLong }: TerraformOutput,
  over: AbortSignal,
): Promise<MigrationError>[] {
  const { place, options } = run;
  const { timeout = TEN_MINUTES, limit = LARGEST, signal } = options;
  const seconds = Math.ceil(timeout / 1000);
  const timedOut = `${place} did not end in ${seconds} seconds`;
  return [
    sleep(timeout, new MigrationError('TERRAFORM_TIMEOUT', timedOut), { signal: over }),
    tooLong.then(
      () => new MigrationError('TERRAFORM_FAILED', `${place} printed more than ${limit} bytes`),
    ),
    ...(signal === undefined
      ? []
      : [once(signal, 'abort', { signal: over }).then(() => interrupted(run))]),
  ];
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
  return `terraform ${args.slice(0, 2).join(' ')}`;
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
