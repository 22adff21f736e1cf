import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue } from '../core/error-catalogue';
import { MigrationError } from '../core/migration-error';
import { lockFlags } from './lock-timeout';
import { runTerraform, type TerraformOptions } from './run-terraform';

/** What Terraform writes beside the configuration where the backend does not take the state: all of it, unless the disk is full. */
export const ERRORED_STATE = 'errored.tfstate';

const AGAIN =
  'run the same cf-waf-migrate command again, and nothing by hand: it finds out what is done, and plans anew';

/**
 * `terraform apply` of a saved plan that was judged: the only one that there is.
 * @param flags of the plan, of which the lock's are its own as well
 * @throws MigrationError as `runTerraform`; its hint is never to apply by hand
 */
export async function applySavedPlan(
  file: string,
  flags: readonly string[],
  options: TerraformOptions,
): Promise<void> {
  const left = join(options.dir, ERRORED_STATE);
  const before = writtenAt(left);
  try {
    await runTerraform(['apply', '-input=false', ...lockFlags(flags), file], options);
  } catch (error) {
    const isLeft = writtenAt(left) !== before && protect(left);
    if (!(error instanceof MigrationError)) throw error;
    const known = error.hint === errorCatalogue.TERRAFORM_FAILED ? AGAIN : error.hint;
    // also of one that was stopped: it may have been while it wrote the state
    throw error.withHint(
      isLeft
        ? `${known}; ${ERRORED_STATE} in that folder holds the state as this run left it: push it nowhere, and delete it once the run is done`
        : known,
    );
  }
}

function writtenAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** Terraform writes it for everybody to read. */
function protect(path: string): true {
  try {
    chmodSync(path, 0o600);
  } catch {
    // a file system without modes, or it is gone again: it is named all the same
  }
  return true;
}
