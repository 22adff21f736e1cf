import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { join } from 'node:path';
import { type EndedProcess, untilEnd } from './run-process';

/** The command line, built by the set-up of the tests. */
export const main = join(__dirname, '../../dist/cli/main.js');

export interface SpawnOptions {
  cwd: string;
  environment?: Record<string, string>;
  stdio?: StdioOptions;
  /** A shell script in which `"$@"` is the command line of the tool. */
  through?: string;
}

/** Starts the command line as a separate process, for tests of signals, pipes and system errors. */
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

export function spawnCli(args: string[], options: SpawnOptions): Promise<EndedProcess> {
  return untilEnd(startCli(args, options));
}
