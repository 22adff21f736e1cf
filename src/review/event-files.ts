import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { glob } from 'tinyglobby';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';

/** Standard input, among the names of files. */
export const STANDARD_INPUT = '-';

/** A file of JSON lines, as DuckDB reads it. */
export interface EventFile {
  /** Real and absolute. */
  readonly path: string;
  readonly compression: 'uncompressed' | 'gzip';
}

/**
 * Finds the files that names stand for: a file, all visible files below a folder, or a glob pattern
 * if no file has that name. They are sorted by name, and each file is returned once.
 *
 * @throws MigrationError `EVENTS_MISSING` with a name that matches no file
 */
export async function findEventFiles(names: readonly string[], cwd: string): Promise<string[]> {
  const found = new Set<string>();
  for (const name of names) {
    if (name === STANDARD_INPUT) continue;
    const files = await filesOf(name, cwd);
    if (files.length === 0) {
      throw new MigrationError('EVENTS_MISSING', `no file of events at ${printable(name, 300)}`);
    }
    for (const file of files.sort()) found.add(await realpath(file).catch(() => file));
  }
  return [...found];
}

async function filesOf(name: string, cwd: string): Promise<string[]> {
  const path = resolve(cwd, name);
  const kind = await stat(path).catch(() => undefined);
  if (kind?.isDirectory()) return glob('**/*', { cwd: path, absolute: true });
  if (kind !== undefined) return [path];
  return glob(name.replaceAll(sep, '/'), { cwd, absolute: true });
}

const GZIP = 0x1f8b;

/**
 * Checks that DuckDB can read a file, and finds its compression by its first bytes: its name says little.
 *
 * @returns undefined if the file is empty
 * @throws MigrationError `FILE_UNREADABLE`, `EVENTS_INVALID`
 */
export async function checkEventFile(path: string): Promise<EventFile | undefined> {
  const refuse = (what: string, hint: string): never => {
    const message = `${printable(path, 200)} ${what}`;
    throw new MigrationError('EVENTS_INVALID', message, { hint });
  };
  if (/[*?[]/.test(path)) refuse('is a pattern for DuckDB', 'rename the file: without *, ? and [');
  const head = await buffer(createReadStream(path, { end: 1 })).catch((cause: unknown) => {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  });
  if (head.length === 0) return undefined;
  const isGzip = head.length === 2 && head.readUInt16BE(0) === GZIP;
  if (isGzip && (await isCut(path))) refuse('is truncated or damaged', 'fetch the file again');
  return { path, compression: isGzip ? 'gzip' : 'uncompressed' };
}

/** Whether a gzip file is truncated or damaged: DuckDB 1.5.5 reads its beginning without an error. */
async function isCut(path: string): Promise<boolean> {
  const file = createReadStream(path, { highWaterMark: 1 << 20 });
  return pipeline(file, createGunzip(), new PassThrough().resume()).then(
    () => false,
    () => true,
  );
}
