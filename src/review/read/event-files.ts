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
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, gunzipSync } from 'node:zlib';
import { glob } from 'tinyglobby';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { parseEventDocument, renderEventLines } from './event-documents';

/** One file of events, as the engine is given it. */
export interface EventFile {
  /** Its link or copy in the folder of the engine: a name that this tool chose. */
  readonly path: string;
  readonly format: 'lines' | 'parquet';
  readonly compression: 'uncompressed' | 'gzip';
}

/** What was found of the input before the comparison. */
export interface EventInput {
  readonly files: readonly EventFile[];
  /** Where the links lead to. */
  readonly targets: readonly string[];
  /** Names of gzip files that end too early or are damaged. */
  readonly cut: readonly string[];
}

/** What the answers are based on. */
export interface Intake {
  readonly files: number;
  /** Events of either WAF and of other products. */
  readonly events: number;
  /** Lines that are no event: no JSON, or none of the fields. */
  readonly unreadable: number;
  readonly withoutRay: number;
  readonly sampled: number;
  readonly unknownActions: number;
  /** Events of the two WAFs with a time that is not understood. */
  readonly unknownTimes: number;
  /** Fields that no event of the two WAFs has. */
  readonly missing: readonly string[];
  /** The last two labels of hosts, most frequent first. */
  readonly domains: readonly string[];
  readonly cut: readonly string[];
}

/** Standard input, among the names of files. */
export const STANDARD_INPUT = '-';

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

/** A document is parsed in memory: an answer of the API has at most 10,000 events. */
const LARGEST_DOCUMENT_MEBIBYTES = 256;

/**
 * Puts files where the engine may read them, under names without any text of the user: the engine would
 * expand patterns in them. Documents become lines; everything else is linked, not copied.
 * @throws MigrationError `FILE_UNREADABLE`, `EVENTS_INVALID`
 */
export async function stageFiles(names: readonly string[], folder: string): Promise<EventInput> {
  const files: EventFile[] = [];
  const targets: string[] = [];
  const cut: string[] = [];
  for (const [index, name] of names.entries()) {
    const { format, compression } = await sniffFile(name);
    if (format === 'empty') continue;
    const path = join(folder, `events-${index}`);
    if (format === 'document') {
      await writeFile(path, await linesOf(name, compression === 'gzip'), { mode: 0o600 });
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

/** Whether a gzip file ends too early or is damaged: DuckDB 1.5.5 reads its beginning without an error. */
async function isCut(path: string): Promise<boolean> {
  const discard = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  try {
    await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), createGunzip(), discard);
    return false;
  } catch {
    return true;
  }
}

async function linesOf(name: string, packed: boolean): Promise<string> {
  const about = printable(name, 200);
  const largest = LARGEST_DOCUMENT_MEBIBYTES * 2 ** 20;
  if ((await stat(name)).size > largest) throw unreadableDocument(about);
  const bytes = await readFile(name);
  let document: unknown;
  try {
    const text = (packed ? gunzipSync(bytes, { maxOutputLength: largest }) : bytes).toString();
    document = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw unreadableDocument(about, cause);
  }
  return renderEventLines(parseEventDocument(document, about));
}

function unreadableDocument(about: string, cause?: unknown): MigrationError {
  return new MigrationError(
    'EVENTS_INVALID',
    `${about} is not one JSON document of at most ${LARGEST_DOCUMENT_MEBIBYTES} MiB`,
    {
      hint: 'fetch the file again if it was cut off, or pass the events as lines:\njq -c ".data.viewer.zones[].firewallEventsAdaptive[]" FILE',
      cause,
    },
  );
}

/** What a file is, by its first bytes: names say little. */
interface Sniffed {
  readonly format: 'lines' | 'parquet' | 'document' | 'empty';
  readonly compression: 'uncompressed' | 'gzip';
}

const HEAD = 64 * 1024;
const ZSTD = 0x28b52ffd;

/**
 * Looks at the beginning of a file. `document`: one JSON document, an answer of the GraphQL interface
 * or an array of events; `lines`: one JSON object on each line.
 * @throws MigrationError `FILE_UNREADABLE`, `EVENTS_INVALID` for zstd
 */
async function sniffFile(path: string): Promise<Sniffed> {
  const head = await readHead(path);
  if (head.length === 0) return { format: 'empty', compression: 'uncompressed' };
  if (head.toString('latin1', 0, 4) === 'PAR1') {
    return { format: 'parquet', compression: 'uncompressed' };
  }
  if (head.length >= 4 && head.readUInt32BE(0) === ZSTD) {
    const message = `${printable(path, 200)} is compressed with zstd, which is not supported`;
    throw new MigrationError('EVENTS_INVALID', message, { hint: 'decompress it:\nzstd -d FILE' });
  }
  if (head.length >= 2 && head.readUInt16BE(0) === 0x1f8b) {
    return { format: formatOf(unpackedHead(head)), compression: 'gzip' };
  }
  return { format: formatOf(head), compression: 'uncompressed' };
}

/** An array, or the envelope of GraphQL, on however many lines. */
function formatOf(head: Buffer): 'lines' | 'document' {
  const text = head.toString('utf8').replace(/^\ufeff/, '');
  return /^\s*(?:\[|\{\s*"(?:data|errors)"\s*:|\{\s*(?:\n|\r))/.test(text) ? 'document' : 'lines';
}

function unpackedHead(head: Buffer): Buffer {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0); // damaged: the check of the whole file says so
  }
}

async function readHead(path: string): Promise<Buffer> {
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw new MigrationError('FILE_UNREADABLE', `cannot read ${printable(path)}`, { cause });
  }
}
