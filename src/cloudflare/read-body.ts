import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { MigrationError } from '../model/migration-error';

/** 64 MiB: far above the largest ruleset, far below what memory takes. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** The headers of an answer that say how to read its body. */
export interface BodyHeaders {
  readonly length: string | undefined;
  readonly coding: string | undefined;
}

/**
 * Reads an answer to its end, or cuts the connection off when it is too large: by what
 * `content-length` announces, by what arrives, and by what that unpacks to.
 *
 * @throws {MigrationError} `API_RESPONSE_TOO_LARGE`, `API_RESPONSE_INVALID` for a coding that was
 * not asked for; anything else that the stream throws
 */
export async function readBody(body: Readable, headers: BodyHeaders): Promise<Buffer> {
  if (Number(headers.length ?? 0) > MAX_ANSWER_BYTES) {
    cutOff(body);
    throw tooLarge();
  }
  const chunks: Buffer[] = [];
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of bounded(source)) chunks.push(chunk);
  };
  const coding = headers.coding?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') {
    await pipeline(body, collect);
  } else if (coding === 'gzip' || coding === 'x-gzip') {
    // Bounded on both sides: a stream of empty gzip members arrives for ever and unpacks to nothing.
    await pipeline(body, bounded, createGunzip(), collect);
  } else {
    cutOff(body);
    throw new MigrationError('API_RESPONSE_INVALID', 'the answer has a coding other than gzip');
  }
  return Buffer.concat(chunks);
}

/** Ends an answer that nobody wants, and its connection with it. */
export function cutOff(body: Readable): void {
  body.on('error', () => undefined); // the abort that follows is no news
  body.destroy();
}

async function* bounded(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw tooLarge();
    yield chunk;
  }
}

function tooLarge(): MigrationError {
  const limit = `${MAX_ANSWER_BYTES / 1024 / 1024} MiB`;
  return new MigrationError('API_RESPONSE_TOO_LARGE', `the answer is larger than ${limit}`);
}
