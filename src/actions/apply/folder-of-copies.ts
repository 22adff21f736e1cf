import { join } from 'node:path';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type TerraformOptions } from '../../terraform/run-terraform';
import { localStates } from '../local-states';
import { makeFolders } from '../make-folders';

/**
 * Makes the folder in which `terraform state rm` leaves a copy of the state of a workspace. With a local backend it is
 * Terraform's own also where `workspace_dir` names another one, and Terraform fails where it is not there (1.11.4,
 * measured).
 * @throws MigrationError `FILE_UNWRITABLE`
 */
export async function makeFolderOfCopies(
  workspace: string,
  { dir, environment }: Pick<TerraformOptions, 'dir' | 'environment'>,
): Promise<void> {
  if (workspace === 'default') return;
  const states = await localStates(dir, environment['TF_DATA_DIR']);
  if (states === undefined) return;
  const folder = join(dir, 'terraform.tfstate.d', workspace);
  try {
    makeFolders(folder);
  } catch (cause) {
    throw new MigrationError(
      'FILE_UNWRITABLE',
      `cannot make ${printable(folder)}, where Terraform leaves a copy of the state`,
      { cause },
    );
  }
}
