import { resolve } from 'node:path';
import { readStateBytes, readStateOfDir } from '../plan/read/read-facts';
import { MigrationError } from '../core/migration-error';
import { type PlannedState } from '../plan/facts';
import { parseProviderVersion, parseTargetVersion } from '../plan/provider-versions';
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
  const { state, dir = [] } = options;
  if ((state === undefined) === (dir.length === 0)) {
    throw new MigrationError('USAGE', 'pass either --state or --dir');
  }
  if (state !== undefined) {
    const versions = readVersions(options);
    const bytes = await readStateInput(state, context);
    return [readStateBytes(bytes, context.environment['TF_WORKSPACE'] || 'default', versions)];
  }
  const readFolder = folderReader(options, context, folder);
  const states: PlannedState[] = [];
  for (const one of new Set(dir.map((path) => resolve(context.cwd, path)))) {
    states.push(await readFolder(one));
  }
  return states;
}

/**
 * Reads the states of Terraform folders one by one. What the flags say is checked once, before the first.
 * @param folder of the plans
 * @returns takes the absolute path of a Terraform folder
 * @throws MigrationError `USAGE`; what it returns throws `STATE_…`, `TERRAFORM_…`
 */
export function folderReader(
  options: StateOptions & CommonOptions,
  context: CliContext,
  folder: string,
): (dir: string) => Promise<PlannedState> {
  const versions = readVersions(options);
  const terraform = terraformOptions(options, context);
  return (dir) => readStateOfDir(dir, terraform, versions, folder);
}

function readVersions({ from, to }: StateOptions) {
  return {
    from: from === undefined ? undefined : parseProviderVersion(from),
    to: to === undefined ? undefined : parseTargetVersion(to),
  };
}
