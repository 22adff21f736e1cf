#!/usr/bin/env node
import { fstatSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { attempt, MigrationError, reading } from '../core/migration-error';
import { printable, printableJson } from '../core/printable';
import { type ProcessContext } from './context';
import { renderErrorJson, renderErrorText } from './output';
import { run } from './run';

const args = process.argv.slice(2);
const isJson = args.includes('--json');

/** The process for the commands: only this file accesses it. */
function readContext(): ProcessContext {
  return {
    version: readVersion(),
    environment: process.env,
    cwd: reading('the working directory is gone', () => process.cwd()),
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    terminals: {
      stdout: isatty(1),
      stderr: isatty(2),
      areOneFile: areOneFile(),
      get columns() {
        return process.stderr.columns || 80;
      },
    },
    readStdin,
    // standard input is opened later, because opening it loads a dozen modules
    ask: isatty(0) && isatty(2) ? ask : null,
    ...interruptible,
    fault: (point) => {
      if (process.env['CF_WAF_MIGRATE_KILL_AT'] === point) process.kill(process.pid, 'SIGKILL');
    },
  };
}

function areOneFile(): boolean {
  const [out, err] = [1, 2].map((file) => attempt(() => fstatSync(file, { bigint: true })));
  return out !== undefined && out.ino === err?.ino && out.dev === err.dev;
}

async function* readStdin(): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterable<Uint8Array> = process.stdin;
  try {
    yield* chunks;
  } catch (cause) {
    throw new MigrationError('FILE_UNREADABLE', 'cannot read standard input', { cause });
  }
}

/** Ctrl-C and Ctrl-D count as an empty answer. */
async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline');
  return new Promise((resolve) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    terminal.once('SIGINT', () => {
      terminal.close();
    });
    terminal.once('close', () => {
      resolve('');
    });
    terminal.question(question, (answer) => {
      resolve(answer);
      terminal.close();
    });
  });
}

/** Read at run time, because package.json is not in the compiled folder, which has the depth of the source. */
function readVersion(): string {
  const path = join(__dirname, '../../package.json');
  const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '';
}

/** Prints a notice about a signal: with `--json` as an event, since scripts parse each line as JSON. */
function tell(message: string): void {
  process.stderr.write(
    isJson ? `${printableJson({ event: 'interrupted', message })}\n` : `${message}\n`,
  );
}

/** Maximum wait in milliseconds for work that is held: longer than Terraform may take to stop. */
const LONGEST = 45_000;
/** Maximum wait in milliseconds if Terraform is killed. */
const LONGEST_AT_ONCE = 5_000;

const interruption = new AbortController();
const hurry = new AbortController();
/** Terraform runs, and folders that contain a state, with their names. */
const held = new Map<Promise<string | undefined>, string | undefined>();
const unfinished = new Set<readonly string[]>();
/** Ends a command that runs until it is interrupted. */
let endUntilInterrupted: (() => void) | undefined;

const interruptible: Pick<
  ProcessContext,
  'interrupted' | 'hurry' | 'hold' | 'ifStopped' | 'untilInterrupted'
> = {
  interrupted: interruption.signal,
  hurry: hurry.signal,
  hold: (ended, what) => {
    held.set(ended, what);
    void ended.then((note) => {
      held.delete(ended);
      if (note !== undefined && interruption.signal.aborted) tell(note);
    });
  },
  ifStopped: (...lines) => {
    unfinished.add(lines);
    return () => unfinished.delete(lines);
  },
  untilInterrupted: () =>
    new Promise((resolve) => {
      endUntilInterrupted = resolve;
    }),
};

/**
 * Ends the process at a signal, after locks are released and folders removed. Signals arrive only between steps,
 * because files are written synchronously (files/write-files.ts).
 */
function interrupt(code: number): void {
  if (endUntilInterrupted) {
    endUntilInterrupted();
    endUntilInterrupted = undefined;
    return;
  }
  const isAgain = interruption.signal.aborted;
  interruption.abort();
  if (held.size === 0) endInterrupted(code);
  // a second signal does not wait, but ends all Terraform runs, so that none writes the state later
  if (isAgain) hurry.abort();
  // an import or a push that itself waits for a lock hears no signal
  const now = isAgain
    ? 'ending Terraform now'
    : 'waiting up to 30 seconds for Terraform to stop; press Ctrl-C again to end it now';
  // a folder that is waited for has no name
  const runs = [...held.values()].filter((what) => what !== undefined);
  tell(runs.length === 0 ? now : `${now}: ${runs.join(', ')}`);
  void untilReleased(isAgain ? LONGEST_AT_ONCE : LONGEST).then(() => endInterrupted(code));
}

function endInterrupted(code: number): never {
  // the progress bar stays on the terminal to show how far the run was
  if (unfinished.size > 0 && isatty(2)) process.stderr.write('\n');
  for (const lines of unfinished) tell(lines.map((line) => printable(line)).join('\n  '));
  process.exit(code);
}

async function untilReleased(milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  do {
    const late = new Promise((resolve) => setTimeout(resolve, end - performance.now()));
    await Promise.race([Promise.allSettled(held.keys()), late]);
    // lets the code that awaited it clean up
    await new Promise((resolve) => setImmediate(resolve));
  } while (held.size > 0 && performance.now() < end);
}

function fail(error: unknown): void {
  process.stderr.write(isJson ? renderErrorJson(error) : renderErrorText(error));
  process.exit(1);
}

// a closed reader (`| head`) is not an error, but a full disk is
process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
  if (cause.code === 'EPIPE') return;
  fail(new MigrationError('OUTPUT_UNWRITABLE', 'cannot write to standard output', { cause }));
});
// errors cannot be reported without standard error
process.stderr.on('error', () => undefined);

for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interrupt(128 + constants.signals[signal]);
  });
}

async function main(): Promise<void> {
  process.exitCode = await run(args, readContext());
}
// all output is written by then, so skip the shutdown of the Node engine
process.once('beforeExit', () => process.exit());
void main().catch(fail);
// esbuild treats a file without an export as CommonJS and wraps every module, which doubles the start-up time
export {};
