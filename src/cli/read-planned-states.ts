import { resolve } from 'node:path';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type PlannedState } from '../plan/planned-state';
import { type CommonOptions } from './command';
import { type CliContext } from './context';

/** Where `plan` reads states, and what it is told about them. */
export interface StateOptions {
  readonly state?: string;
  readonly dir?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly terraform: string;
  readonly terraformTimeout: string;
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

async function terraformOptions(options: StateOptions & CommonOptions, context: CliContext) {
  const { environment, cwd, interrupted } = context;
  const { terraform, terraformTimeout } = options;
  const seconds = /^\d{1,5}$/.test(terraformTimeout) ? Number(terraformTimeout) : 0;
  if (seconds === 0) {
    const given = printable(terraformTimeout, 20);
    throw new MigrationError('USAGE', `--terraform-timeout "${given}" is not a number of seconds`);
  }
  const { ignoredArguments } = await import('../terraform/terraform-environment');
  const ignored = ignoredArguments(environment);
  if (ignored.length > 0 && !options.quiet && !options.json) {
    context.stderr(`${ignored.join(', ')} is not passed on: what Terraform needs goes after --\n`);
  }
  return {
    // a name is looked up in PATH; a path is one of the user's folder, not of Terraform's
    binary: /[\\/]/.test(terraform) ? resolve(cwd, terraform) : terraform,
    environment,
    timeout: seconds * 1000,
    signal: interrupted,
  };
}

async function readStateFile(path: string, { cwd }: CliContext): Promise<Buffer> {
  const { readFile } = await import('node:fs/promises');
  return readFile(resolve(cwd, path)).catch((cause: unknown) => {
    throw new MigrationError('STATE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  });
}
