import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { attempt, MigrationError, writing } from '../core/migration-error';
import { printable } from '../core/printable';
import { readRegularFile } from './read-files';

export interface FileToWrite {
  /** Absolute, or relative to the working directory. */
  readonly path: string;
  /** Bytes if the content may not be UTF-8. */
  readonly text: string | Uint8Array;
}

export interface WriteOptions {
  readonly force: boolean;
  /** Decides by its text whether a differing file may be overwritten without `force`. */
  readonly mayReplace?: (text: string) => boolean;
  /** Called for the file that is not overwritten, with its present and its new text. */
  readonly onDiffer?: ((path: string, present: string, text: string) => void) | undefined;
  /** Permissions of new files. Anything that contains a state needs 0600; its new folders are then 0700. */
  readonly mode?: number;
  /** False for files that can be generated again: skips the flush to disk, which takes most of the time. */
  readonly sync?: false;
  /** False refuses a target that is a link: a pull request can add one. */
  readonly links?: false;
  /** Called after each file is in its place, while others may not be yet. */
  readonly afterEach?: () => void;
}

/** The end of the name of a file that is not yet in its place. */
const PART = /^\.[0-9a-f]{12}\.part$/;

interface Change {
  readonly target: TargetFile;
  readonly part: string;
  readonly bytes: Buffer;
}

/**
 * Writes all files or none: an unchanged file is not touched, and a differing file is only overwritten with
 * `force`. It is synchronous, so a signal cannot interrupt it.
 * @throws MigrationError `FILE_EXISTS`, `FILE_UNWRITABLE`
 */
export function writeFiles(files: readonly FileToWrite[], options: WriteOptions): void {
  const changes = files.flatMap((file) => changeOf(file, options));
  const folders: string[] = [];
  const renamed: Change[] = [];
  // those who can read the files can enter their folders
  const mode = options.mode === undefined ? 0o777 : options.mode | ((options.mode & 0o444) >> 2);
  try {
    for (const change of changes) {
      makeFolders(dirname(change.target.path), mode, folders);
      writePart(change, options);
    }
    for (const change of changes) {
      renameSync(change.part, change.target.path);
      renamed.push(change);
      options.afterEach?.();
    }
  } catch (cause) {
    // `force` does not help: rm fails below a path that is not a folder
    for (const { part } of changes) if (existsSync(part)) rmSync(part);
    for (const { target } of renamed) {
      if (target.present) writeFileSync(target.path, target.present.bytes);
      else rmSync(target.path, { force: true });
    }
    // keep a folder that another process uses by now
    for (const folder of folders.reverse())
      attempt(() => {
        rmdirSync(folder);
      });
    const paths = files.map(({ path }) => printable(path)).join(', ');
    throw new MigrationError('FILE_UNWRITABLE', `cannot write ${paths}`, { cause });
  }
}

/**
 * Deletes what {@link writeFiles} leaves beside a file if the process is killed. The caller must be the only writer of
 * the file.
 * @throws MigrationError `FILE_UNWRITABLE`
 */
export function deleteParts(path: string): void {
  const target = inspectTarget(path).path;
  const [folder, name] = [dirname(target), basename(target)];
  for (const other of attempt(() => readdirSync(folder)) ?? []) {
    const isPart = other.startsWith(name) && PART.test(other.slice(name.length));
    if (!isPart) continue;
    attempt(() => {
      rmSync(join(folder, other));
    });
  }
}

/** Empty if the file already has this content. */
function changeOf(
  { path, text }: FileToWrite,
  { force, mayReplace, onDiffer, links }: WriteOptions,
): Change[] {
  const target = inspectTarget(path);
  const bytes = Buffer.from(text);
  const link = linkOf(target, path);
  if (links === false && link !== '') {
    throw new MigrationError('FILE_UNWRITABLE', `${printable(path)} exists${link}`, {
      hint: 'find out who made the link, remove it, then run the same command again',
    });
  }
  if (target.present) {
    if (target.present.bytes.equals(bytes)) return [];
    const present = force ? '' : target.present.bytes.toString('utf8');
    if (!force && !mayReplace?.(present)) {
      onDiffer?.(path, present, bytes.toString('utf8'));
      throw new MigrationError('FILE_EXISTS', `${printable(path)} exists and differs${link}`);
    }
  }
  return [{ target, part: `${target.path}.${randomBytes(6).toString('hex')}.part`, bytes }];
}

/** Names the file that `--force` would write to. */
export function linkOf({ path, present }: TargetFile, place: string): string {
  const isLink = present !== undefined && lstatSync(place).isSymbolicLink();
  return isLink ? `, and is a link to ${printable(path)}` : '';
}

/** Creates a new file with the owner and the permissions of the file that it replaces. */
function writePart({ target, part, bytes }: Change, { mode, sync }: WriteOptions): void {
  const file = openSync(part, 'wx', mode ?? 0o666);
  try {
    const { present } = target;
    // only root can keep another owner
    if (present)
      attempt(() => {
        fchownSync(file, present.uid, present.gid);
      });
    if (present && mode === undefined) fchmodSync(file, present.mode);
    writeFileSync(file, bytes);
    if (sync !== false) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export interface TargetFile {
  /** With symbolic links resolved. */
  readonly path: string;
  /** Absent if there is no file yet. */
  readonly present?: { readonly bytes: Buffer } & Pick<Stats, 'mode' | 'uid' | 'gid'>;
}

/**
 * Inspects a place to write to. It must be a file or not exist: a rename would replace a device, and a pipe
 * would block.
 * @throws MigrationError `FILE_UNWRITABLE`
 */
export function inspectTarget(path: string): TargetFile {
  return writing(`cannot write ${printable(path)}`, () => {
    // a broken link is there, too
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { path };
    const real = realpathSync(path);
    const stats = statSync(real);
    if (!stats.isFile()) throw new Error('it exists, and is not a regular file');
    const { uid, gid } = stats;
    return {
      path: real,
      present: { bytes: readRegularFile(real, Infinity), mode: stats.mode & 0o777, uid, gid },
    };
  });
}

/**
 * Creates a folder and its parents. On Node 20, `mkdir` with `recursive` never ends below `/proc`, and does
 * not report all new folders.
 * @param made receives the new folders, the outermost first
 */
export function makeFolders(folder: string, mode = 0o777, made: string[] = []): void {
  if (existsSync(folder)) return;
  makeFolders(dirname(folder), mode, made);
  try {
    mkdirSync(folder, { mode });
    made.push(folder);
  } catch (error) {
    // another process may have just created it
    if (attempt(() => statSync(folder).isDirectory()) !== true) throw error;
  }
}
