import { resolve } from 'node:path';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type PlannedState } from '../plan/planned-state';
import { type CommonOptions } from './command';
import { type CliContext } from './context';
import { terraformOptions, type TerraformFlags } from './terraform-options';

/** Where `plan` reads states, and what it is told about them. */
export interface StateOptions extends TerraformFlags {
  readonly state?: string;
  readonly dir?: readonly string[];
  readonly from?: string;
  readonly to?: string;
}

/**
 * Reads the states that a plan is for.
 * @param folder of the plan: the folders of the configurations are named relative to it
 * @throws MigrationError `USAGE`, `STATE_…`, `TERRAFORM_…`
 */
export async function readPlannedStates(
  options: StateOptions & CommonOptions,
  context: CliContext,
  folder: string,
): Promise<PlannedState[]> {
  const { readStateBytes, readStateOfDir } = await import('../actions/read-state');
  const { parseProviderVersion } = await import('../plan/provider-version');
  const versions = {
    from: options.from === undefined ? undefined : parseProviderVersion(options.from),
    to: options.to === undefined ? undefined : parseProviderVersion(options.to),
  };
  const { state, dir = [] } = options;
  if ((state === undefined) === (dir.length === 0)) {
    throw new MigrationError('USAGE', 'pass either --state or --dir');
  }
  if (state !== undefined) {
    const bytes = state === '-' ? await context.readStdin() : await readStateFile(state, context);
    return [readStateBytes(bytes, context.environment['TF_WORKSPACE'] || 'default', versions)];
  }
  const terraform = await terraformOptions(options, context);
  const states: PlannedState[] = [];
  for (const one of new Set(dir.map((path) => resolve(context.cwd, path)))) {
    states.push(await readStateOfDir(one, terraform, versions, folder));
  }
  return states;
}

async function readStateFile(path: string, { cwd }: CliContext): Promise<Buffer> {
  const { readFile } = await import('node:fs/promises');
  return readFile(resolve(cwd, path)).catch((cause: unknown) => {
    throw new MigrationError('STATE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  });
}
