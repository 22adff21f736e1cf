import { hasMoves, type PendingMove, pendingMoves } from '../../tfconfig/pending-moves';
import { type Configuration } from '../../project/configuration';
import { type PlannedState } from '../planned-state';
import { parseState, stateAddresses } from '../../tfstate/parse-state';
import { type State } from '../../tfstate/state';
import { readTerraformVersion } from '../../terraform/read-terraform-version';
import { runTerraform, type TerraformOptions } from '../../terraform/run-terraform';
import { statePull } from '../../terraform/state-pull';
import { lockedVersion } from '../../project/locked-version';
import { otherStacks } from './other-stacks';
import { otherWorkspaces } from './other-workspaces';
import { planFolder } from '../../files/plan-folder';
import { declaredRulesets, readConfiguration } from '../../project/read-configuration';
import { plannedState, type ProviderVersions, unknownEntries } from './read-state';
import { refuseTerragrunt } from '../../project/refuse-terragrunt';

/**
 * The state of a folder's backend, by `terraform state pull`, with the provider that its lock file names.
 * @throws MigrationError `TERRAFORM_…`, `STATE_…`, `CONFIG_EDIT_REFUSED`
 */
export async function readStateOfDir(
  dir: string,
  terraform: Omit<TerraformOptions, 'dir'>,
  versions: ProviderVersions,
  cwd: string,
): Promise<PlannedState> {
  await refuseTerragrunt(dir);
  const options = { ...terraform, dir };
  const bytes = await statePull(options);
  const workspace = await workspaceShow(options);
  const installed = versions.from ?? (await lockedVersion(dir));
  const place = planFolder(cwd, dir);
  const name = nameOf(place);
  const state = bytes.length === 0 ? NO_STATE : parseState(bytes);
  const planned = plannedState(
    state,
    { name, dir: place, workspace },
    { ...versions, from: installed },
  );
  const configuration = await readConfiguration(place, cwd);
  const declared = configuration === undefined ? [] : declaredRulesets(configuration);
  const binary = await readTerraformVersion(options);
  const dataDir = terraform.environment['TF_DATA_DIR'] || undefined;
  return {
    ...planned,
    dataDir,
    exists: bytes.length > 0,
    configuration,
    declared,
    binary,
    unknownEntries: unknownEntries(state, bytes, planned),
    pendingMoves: configuration === undefined ? [] : movesOf(configuration, bytes),
    otherWorkspaces: await otherWorkspaces(dir, workspace, dataDir),
    otherStacks: planned.wanted === undefined ? [] : await otherStacks(dir, cwd),
  };
}

/** Most of the 255 bytes that a file's name can have are for what stands behind it. */
const LONGEST_NAME = 80;

/** Also a folder outside of the working directory, or deep below it, has to give a name that can be part of a file's. */
function nameOf(place: string): string {
  const letters = place.replace(/[^A-Za-z0-9_-]+/g, '-').slice(-LONGEST_NAME);
  return letters.replace(/^-+|-+$/g, '') || 'main';
}

function movesOf({ project }: Configuration, bytes: Buffer): readonly PendingMove[] {
  // for a large state the addresses take as long as all else that is read of it
  if (bytes.length === 0 || !hasMoves(project)) return [];
  return pendingMoves(project, stateAddresses(bytes));
}

/** What a backend has before the first import. */
const NO_STATE: State = {
  ...{ terraformVersion: '', serial: 0, lineage: '' },
  ...{ resources: [], counts: [] },
};

/**
 * `terraform workspace show`: the workspace that commands in this folder use, `TF_WORKSPACE` included.
 * @throws MigrationError as {@link runTerraform}
 */
async function workspaceShow(options: TerraformOptions): Promise<string> {
  return (await runTerraform(['workspace', 'show'], options)).toString('utf8').trim();
}
