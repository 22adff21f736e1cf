import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writing } from '../core/migration-error';
import { printable } from '../core/printable';
import { type TerraformOptions } from './run-terraform';

/**
 * Calls a function with a folder that only this user can read, and removes the folder, which may contain a
 * state. This tool does not exit before the removal, not even at Ctrl-C.
 * @throws MigrationError `FILE_UNWRITABLE`
 */
export async function withTemporaryFolder<Result>(
  prefix: string,
  { hold }: Pick<TerraformOptions, 'hold'>,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = writing(
    `cannot make a temporary folder in ${printable(tmpdir())}`,
    () => mkdtempSync(join(tmpdir(), prefix)),
    'set TMPDIR (on Windows TEMP) to a folder that exists and is writable',
  );
  const running = use(folder).finally(() => {
    // on Windows a virus scanner, or a process left by a wrapper, may keep the folder busy
    writing(
      `cannot remove the temporary folder ${printable(folder)}, which may contain the state`,
      () => {
        rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      },
      'delete it, then run the same command again to resume',
    );
  });
  hold?.(Promise.allSettled([running]).then(() => undefined));
  return running;
}
