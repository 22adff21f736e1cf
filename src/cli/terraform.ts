import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { planFolder } from '../files/paths';
import { refuseDevice } from '../files/read-json-file';
import { type TerraformOptions } from '../terraform/run-terraform';
import { statePull } from '../terraform/subcommands';
import { neutralisedVariables } from '../terraform/start-terraform';
import { type CliContext, type CommonOptions, notify } from './context';
import { type StatePlaces, type TerraformFlags } from './options';

/**
 * How Terraform is run, by the flags and the environment of the user.
 * @throws MigrationError `USAGE`
 */
export function terraformOptions(
  options: TerraformFlags & CommonOptions,
  context: CliContext,
): Omit<TerraformOptions, 'dir'> {
  const { environment, cwd, interrupted } = context;
  const { terraform, terraformTimeout } = options;
  const seconds = /^\d{1,5}$/.test(terraformTimeout) ? Number(terraformTimeout) : 0;
  if (seconds === 0) {
    const given = printable(terraformTimeout, 20);
    throw new MigrationError('USAGE', `--terraform-timeout "${given}" is not a number of seconds`);
  }
  const ignored = neutralisedVariables(environment);
  if (ignored.length > 0) {
    notify(
      options,
      context,
      `${ignored.join(', ')} ${ignored.length === 1 ? 'is' : 'are'} not passed on: arguments for Terraform go after --, and --verbose shows what it says\n`,
    );
  }
  return {
    // a path is one of the user's folder, not of Terraform's
    binary: isPath(terraform) ? resolve(cwd, terraform) : terraform,
    environment,
    timeout: seconds * 1000,
    signal: interrupted,
    hurry: context.hurry,
    hold: context.hold,
    waiting: (text) => {
      notify(options, context, `${text}\n`);
    },
    ...(options.verbose ? { watch: context.stderr } : {}),
  };
}

/** What the user gives as `--terraform`, as commands name it that are run in another folder than the working one. */
export function binaryFrom(folder: string, terraform: string, cwd: string): string {
  if (folder === cwd || !isPath(terraform) || isAbsolute(terraform)) return terraform;
  const path = planFolder(folder, resolve(cwd, terraform));
  return isPath(path) ? path : `./${path}`;
}

/** A name without a separator is looked up in `PATH`. */
function isPath(terraform: string): boolean {
  return /[\\/]/.test(terraform);
}

/**
 * Reads states as they are; one that does not exist yet is left out.
 * @throws MigrationError `USAGE`, `STATE_UNREADABLE`, `TERRAFORM_…`
 */
export async function readStates(
  { state, dir = [], ...options }: StatePlaces & CommonOptions,
  context: CliContext,
): Promise<Buffer[]> {
  if (state !== undefined && dir.length > 0) {
    throw new MigrationError('USAGE', 'pass either --state or --dir');
  }
  if (state !== undefined) return [await readStateInput(state, context)];
  const terraform = terraformOptions(options, context);
  const states: Buffer[] = [];
  for (const one of new Set(dir.map((path) => resolve(context.cwd, path)))) {
    const bytes = await statePull({ ...terraform, dir: one });
    if (bytes.length > 0) states.push(bytes);
  }
  return states;
}

/**
 * The bytes of `--state`: a file, or standard input.
 * @throws MigrationError `STATE_UNREADABLE`
 */
export async function readStateInput(path: string, context: CliContext): Promise<Buffer> {
  if (path === '-') return context.readStdin();
  const file = resolve(context.cwd, path);
  try {
    refuseDevice(file);
    // at once: in the pieces of a promise, a large state takes twice as long
    return readFileSync(file);
  } catch (cause) {
    throw new MigrationError('STATE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  }
}
