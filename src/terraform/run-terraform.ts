import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { lockLeft, withLockLeft } from './lock-left';
import { processGroup } from './process-group';
import { cannotStart, requireFolder, startTerraform, type TerraformStart } from './start-terraform';
import { StopChild } from './stop-child';
import { terraformFailure, wasKilled } from './terraform-failure';
import { watchLines } from './watch-lines';

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
  const { dir, environment, timeout = TEN_MINUTES, limit = LARGEST, signal, hurry } = options;
  const { grace = GRACE, hold, waiting, watch } = options;
  requireFolder(dir);
  const command = `terraform ${args.slice(0, 2).join(' ')}`;
  const isForPeople = !['pull', '-json'].some((word) => args.includes(word));
  const place = `${command} in ${printable(dir)}`;
  const interruption = (): MigrationError =>
    new MigrationError('TERRAFORM_FAILED', `${place} was interrupted`, {
      hint: 'run the same cf-waf-migrate command again: what is done is found out',
    });
  // who is asked to stop begins nothing
  if (signal?.aborted === true) throw interruption();
  let note = (): string | undefined => undefined;
  const running = new Promise<Ended>((resolve, reject) => {
    const group = processGroup();
    const child = startTerraform(args, options, group.detached);
    const stopping = new StopChild(child, group, grace, (reason) => {
      ended();
      // a process of another group can hold them open: that is not waited for
      child.stdout.destroy();
      child.stderr.destroy();
      // who asked to stop is told by whom that holds
      reject(signal?.aborted === true ? reason : withLockLeft(reason, note()));
    });
    note = () => (stopping.wasEnded ? lockLeft(args, place) : undefined);
    const out: Buffer[] = [];
    let printed = 0;
    let said = '';
    const seconds = Math.ceil(timeout / 1000);
    const timer = setTimeout(() => {
      stopping.ask(
        new MigrationError('TERRAFORM_TIMEOUT', `${place} did not end in ${seconds} seconds`),
      );
    }, timeout);
    const start = performance.now();
    const word = setInterval(() => {
      const passed = Math.round((performance.now() - start) / 1000);
      waiting?.(`waiting for ${place}: ${passed} of at most ${seconds} seconds`);
    }, WORD);
    const interrupt = (): void => {
      stopping.ask(interruption());
    };
    const end = (): void => {
      stopping.hurry();
    };
    signal?.addEventListener('abort', interrupt);
    hurry?.addEventListener('abort', end);
    const [watchedOut, watchedErr] =
      watch === undefined ? [] : [0, 1].map(() => watchLines(watch, environment));
    const ended = (): void => {
      watchedOut?.end();
      watchedErr?.end();
      clearTimeout(timer);
      clearInterval(word);
      stopping.forget();
      hurry?.removeEventListener('abort', end);
      signal?.removeEventListener('abort', interrupt);
    };

    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.length;
      // states and plans are printed without a pause; what is for people comes line by line
      if (isForPeople) watchedOut?.take(chunk);
      if (printed <= limit) out.push(chunk);
      else
        stopping.ask(
          new MigrationError('TERRAFORM_FAILED', `${place} printed more than ${limit} bytes`),
        );
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (said.length < SAID) said += chunk.toString('utf8');
      watchedErr?.take(chunk);
    });
    child.on('error', (cause) => {
      ended();
      reject(cannotStart(options, cause));
    });
    child.on('exit', () => {
      stopping.exited();
    });
    child.on('close', (code) => {
      // who was asked to stop has ended when all that it started has
      if (stopping.reason) return;
      ended();
      const failure = (): MigrationError =>
        terraformFailure({ command, dir, code, said, environment });
      if (wasKilled(code)) {
        // a provider does not notice that its Terraform was killed
        if (child.pid !== undefined) group.end(child.pid);
        reject(withLockLeft(failure(), lockLeft(args, place)));
      } else if (accepted.includes(code)) resolve({ code, stdout: Buffer.concat(out) });
      else reject(failure());
    });
  });
  hold?.(
    running.then(
      () => note(),
      () => note(),
    ),
    place,
  );
  return running;
}
