import { spawn } from 'node:child_process';

export interface ProcessRun {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program with its arguments as they are, and nothing on its standard input. */
export function runProcess(
  file: string,
  args: string[],
  options: { cwd?: string; env?: Record<string, string | undefined> } = {},
): Promise<ProcessRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      const stdout = Buffer.concat(out).toString('utf8');
      resolve({ code: code ?? -1, stdout, stderr: Buffer.concat(err).toString('utf8') });
    });
  });
}
