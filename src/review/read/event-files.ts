import { createReadStream } from 'node:fs';
import { copyFile, open, realpath, stat, symlink } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, gunzipSync } from 'node:zlib';
import { glob } from 'tinyglobby';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';

/** Standard input, among the names of files. */
export const STANDARD_INPUT = '-';

/** A file of JSON lines, as DuckDB reads it. */
export interface EventFile {
  /** Its link in the private folder. */
  readonly path: string;
  readonly compression: 'uncompressed' | 'gzip';
}

/** The event files of one comparison. */
export interface EventInput {
  readonly files: readonly EventFile[];
  /** The real paths of the linked files. */
  readonly targets: readonly string[];
}

/**
 * Finds the files that names stand for: a file, all visible files below a folder, or a glob pattern
 * if no file has that name. They are sorted by name, and each file is returned once.
 *
 * @throws MigrationError `EVENTS_MISSING` with a name that matches no file
 */
export async function findEventFiles(names: readonly string[], cwd: string): Promise<string[]> {
  const found = new Map<string, string>();
  for (const name of names) {
    if (name === STANDARD_INPUT) continue;
    const files = await filesOf(name, cwd);
    if (files.length === 0) {
      throw new MigrationError('EVENTS_MISSING', `no file of events at ${printable(name, 300)}`);
    }
    for (const file of files.sort()) {
      const target = await realpath(file).catch(() => file);
      if (!found.has(target)) found.set(target, file);
    }
  }
  return [...found.values()];
}

async function filesOf(name: string, cwd: string): Promise<string[]> {
  const path = resolve(cwd, name);
  const kind = await stat(path).catch(() => undefined);
  if (kind?.isDirectory()) return glob('**/*', { cwd: path, absolute: true });
  if (kind !== undefined) return [path];
  return glob(name.replaceAll(sep, '/'), { cwd, absolute: true });
}

/**
 * Links files into a folder that DuckDB may read. The links have names of our own, because DuckDB
 * expands patterns in names. Empty files are left out.
 *
 * @throws MigrationError `FILE_UNREADABLE`, `EVENTS_INVALID`
 */
export async function stageEventFiles(
  names: readonly string[],
  folder: string,
): Promise<EventInput> {
  const files: EventFile[] = [];
  const targets: string[] = [];
  for (const [index, name] of names.entries()) {
    const compression = await requireLines(name);
    if (compression === undefined) continue;
    const path = join(folder, `events-${index}`);
    const target = await realpath(name);
    // Windows allows only some users to make symbolic links
    await symlink(target, path).catch(() => copyFile(target, path));
    targets.push(target);
    files.push({ path, compression });
  }
  return { files, targets };
}

const HEAD_BYTES = 64 * 1024;
const GZIP = 0x1f8b;

/** Formats that the review does not read, by the first four bytes, and how to convert them. */
const UNSUPPORTED: ReadonlyMap<number, readonly [what: string, hint: string]> = new Map([
  [0x28b52ffd, ['compressed with zstd', 'decompress it:\nzstd -d FILE']],
  [0x50415231, ['a Parquet file', 'export the events as JSON lines']],
]);

/**
 * Checks that a file can hold JSON lines, by its first bytes: its name says little.
 * @returns its compression; undefined if it is empty
 */
async function requireLines(name: string): Promise<EventFile['compression'] | undefined> {
  const refuse = (what: string, hint: string): never => {
    const message = `${printable(name, 200)} is ${what}`;
    throw new MigrationError('EVENTS_INVALID', message, { hint });
  };
  const head = await readHead(name);
  if (head.length === 0) return undefined;
  const [format, hint] = (head.length >= 4 && UNSUPPORTED.get(head.readUInt32BE(0))) || [];
  if (format !== undefined && hint !== undefined) refuse(`${format}, which is not supported`, hint);
  const isGzip = head.length >= 2 && head.readUInt16BE(0) === GZIP;
  if (isGzip && (await isCut(name))) {
    refuse('truncated or damaged', 'fetch the file again');
  }
  const finishFlush = constants.Z_SYNC_FLUSH;
  const text = (isGzip ? gunzipSync(head, { finishFlush }) : head).toString();
  if (/^\ufeff?\s*(?:\[|\{\s*[\n\r]|\{\s*"(?:data|errors)"\s*:)/.test(text)) {
    refuse(
      'one JSON document',
      'pass the log export firewall_events as JSON lines, or read sampled events with:\ncf-waf-migrate review --zone ZONE --since 6h',
    );
  }
  return isGzip ? 'gzip' : 'uncompressed';
}

async function readHead(path: string): Promise<Buffer> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  }
}

/** Whether a gzip file is truncated or damaged: DuckDB 1.5.5 reads its beginning without an error. */
async function isCut(path: string): Promise<boolean> {
  const file = createReadStream(path, { highWaterMark: 1 << 20 });
  return pipeline(file, createGunzip(), new PassThrough().resume()).then(
    () => false,
    () => true,
  );
}
