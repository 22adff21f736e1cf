import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { types } from 'node:util';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';

/** A place to write to, as it is before anything is written. */
export interface TargetFile {
  /** Where a symbolic link leads. */
  readonly path: string;
  /** Absent when there is no file yet. */
  readonly present?: { readonly bytes: Buffer; readonly mode: number };
}

/**
 * Looks at a place to write to. What is neither a file nor nothing is refused: a file that is
 * renamed over a device takes its place, and a pipe would be waited for.
 * @throws MigrationError `FILE_UNWRITABLE`
 */
export function inspectTarget(path: string): TargetFile {
  try {
    if (!isThere(path)) return { path };
    const real = realpathSync(path);
    const stats = statSync(real);
    if (!stats.isFile()) throw new Error('it is there, and is not a regular file');
    return { path: real, present: { bytes: readFileSync(real), mode: stats.mode & 0o777 } };
  } catch (cause) {
    throw new MigrationError('FILE_UNWRITABLE', `cannot write ${printable(path)}`, { cause });
  }
}

/** Whether something is there, and be it a symbolic link to nothing. */
function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    const code = types.isNativeError(error) && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}
