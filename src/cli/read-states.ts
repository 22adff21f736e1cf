import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { refuseDevice } from '../files/refuse-device';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { statePull } from '../terraform/state-pull';
import { type CommonOptions } from './command';
import { type CliContext } from './context';
import { terraformOptions, type TerraformFlags } from './terraform-options';

/** Where states are read: a file, a stream, or the backends of Terraform folders. */
export interface StatePlaces extends TerraformFlags {
  readonly state?: string;
  readonly dir?: readonly string[];
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
