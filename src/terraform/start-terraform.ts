import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { umask } from 'node:process';
import { type Readable } from 'node:stream';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { NEUTRALISED_VARIABLES } from '../core/terraform-syntax';

/** These write lock files and providers, which other users of the folder may read, but no state. */
const KEEPS_NO_STATE: ReadonlySet<string> = new Set(['init', 'plan']);

export interface TerraformStart {
  /** The binary: a name to look up in PATH, or an absolute path. */
  readonly binary: string;
  /** Folder of the configuration. */
  readonly dir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Starts Terraform without a shell, which would interpret the arguments. So Node refuses a batch file
 * (`.cmd`) on Windows, and throws (CVE-2024-27980). The umask lets only the owner read new files, because
 * Terraform copies the state with their mode.
 */
export function startTerraform(
  args: readonly string[],
  options: TerraformStart,
  detached: boolean,
): ChildProcessByStdio<null, Readable, Readable> {
  const { binary, dir, environment } = options;
  const env = terraformEnvironment(environment);
  const start = () =>
    spawn(binary, args, { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'], detached });
  try {
    const child = KEEPS_NO_STATE.has(args[0] ?? '') ? start() : forOwner(start);
    // ignore errors after its end, for example of a signal that could not be sent
    return child.on('error', () => undefined);
  } catch (cause) {
    throw cannotStart(options, cause);
  }
}

/** Starts a process whose new files only their owner can read. */
function forOwner<Result>(start: () => Result): Result {
  const before = umask(0o077);
  try {
    return start();
  } finally {
    umask(before);
  }
}

export function cannotStart({ binary, dir }: TerraformStart, cause: unknown): MigrationError {
  const message = `cannot start ${printable(binary)} in ${printable(dir)}`;
  return new MigrationError('TERRAFORM_MISSING', message, { cause });
}

/** @throws MigrationError `FILE_UNREADABLE` */
export function requireFolder(dir: string): void {
  try {
    if (statSync(dir).isDirectory()) return;
  } catch (cause) {
    const message = `the Terraform folder ${printable(dir)} does not exist`;
    throw new MigrationError('FILE_UNREADABLE', message, { cause });
  }
  throw new MigrationError('FILE_UNREADABLE', `${printable(dir)} is not a folder`);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Windows ignores the case of variable names. */
const NEUTRALISED = new RegExp(`^(${NEUTRALISED_VARIABLES.join('|')})`, 'i');

/**
 * The user's environment, with `TF_WORKSPACE` and `TF_DATA_DIR`, but without variables that would change this
 * tool's commands.
 */
export function terraformEnvironment(environment: Environment): Record<string, string | undefined> {
  const inherited = Object.entries(environment).filter(([name]) => !NEUTRALISED.test(name));
  return { ...Object.fromEntries(inherited), TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1' };
}

/** The user's variables that are removed and would have an effect. */
export function neutralisedVariables(environment: Environment): string[] {
  return Object.keys(environment)
    .filter((name) => NEUTRALISED.test(name) && environment[name] !== '')
    .filter((name) => !/^TF_INPUT$/i.test(name) || !/^(0|false)$/i.test(environment[name] ?? ''))
    .sort();
}
