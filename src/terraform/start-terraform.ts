import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { type Readable } from 'node:stream';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { terraformEnvironment } from './terraform-environment';

/** What Terraform is started with. */
export interface TerraformStart {
  /** The binary: a name that is looked up in PATH, or an absolute path. */
  readonly binary: string;
  /** Folder of the configuration. */
  readonly dir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Without a shell, which would read what the arguments say. So a batch file (`.cmd`) does not do on
 * Windows: Node refuses to start one, and throws (CVE-2024-27980).
 */
export function startTerraform(
  args: readonly string[],
  options: TerraformStart,
  detached: boolean,
): ChildProcessByStdio<null, Readable, Readable> {
  const { binary, dir, environment } = options;
  try {
    const env = terraformEnvironment(environment);
    return spawn(binary, args, {
      cwd: dir,
      env,
      shell: false,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached,
    });
  } catch (cause) {
    throw missing(options, cause);
  }
}

/** That the binary cannot be started. */
export function missing({ binary, dir }: TerraformStart, cause: unknown): MigrationError {
  const message = `cannot start ${printable(binary)} in ${printable(dir)}`;
  return new MigrationError('TERRAFORM_MISSING', message, { cause });
}

/** @throws MigrationError `FILE_UNREADABLE` */
export function requireFolder(dir: string): void {
  try {
    if (statSync(dir).isDirectory()) return;
  } catch (cause) {
    const message = `the Terraform folder ${printable(dir)} is not there`;
    throw new MigrationError('FILE_UNREADABLE', message, { cause });
  }
  throw new MigrationError('FILE_UNREADABLE', `${printable(dir)} is not a folder`);
}
