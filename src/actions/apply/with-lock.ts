import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { types } from 'node:util';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { isRunning, ownProcess } from '../../terraform/process-alive';

/** The locks of this process. */
const held = new Set<string>();

/** What is said of the process that holds a lock. */
type Refusal = (holder: number) => MigrationError;

/**
 * Holds a lock file while something runs: two runs of one plan at once would undo each other. A lock
 * whose process is gone (it was killed) is taken over.
 *
 * @throws MigrationError `APPLY_RUNNING`, or what `refusal` makes
 */
export async function withLock<Result>(
  path: string,
  run: () => Promise<Result>,
  refusal: Refusal = (holder) =>
    new MigrationError(
      'APPLY_RUNNING',
      `process ${holder} carries this plan out, or rolls it back (lock ${printable(path)})`,
    ),
): Promise<Result> {
  makeFolder(dirname(path));
  acquire(path, refusal);
  held.add(path);
  try {
    return await run();
  } finally {
    held.delete(path);
    rmSync(path, { force: true });
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new MigrationError('FILE_UNWRITABLE', `cannot make the folder ${printable(path)}`, {
      cause,
    });
  }
}

function acquire(path: string, refusal: Refusal): void {
  try {
    writeFileSync(path, String(ownProcess()), { flag: 'wx', mode: 0o600 });
    return;
  } catch (error) {
    if (!types.isNativeError(error) || !('code' in error) || error.code !== 'EEXIST') {
      throw new MigrationError('FILE_UNWRITABLE', `cannot write the lock ${printable(path)}`, {
        cause: error,
      });
    }
  }
  const holder = Number(readFileSync(path, 'utf8'));
  // in a container that is started again the ids are the same: the lock of a run before bears our own
  const isOld = holder === ownProcess() && !held.has(path);
  if (Number.isInteger(holder) && holder > 0 && !isOld && isRunning(holder)) {
    throw refusal(holder);
  }
  rmSync(path, { force: true });
  acquire(path, refusal);
}
