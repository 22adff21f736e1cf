import { open } from 'node:fs/promises';
import { constants, gunzipSync } from 'node:zlib';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';

/** What a file is, by its first bytes: names say little. */
export interface Sniffed {
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
export async function sniffFile(path: string): Promise<Sniffed> {
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
