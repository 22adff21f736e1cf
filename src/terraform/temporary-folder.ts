import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type TerraformOptions } from './run-terraform';

/**
 * Runs something with a folder of its own, for this user alone, which is gone afterwards. It may hold a
 * state: the tool does not end before it is gone, at Ctrl-C either.
 *
 * @throws MigrationError `FILE_UNWRITABLE`
 */
export async function withTemporaryFolder<Result>(
  prefix: string,
  { hold }: Pick<TerraformOptions, 'hold'>,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = makeFolder(prefix);
  let tellGone: ((note: undefined) => void) | undefined;
  hold?.(
    new Promise((gone) => {
      tellGone = gone;
    }),
  );
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    tellGone?.(undefined);
  }
}

function makeFolder(prefix: string): string {
  try {
    const folder = mkdtempSync(join(tmpdir(), prefix));
    chmodSync(folder, 0o700);
    return folder;
  } catch (cause) {
    throw noTemporaryFolder(cause);
  }
}

/** That the folder which the environment names for temporary ones cannot be used. */
export function noTemporaryFolder(cause: unknown): MigrationError {
  const message = `cannot make a temporary folder in ${printable(tmpdir())}`;
  const hint = 'set TMPDIR (on Windows TEMP) to a folder that exists and is writable';
  return new MigrationError('FILE_UNWRITABLE', message, { cause, hint });
}
