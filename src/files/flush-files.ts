import { close, fsync } from 'node:fs';
import { promisify } from 'node:util';
import { MigrationError } from '../core/migration-error';

const sync = promisify(fsync);
const end = promisify(close);

/**
 * Waits until open files are on the disk and closes them, without keeping anything else waiting:
 * for a thousand files that is most of the time that writing them takes.
 * @throws MigrationError `FILE_UNWRITABLE`
 */
export async function flushFiles(files: readonly number[]): Promise<void> {
  const results = await Promise.allSettled(
    files.map((file) => sync(file).finally(() => end(file))),
  );
  for (const result of results) {
    if (result.status === 'rejected') {
      const cause: unknown = result.reason;
      throw new MigrationError('FILE_UNWRITABLE', 'cannot write to the disk', { cause });
    }
  }
}
