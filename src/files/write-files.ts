import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  lstatSync,
  readFileSync,
  realpathSync,
  statSync,
  mkdirSync,
  rmdirSync,
  close,
  fsync,
} from 'node:fs';
import { dirname } from 'node:path';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { types, promisify } from 'node:util';

/** A file to write, whole or not at all. */
export interface FileToWrite {
  /** Absolute, or relative to the working directory. */
  readonly path: string;
  /** As bytes where it is a copy: what is no UTF-8 is kept as it is. */
  readonly text: string | Uint8Array;
}

/** How to write. */
export interface WriteOptions {
  /** Overwrite files that differ. */
  readonly force: boolean;
  /** Which files that differ may be overwritten without `force`, by their text. */
  readonly mayReplace?: (text: string) => boolean;
  /** Permissions of new files; 0600 for anything that holds a state: folders that it needs are 0700 then. */
  readonly mode?: number;
  /** Takes a file that is not on the disk yet, to wait for that and close it; else that is done here. */
  readonly flush?: (file: number) => void;
  /** Called when one of the files is in its place, and others may not be yet. */
  readonly afterEach?: () => void;
}

interface Change {
  readonly target: TargetFile;
  readonly part: string;
  readonly bytes: Buffer;
}

/**
 * Writes files whole or not at all: a file that is the same is left alone, one that differs is only
 * overwritten with `force`, and none is written when one cannot be. Without a pause for anything
 * else: a signal is heard before or after it, never in between.
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
      folders.push(...makeFolders(dirname(change.target.path), folderMode));
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
    removeFolders(folders);
    const paths = files.map(({ path }) => printable(path)).join(', ');
    throw new MigrationError('FILE_UNWRITABLE', `cannot write ${paths}`, { cause });
  }
}

/** Nothing when the file is there already, as it is to be. */
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

/** A file that was there may be for everybody to read: a backup of another run, for example. */
function closeToOthers(path: string, present: number, mode: number): void {
  if ((present & ~mode) === 0) return;
  try {
    chmodSync(path, mode);
  } catch (cause) {
    throw new MigrationError('FILE_UNWRITABLE', `cannot protect ${printable(path)}`, { cause });
  }
}

/** Whether a name is that of a file of {@link writeFiles} that was never completed. */
export function isPartOf(name: string, target?: string): boolean {
  const end = /\.[0-9a-f]{12}\.part$/.exec(name);
  return end !== null && (target === undefined || name.slice(0, end.index) === target);
}

/** A new file, never an existing one: with the permissions of the one it replaces. */
function writePart({ target, part, bytes }: Change, { mode, flush }: WriteOptions): void {
  const file = openSync(part, 'wx', mode ?? 0o666);
  let handedOver = false;
  try {
    if (target.present && mode === undefined) fchmodSync(file, target.present.mode);
    writeFileSync(file, bytes);
    if (flush === undefined) fsyncSync(file);
    else handedOver = true;
  } finally {
    if (!handedOver) closeSync(file);
  }
  if (handedOver) flush?.(file);
}

/** Who may read what lies in a folder has to get there. */
function searchable(mode: number): number {
  return mode | ((mode & 0o444) >> 2);
}

function takeBack({ target: { path, present } }: Change): void {
  if (present) writeFileSync(path, present.bytes);
  else rmSync(path, { force: true });
}

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

/**
 * Makes a folder and those above it. `mkdir` with `recursive` is not used: it never ends below
 * `/proc` (Node 20), and does not say which folders are new.
 * @returns the folders that are new, the outermost first
 * @throws what `mkdir` throws; the folders that it made until then are gone again
 */
export function makeFolders(folder: string, mode = 0o777): string[] {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at) && at !== dirname(at); at = dirname(at))
    missing.unshift(at);
  const made: string[] = [];
  try {
    for (const one of missing) {
      if (makeFolder(one, mode)) made.push(one);
    }
  } catch (error) {
    removeFolders(made);
    throw error;
  }
  return made;
}

/** Takes back what {@link makeFolders} made; a folder that is in use by now is kept. */
export function removeFolders(made: readonly string[]): void {
  for (const folder of [...made].reverse()) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

/** @returns false when another process has just made it */
function makeFolder(folder: string, mode: number): boolean {
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    const exists = types.isNativeError(error) && 'code' in error && error.code === 'EEXIST';
    if (exists && existsSync(folder) && statSync(folder).isDirectory()) return false;
    throw error;
  }
}

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
