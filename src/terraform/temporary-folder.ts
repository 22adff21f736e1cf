import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type TerraformOptions } from './run-terraform';

/**
 * Calls a function with a folder that only this user can read, and removes the folder, which may contain a
 * state. This tool does not exit before the removal, not even at Ctrl-C.
 *
 * @throws MigrationError `FILE_UNWRITABLE`
 */
export async function withTemporaryFolder<Result>(
  prefix: string,
  { hold }: Pick<TerraformOptions, 'hold'>,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const running = inFolder(makeFolder(prefix), use);
  hold?.(
    running.then(
      () => undefined,
      () => undefined,
    ),
  );
  return running;
}

async function inFolder<Result>(
  folder: string,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  let failure: unknown;
  try {
    return await use(folder);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    remove(folder, failure);
  }
}

/** On Windows a virus scanner, or a process left by a wrapper, may keep the folder busy. */
function remove(folder: string, failure: unknown): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch (cause) {
    const named = `the temporary folder ${printable(folder)}, which may contain the state`;
    // the earlier failure matters more
    if (failure instanceof MigrationError) {
      throw failure.withHint(`${failure.hint}; and delete ${named}: it could not be removed`);
    }
    const message = `cannot remove ${named}`;
    const hint = 'delete it, then run the same command again to resume';
    throw new MigrationError('FILE_UNWRITABLE', message, { cause, hint });
  }
}

function makeFolder(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix));
  } catch (cause) {
    const message = `cannot make a temporary folder in ${printable(tmpdir())}`;
    const hint = 'set TMPDIR (on Windows TEMP) to a folder that exists and is writable';
    throw new MigrationError('FILE_UNWRITABLE', message, { cause, hint });
  }
}
