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
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, gunzipSync } from 'node:zlib';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type EventFile, type EventInput } from './event-input';
import { parseEventDocument, renderEventLines } from './parse-event-document';

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
