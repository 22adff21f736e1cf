import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { types } from 'node:util';
import { attempt, MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';

/** A file to write, whole or not at all. */
export interface FileToWrite {
  /** Absolute, or relative to the working directory. */
  readonly path: string;
  /** Bytes for a copy, which may not be UTF-8. */
  readonly text: string | Uint8Array;
}

/** How to write. */
export interface WriteOptions {
  /** Overwrite files that differ. */
  readonly force: boolean;
  /** Which files that differ may be overwritten without `force`, by their text. */
  readonly mayReplace?: (text: string) => boolean;
  /** Permissions of new files; 0600 for anything that holds a state: its new folders are then 0700. */
  readonly mode?: number;
  /** False for files that can be generated again: does not wait until they are on the disk, which takes most of the time. */
  readonly sync?: false;
  /** Called when one of the files is in its place, and others may not be yet. */
  readonly afterEach?: () => void;
}

interface Change {
  readonly target: TargetFile;
  readonly part: string;
  readonly bytes: Buffer;
}

/**
 * Writes files whole or not at all: a file that is the same is not touched, one that differs is only overwritten with
 * `force`, and none is written when one cannot be. It is synchronous: a signal cannot interrupt it.
 *
 * @throws MigrationError `FILE_EXISTS`, `FILE_UNWRITABLE`
 */
export function writeFiles(files: readonly FileToWrite[], options: WriteOptions): void {
  const changes = files.flatMap((file) => changeOf(file, options));
  const folders: string[] = [];
  const renamed: Change[] = [];
  const folderMode = options.mode === undefined ? undefined : searchable(options.mode);
  try {
    for (const change of changes) {
      makeFolders(dirname(change.target.path), folderMode, folders);
      writePart(change, options);
    }
    for (const change of changes) {
      renameSync(change.part, change.target.path);
      renamed.push(change);
      options.afterEach?.();
    }
  } catch (cause) {
    // not forced: below a path that is no folder, rm fails all the same
    for (const { part } of changes) if (existsSync(part)) rmSync(part);
    for (const change of renamed) takeBack(change);
    // one that another process uses by now is kept
    for (const folder of folders.reverse())
      attempt(() => {
        rmdirSync(folder);
      });
    const paths = files.map(({ path }) => printable(path)).join(', ');
    throw new MigrationError('FILE_UNWRITABLE', `cannot write ${paths}`, { cause });
  }
}

/** Nothing when the file has that content already. */
function changeOf(
  { path, text }: FileToWrite,
  { force, mayReplace, mode }: WriteOptions,
): Change[] {
  const target = inspectTarget(path);
  const bytes = Buffer.from(text);
  if (target.present) {
    if (target.present.bytes.equals(bytes)) {
      if (mode !== undefined) closeToOthers(target.path, target.present.mode, mode);
      return [];
    }
    if (!force && !mayReplace?.(target.present.bytes.toString('utf8'))) {
      throw new MigrationError('FILE_EXISTS', `${printable(path)} exists and differs`);
    }
  }
  return [{ target, part: `${target.path}.${randomBytes(6).toString('hex')}.part`, bytes }];
}

/** A file that exists may be readable by every user, for example a backup of another run. */
function closeToOthers(path: string, present: number, mode: number): void {
  if ((present & ~mode) === 0) return;
  try {
    chmodSync(path, mode);
  } catch (cause) {
    throw new MigrationError('FILE_UNWRITABLE', `cannot protect ${printable(path)}`, { cause });
  }
}

/** Whether a name is that of a file that {@link writeFiles} did not complete. */
export function isPartOf(name: string, target?: string): boolean {
  const end = /\.[0-9a-f]{12}\.part$/.exec(name);
  return end !== null && (target === undefined || name.slice(0, end.index) === target);
}

/** A new file, never an existing one: with the permissions of the one it replaces. */
function writePart({ target, part, bytes }: Change, { mode, sync }: WriteOptions): void {
  const file = openSync(part, 'wx', mode ?? 0o666);
  try {
    if (target.present && mode === undefined) fchmodSync(file, target.present.mode);
    writeFileSync(file, bytes);
    if (sync !== false) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** The mode of a folder whose files have this mode: who may read them may enter it. */
function searchable(mode: number): number {
  return mode | ((mode & 0o444) >> 2);
}

function takeBack({ target: { path, present } }: Change): void {
  if (present) writeFileSync(path, present.bytes);
  else rmSync(path, { force: true });
}

/** A place to write to, before anything is written. */
export interface TargetFile {
  /** Where a symbolic link leads. */
  readonly path: string;
  /** Absent when there is no file yet. */
  readonly present?: { readonly bytes: Buffer; readonly mode: number };
}

/**
 * Looks at a place to write to. Only a file or nothing is accepted: renaming a file over a device would replace it, and
 * a pipe would block.
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

/** Whether something is there, even a symbolic link to nothing. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (types.isNativeError(error) && 'code' in error && error.code === 'ENOTDIR') return false;
    throw error;
  }
}

/**
 * Makes a folder and those above it. `mkdir` with `recursive` never ends below `/proc` (Node 20), and does not say
 * which folders are new.
 * @param made gets the folders that are new, the outermost first
 */
export function makeFolders(folder: string, mode = 0o777, made: string[] = []): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder), mode, made);
  try {
    mkdirSync(folder, { mode });
    made.push(folder);
  } catch (error) {
    // another process may have just made it
    if (attempt(() => statSync(folder).isDirectory()) !== true) throw error;
  }
}
