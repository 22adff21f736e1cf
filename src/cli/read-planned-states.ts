import { resolve } from 'node:path';
import { MigrationError } from '../model/migration-error';
import { type PlannedState } from '../plan/planned-state';
import { type CommonOptions } from './command';
import { type CliContext } from './context';
import { readStateInput, type StatePlaces } from './read-states';
import { terraformOptions } from './terraform-options';

/** Where `plan` reads states, and what it is told about them. */
export interface StateOptions extends StatePlaces {
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
    const bytes = await readStateInput(state, context);
    const { readStateBytes } = await import('../actions/read-state');
    return [readStateBytes(bytes, context.environment['TF_WORKSPACE'] || 'default', versions)];
  }
  const { readStateOfDir } = await import('../actions/read-state-of-dir');
  const terraform = await terraformOptions(options, context);
  const states: PlannedState[] = [];
  for (const one of new Set(dir.map((path) => resolve(context.cwd, path)))) {
    states.push(await readStateOfDir(one, terraform, versions, folder));
  }
  return states;
}
