import { join } from 'node:path';
import { run } from '../../src/cli/run';

export interface CliRun {
  code: number;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  cwd?: string;
  environment?: Record<string, string>;
  stdin?: Buffer;
  /** What a person answers, question by question; without it there is no terminal. */
  answers?: string[];
  /** The folder of the tool's package, by default this repository. */
  packageRoot?: string;
  /** Whether a person looks at the output. */
  terminal?: boolean;
}

/** Runs one command line inside this process, with an environment of its own. */
export async function runCli(args: string[], options: CliOptions = {}): Promise<CliRun> {
  const result: CliRun = { code: -1, stdout: '', stderr: '' };
  const answers = options.answers === undefined ? undefined : [...options.answers];
  const terminal = options.terminal ?? false;
  result.code = await run(args, {
    version: '0.0.0-test',
    environment: { PATH: process.env['PATH'], ...options.environment },
    cwd: options.cwd ?? process.cwd(),
    packageRoot: options.packageRoot ?? join(__dirname, '../..'),
    node: process.execPath,
    stdout: (text) => (result.stdout += text),
    stderr: (text) => (result.stderr += text),
    terminals: { stdout: terminal, stderr: terminal },
    ask:
      answers === undefined
        ? null
        : (question) => {
            result.stderr += question;
            return Promise.resolve(answers.shift() ?? '');
          },
    readStdin: () => Promise.resolve(options.stdin ?? Buffer.alloc(0)),
    interrupted: new AbortController().signal,
    fault: () => undefined,
    untilInterrupted: () => Promise.resolve(),
  });
  return result;
}
