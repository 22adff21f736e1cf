import { open } from 'node:fs/promises';
import { constants, gunzipSync } from 'node:zlib';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';

/** What a file is, by its first bytes: names say little. */
export interface Sniffed {
  readonly format: 'lines' | 'parquet' | 'document' | 'empty';
  readonly compression: 'uncompressed' | 'gzip' | 'zstd';
  /** Begins with a byte order mark, of which the engine makes a bad line. */
  readonly marked?: boolean;
  /** The first character that is no space, where it is text. */
  readonly first?: string;
}

const HEAD = 64 * 1024;

/**
 * Looks at the beginning of a file. `document`: one JSON document, an answer of the GraphQL interface
 * or an array of events; `lines`: one JSON object on each line.
 * @throws MigrationError `FILE_UNREADABLE`
 */
export async function sniffFile(path: string): Promise<Sniffed> {
  const head = await readHead(path);
  if (head.length === 0) return { format: 'empty', compression: 'uncompressed' };
  if (head.subarray(0, 4).toString('latin1') === 'PAR1') {
    return { format: 'parquet', compression: 'uncompressed' };
  }
  const magic = head.readUIntBE(0, Math.min(head.length, 4));
  if (head.length >= 4 && magic === 0x28b52ffd) return { format: 'lines', compression: 'zstd' };
  if (head.length >= 2 && head.readUInt16BE(0) === 0x1f8b) {
    const unpacked = unpackedHead(head);
    return { ...aboutText(unpacked), compression: 'gzip' };
  }
  return { ...aboutText(head), compression: 'uncompressed' };
}

function aboutText(head: Buffer): Pick<Sniffed, 'format' | 'marked' | 'first'> {
  const marked = head.length >= 3 && head.readUIntBE(0, 3) === 0xefbbbf;
  return { format: formatOf(head), marked, first: firstOf(head) };
}

/** An array, or the envelope of GraphQL, on however many lines. */
function formatOf(head: Buffer): 'lines' | 'document' {
  const text = head.toString('utf8').replace(/^\ufeff/, '');
  return /^\s*(?:\[|\{\s*"(?:data|errors)"\s*:|\{\s*(?:\n|\r))/.test(text) ? 'document' : 'lines';
}

const firstOf = (head: Buffer): string =>
  head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
    .charAt(0);

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
