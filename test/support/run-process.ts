import { type ChildProcess, spawn } from 'node:child_process';

export interface ProcessRun {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program with unchanged arguments and empty standard input. */
export async function runProcess(
  file: string,
  args: string[],
  options: { cwd?: string; env?: Record<string, string | undefined> } = {},
): Promise<ProcessRun> {
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const { code, stdout, stderr } = await untilEnd(child);
  return { code: code ?? -1, stdout, stderr };
}

export interface EndedProcess {
  /** Null if a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** What a process prints until it ends. */
export function untilEnd(child: ChildProcess): Promise<EndedProcess> {
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
