import { Readable } from 'node:stream';
import { type ProcessContext } from '../../src/cli/context';
import { run } from '../../src/cli/run';
import { expectAccepted, nextCommands } from './next-commands';

export interface CliRun {
  code: number;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  cwd?: string;
  environment?: Record<string, string>;
  stdin?: Buffer;
  /** The user's answers, one per question, or what happens before one; without them there is no terminal. */
  answers?: (string | (() => Promise<string>))[];
  terminal?: boolean;
  /** Called while a command waits for an interrupt, with its output so far. */
  meanwhile?: (stdout: string) => Promise<void>;
  /** Aborted when the user asks to stop. */
  interrupted?: AbortSignal;
  /** Called at each fault point. */
  fault?: (point: string) => void;
}

/** A command line: words without spaces in them, or a list of words. */
export type Line = string | readonly string[];

/** A command line with more words; a flag that they repeat is replaced. */
export function withFlags(line: readonly string[], more: readonly string[]): string[] {
  const isReplaced = (word = ''): boolean => word.startsWith('--') && more.includes(word);
  return [...line.filter((word, at) => !isReplaced(word) && !isReplaced(line[at - 1])), ...more];
}

export const wordsOf = (line: Line): readonly string[] =>
  typeof line === 'string' ? line.split(' ') : line;

/**
 * Runs one command line inside this process, in its own environment, with retries without delay. Checks that
 * the program accepts the next command that it prints.
 */
export async function runCli(line: Line, options: CliOptions = {}): Promise<CliRun> {
  const result: CliRun = { code: -1, stdout: '', stderr: '' };
  const answers = options.answers === undefined ? undefined : [...options.answers];
  const terminal = options.terminal ?? false;
  let interrupt = () => {};
  const interrupted = new Promise<void>((resolve) => (interrupt = resolve));
  if (options.meanwhile === undefined) interrupt();
  const context: ProcessContext = {
    version: '0.0.0-test',
    environment: { PATH: process.env['PATH'], ...options.environment },
    cwd: options.cwd ?? process.cwd(),
    stdout: (text) => {
      if (result.stdout === '') void options.meanwhile?.(text).finally(interrupt);
      result.stdout += text;
    },
    stderr: (text) => (result.stderr += text),
    terminals: { stdout: terminal, stderr: terminal, columns: 80 },
    ask:
      answers === undefined
        ? null
        : (question) => {
            result.stderr += question;
            const answer = answers.shift() ?? '';
            return typeof answer === 'string' ? Promise.resolve(answer) : answer();
          },
    readStdin: () => Readable.from([options.stdin ?? Buffer.alloc(0)]),
    interrupted: options.interrupted ?? new AbortController().signal,
    wait: () => Promise.resolve(),
    ifStopped: () => () => undefined,
    fault: options.fault ?? (() => undefined),
    untilInterrupted: () => interrupted,
  };
  result.code = await run(wordsOf(line), context);
  for (const next of nextCommands(result.stdout)) await expectAccepted(next);
  return result;
}
