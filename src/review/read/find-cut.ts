import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/**
 * Whether a packed file ends too early or is damaged. The engine reads what is there of such a file
 * without a word (DuckDB 1.5.5), so that it must be looked for.
 */
export async function isCut(path: string, compression: 'gzip' | 'zstd'): Promise<boolean> {
  return compression === 'gzip' ? isCutGzip(path) : isCutZstd(path);
}

async function isCutGzip(path: string): Promise<boolean> {
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  try {
    await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), createGunzip(), nowhere);
    return false;
  } catch {
    return true;
  }
}

/**
 * Goes from block to block by their headers, without unpacking anything (RFC 8878, 3.1.1): Node 20
 * has no zstd.
 */
async function isCutZstd(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const at = async (offset: number, length: number): Promise<Buffer | undefined> => {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, offset);
      return bytesRead === length ? buffer : undefined;
    };
    let offset = 0;
    while (offset < size) {
      const end = await endOfFrame(offset, at);
      if (end === undefined || end > size) return true;
      offset = end;
    }
    return false;
  } finally {
    await file.close();
  }
}

type At = (offset: number, length: number) => Promise<Buffer | undefined>;

/** Where a frame ends: undefined where the file does not say it. */
async function endOfFrame(start: number, at: At): Promise<number | undefined> {
  const magic = (await at(start, 4))?.readUInt32LE(0);
  if (magic !== undefined && magic >>> 4 === 0x184d2a5) {
    const length = (await at(start + 4, 4))?.readUInt32LE(0);
    return length === undefined ? undefined : start + 8 + length;
  }
  const descriptor = (await at(start + 4, 1))?.[0];
  if (magic !== 0xfd2fb528 || descriptor === undefined) return undefined;
  const single = (descriptor >> 5) & 1;
  const contentSize = [single, 2, 4, 8][descriptor >> 6] ?? 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  let offset = start + 5 + (single === 1 ? 0 : 1) + dictionary + contentSize;
  for (;;) {
    const header = (await at(offset, 3))?.readUIntLE(0, 3);
    if (header === undefined) return undefined;
    const kind = (header >> 1) & 3;
    // a block that repeats one byte holds that byte alone, whatever its size
    offset += 3 + (kind === 1 ? 1 : header >> 3);
    if ((header & 1) === 1) return offset + ((descriptor & 4) === 0 ? 0 : 4);
  }
}
