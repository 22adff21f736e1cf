import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Dispatcher } from 'undici';
import { MigrationError } from '../model/migration-error';

/** Milliseconds; each attempt of a request has all of them anew. */
export interface Timeouts {
  /** Until the connection stands, TLS included. */
  readonly connect: number;
  /** From the request until the headers of the answer. */
  readonly headers: number;
  /** Between two pieces of the body. */
  readonly body: number;
  /** For one attempt as a whole: a body that trickles in resets the one above for ever. */
  readonly total: number;
  /** Between two notices about a request that is still waiting. */
  readonly patience: number;
}

/** A request as it goes over the wire. */
interface WireRequest {
  readonly origin: string;
  /** With prefix and query. */
  readonly path: string;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** An answer as it came; the body is whole. */
export interface RawAnswer {
  readonly status: number;
  /** Lower-case name → its value, the last one when it came several times. */
  header(name: string): string | undefined;
  readonly bytes: Buffer;
}

/** 64 MiB: far above the largest ruleset, and small enough for memory. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** Sends once. Throws what undici throws, or the `MigrationError` of the body. */
export async function sendOnce(
  agent: Dispatcher,
  request: WireRequest,
  { headers: headersTimeout, body: bodyTimeout, total }: Timeouts,
): Promise<RawAnswer> {
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort(Object.assign(new Error('deadline'), { code: 'DEADLINE' }));
  }, total);
  try {
    const { signal } = deadline;
    const answer = await agent.request({ ...request, headersTimeout, bodyTimeout, signal });
    const header = (name: string): string | undefined => {
      const value = answer.headers[name];
      return Array.isArray(value) ? value.at(-1) : value;
    };
    return { status: answer.statusCode, header, bytes: await readBody(answer, header) };
  } finally {
    clearTimeout(timer);
  }
}

/** Fails when the body is too large: as announced, as it arrives, or unpacked. */
async function readBody(
  { statusCode: status, body }: Dispatcher.ResponseData,
  header: RawAnswer['header'],
): Promise<Buffer> {
  // a redirect is not followed, and a 204 that names a coding has no body to unpack
  if (status === 204 || (status >= 300 && status < 400)) {
    discard(body);
    return Buffer.alloc(0);
  }
  const coding = (header('content-encoding') ?? 'identity').trim().toLowerCase();
  const isGzip = /^(x-)?gzip$/.test(coding);
  if (Number(header('content-length') ?? 0) > MAX_ANSWER_BYTES) {
    discard(body);
    throw tooLarge();
  }
  if (!isGzip && !/^(identity)?$/.test(coding)) {
    discard(body);
    throw new MigrationError('API_RESPONSE_INVALID', 'the answer has a coding other than gzip');
  }
  const pieces: Buffer[] = [];
  const collect = async (source: AsyncIterable<Buffer>): Promise<void> => {
    for await (const piece of source) pieces.push(piece);
  };
  // limited on both sides: an endless stream of empty gzip members unpacks to nothing
  await (isGzip
    ? pipeline(body, limited, createGunzip(), limited, collect)
    : pipeline(body, limited, collect));
  return Buffer.concat(pieces);
}

/** Closes the connection, which a server can otherwise keep open. */
function discard(body: Readable): void {
  body.on('error', () => undefined).destroy();
}

async function* limited(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of source) {
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) throw tooLarge();
    yield piece;
  }
}

function tooLarge(): MigrationError {
  const limit = `${MAX_ANSWER_BYTES / 1024 / 1024} MiB`;
  return new MigrationError('API_RESPONSE_TOO_LARGE', `the answer is larger than ${limit}`);
}
