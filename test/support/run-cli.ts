import { run } from '../../src/cli/run';

export interface CliRun {
  code: number;
  stdout: string;
  stderr: string;
}

interface CliOptions {
  cwd?: string;
  environment?: Record<string, string>;
  stdin?: Buffer;
  /** What a person answers, question by question; without it there is no terminal. */
  answers?: string[];
}

/** Runs one command line inside this process, with an environment of its own. */
export async function runCli(args: string[], options: CliOptions = {}): Promise<CliRun> {
  const result: CliRun = { code: -1, stdout: '', stderr: '' };
  const answers = options.answers === undefined ? undefined : [...options.answers];
  result.code = await run(args, {
    version: '0.0.0-test',
    environment: { PATH: process.env['PATH'], ...options.environment },
    cwd: options.cwd ?? process.cwd(),
    node: process.execPath,
    stdout: (text) => (result.stdout += text),
    stderr: (text) => (result.stderr += text),
    ask:
      answers === undefined
        ? null
        : (question) => {
            result.stderr += question;
            return Promise.resolve(answers.shift() ?? '');
          },
    readStdin: () => Promise.resolve(options.stdin ?? Buffer.alloc(0)),
    untilInterrupted: () => Promise.resolve(),
  });
  return result;
}
