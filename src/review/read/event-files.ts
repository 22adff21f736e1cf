import { createReadStream } from 'node:fs';
import {
  copyFile,
  link,
  open,
  readFile,
  realpath,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, gunzipSync } from 'node:zlib';
import { glob } from 'tinyglobby';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { parseEventDocument, renderEventLines } from './graphql-events';

/** Standard input, among the names of files. */
export const STANDARD_INPUT = '-';

/** One file of events, as DuckDB reads it. */
export interface EventFile {
  /** Its link or copy in the private folder. */
  readonly path: string;
  readonly format: 'lines' | 'parquet';
  readonly compression: 'uncompressed' | 'gzip';
}

/** The files of events of one comparison. */
export interface EventInput {
  readonly files: readonly EventFile[];
  /** The real paths that the links lead to. */
  readonly targets: readonly string[];
  /** Names of gzip files that end too early or are damaged. */
  readonly cut: readonly string[];
}

/**
 * The files that the names mean: a file, all visible files below a folder, or a glob pattern if no file
 * has that name. Sorted by name; a file that several names or links lead to is returned once.
 *
 * @throws MigrationError `EVENTS_MISSING` naming what leads to no file
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
 * Puts files into a folder that DuckDB may read, under names without any text of the user: DuckDB would
 * expand patterns in them. JSON documents become lines; everything else is linked, not copied.
 * @throws MigrationError `FILE_UNREADABLE`, `EVENTS_INVALID`
 */
export async function stageEventFiles(
  names: readonly string[],
  folder: string,
): Promise<EventInput> {
  const files: EventFile[] = [];
  const targets: string[] = [];
  const cut: string[] = [];
  for (const [index, name] of names.entries()) {
    const { format, compression } = await sniffFile(name);
    if (format === 'empty') continue;
    const path = join(folder, `events-${index}`);
    if (format === 'document') {
      const events = await readDocument(name, compression === 'gzip');
      await writeFile(path, renderEventLines(events), { mode: 0o600 });
      files.push({ path, format: 'lines', compression: 'uncompressed' });
      continue;
    }
    if (compression === 'gzip' && (await isCut(name))) cut.push(name);
    const target = await realpath(name);
    // Windows allows symbolic links to some users only, and hard links on one volume only
    await symlink(target, path)
      .catch(() => link(target, path))
      .catch(() => copyFile(target, path));
    targets.push(target);
    files.push({ path, format, compression });
  }
  return { files, targets, cut };
}

const HEAD_BYTES = 64 * 1024;
const ZSTD = 0x28b52ffd;
const GZIP = 0x1f8b;

/**
 * Looks at the beginning of a file: its name says little. `document`: one JSON document, an answer of the
 * GraphQL interface or an array of events; `lines`: one JSON object on each line.
 */
async function sniffFile(path: string): Promise<{
  readonly format: EventFile['format'] | 'document' | 'empty';
  readonly compression: EventFile['compression'];
}> {
  const head = await readHead(path);
  if (head.length === 0) return { format: 'empty', compression: 'uncompressed' };
  if (head.toString('latin1', 0, 4) === 'PAR1') {
    return { format: 'parquet', compression: 'uncompressed' };
  }
  if (head.length >= 4 && head.readUInt32BE(0) === ZSTD) {
    const message = `${printable(path, 200)} is compressed with zstd, which is not supported`;
    throw new MigrationError('EVENTS_INVALID', message, { hint: 'decompress it:\nzstd -d FILE' });
  }
  const isGzip = head.length >= 2 && head.readUInt16BE(0) === GZIP;
  const text = (isGzip ? gunzipHead(head) : head).toString('utf8').replace(/^\ufeff/, '');
  // an array, or the envelope of GraphQL, on however many lines
  const isDocument = /^\s*(?:\[|\{\s*"(?:data|errors)"\s*:|\{\s*[\n\r])/.test(text);
  return {
    format: isDocument ? 'document' : 'lines',
    compression: isGzip ? 'gzip' : 'uncompressed',
  };
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

function gunzipHead(head: Buffer): Buffer {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0); // damaged: `isCut` says so
  }
}

/** Whether a gzip file ends too early or is damaged: DuckDB 1.5.5 reads its beginning without an error. */
async function isCut(path: string): Promise<boolean> {
  const file = createReadStream(path, { highWaterMark: 1 << 20 });
  return pipeline(file, createGunzip(), new PassThrough().resume()).then(
    () => false,
    () => true,
  );
}

/** A document is parsed in memory: an answer of the API has at most 10,000 events. */
const LARGEST_DOCUMENT_MEBIBYTES = 256;

async function readDocument(name: string, isGzip: boolean) {
  const about = printable(name, 200);
  const maxOutputLength = LARGEST_DOCUMENT_MEBIBYTES * 2 ** 20;
  let document: unknown;
  try {
    if ((await stat(name)).size > maxOutputLength) throw new RangeError('too large');
    const bytes = await readFile(name);
    const text = (isGzip ? gunzipSync(bytes, { maxOutputLength }) : bytes).toString();
    document = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw new MigrationError(
      'EVENTS_INVALID',
      `${about} is not one JSON document of at most ${LARGEST_DOCUMENT_MEBIBYTES} MiB`,
      {
        hint: 'fetch the file again if it was cut off, or pass the events as lines:\njq -c ".data.viewer.zones[].firewallEventsAdaptive[]" FILE',
        cause,
      },
    );
  }
  return parseEventDocument(document, about);
}
