import * as disk from 'node:fs/promises';
import { types } from 'node:util';

/** What this takes of the disk; a test gives one that refuses. */
type Disk = Pick<typeof disk, 'symlink' | 'link' | 'copyFile'>;

/**
 * Puts a file at another path as well. On Windows a symbolic link is for those who were allowed to
 * make one; for the others it is a hard link, and a copy where that is on another volume.
 */
export async function linkFile(target: string, path: string, on: Disk = disk): Promise<void> {
  try {
    await on.symlink(target, path);
  } catch (error) {
    if (!types.isNativeError(error) || !('code' in error) || error.code !== 'EPERM') throw error;
    await on.link(target, path).catch(() => on.copyFile(target, path));
  }
}
