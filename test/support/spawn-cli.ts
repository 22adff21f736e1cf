import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { join } from 'node:path';

/** The command line, built by the set-up of the tests. */
export const main = join(__dirname, '../../dist/cli/main.js');

export interface SpawnOptions {
  cwd: string;
  environment?: Record<string, string>;
  stdio?: StdioOptions;
  /** A shell script in which `"$@"` is the command line of the tool. */
  through?: string;
}

/** Starts the command line as a process of its own: for signals, pipes and what the system refuses. */
export function startCli(args: string[], options: SpawnOptions): ChildProcess {
  const command = [process.execPath, main, ...args];
  const [file = '', ...rest] =
    options.through === undefined ? command : ['/bin/sh', '-c', options.through, 'sh', ...command];
  return spawn(file, rest, {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...options.environment },
    stdio: options.stdio ?? ['ignore', 'pipe', 'pipe'],
  });
}

export interface SpawnedRun {
  /** Null when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** What a process says until it ends. */
export function untilEnd(child: ChildProcess): Promise<SpawnedRun> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      resolve({ code, signal, stdout, stderr });
    });
  });
}

/** Runs the command line as a process of its own. */
export function spawnCli(args: string[], options: SpawnOptions): Promise<SpawnedRun> {
  return untilEnd(startCli(args, options));
}
