import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';

/** How to start Terraform. */
export interface TerraformOptions {
  /** The binary: a name that is looked up in PATH, or a path. */
  readonly binary: string;
  /** Folder of the configuration. */
  readonly dir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Variables that change what a subcommand does or prints behind our back (docs/architecture.md). */
const NEUTRALISED = /^TF_(CLI_ARGS|LOG|INPUT)/;

/**
 * Runs one subcommand: an argument vector, no shell.
 * @returns what it printed on standard output
 * @throws MigrationError `TERRAFORM_MISSING`, `TERRAFORM_FAILED` with what it said on standard error
 */
export async function runTerraform(
  args: readonly string[],
  options: TerraformOptions,
): Promise<Buffer> {
  const inherited = Object.entries(options.environment).filter(([name]) => !NEUTRALISED.test(name));
  const env = { ...Object.fromEntries(inherited), TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1' };
  const command = `terraform ${args.slice(0, 2).join(' ')}`;
  return new Promise((resolve, reject) => {
    const child = spawn(options.binary, args, {
      cwd: options.dir,
      env,
      shell: false,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', (cause) => {
      reject(
        new MigrationError(
          'TERRAFORM_MISSING',
          `cannot start ${printable(options.binary)} in ${printable(options.dir)}`,
          { cause },
        ),
      );
    });
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(out));
      else reject(failure(command, options.dir, code, Buffer.concat(err).toString('utf8')));
    });
  });
}

function failure(command: string, dir: string, code: number | null, said: string): MigrationError {
  const lines = said.split('\n').map((line) => stripVTControlCharacters(line).trim());
  const error =
    lines.find((line) => line.includes('Error: ')) ??
    lines.find((line) => line !== '') ??
    'no message';
  const message = printable(error.replace(/^[│╷\s]*/, ''), 300);
  const exit = code === null ? 'was killed' : `failed with exit code ${code}`;
  return new MigrationError(
    'TERRAFORM_FAILED',
    `${command} ${exit} in ${printable(dir)}: ${message}`,
  );
}
