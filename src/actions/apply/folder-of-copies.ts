import { join } from 'node:path';
import { type TerraformOptions } from '../../terraform/run-terraform';
import { localStates } from '../local-states';
import { makeFolders } from '../make-folders';

/**
 * Makes the folder in which `terraform state rm` leaves a copy of the state of a workspace. With a local backend it is
 * Terraform's own also where `workspace_dir` names another one, and Terraform fails where it is not there (1.11.4,
 * measured).
 */
export async function makeFolderOfCopies(
  workspace: string,
  { dir, environment }: Pick<TerraformOptions, 'dir' | 'environment'>,
): Promise<void> {
  if (workspace === 'default') return;
  const states = await localStates(dir, environment['TF_DATA_DIR'] || undefined);
  if (states !== undefined) makeFolders(join(dir, 'terraform.tfstate.d', workspace));
}
