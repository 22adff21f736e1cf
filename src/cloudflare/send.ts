import { promisify, types } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Dispatcher } from 'undici';
import { MigrationError } from '../core/migration-error';

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
  readonly header: (name: string) => string | undefined;
  readonly bytes: Buffer;
}

/** 64 MiB: far above the largest ruleset, and small enough for memory. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

const unzip = promisify(gunzip);

/** Sends once. Throws what undici throws, or the `MigrationError` of the body. */
export async function sendOnce(
  agent: Dispatcher,
  request: WireRequest,
  timeouts: Timeouts,
): Promise<RawAnswer> {
  const answer = await exchange(agent, request, timeouts);
  return { ...answer, bytes: await unpack(answer) };
}

/** A handler of its own: `Agent.request` and its abort signal take half as long again (measured). */
function exchange(
  agent: Dispatcher,
  request: WireRequest,
  { headers: headersTimeout, body: bodyTimeout, total }: Timeouts,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let failure: Error | undefined;
    let answer: Omit<RawAnswer, 'bytes'> | undefined;
    const pieces: Buffer[] = [];
    let size = 0;
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
      failure = error;
      // ends the connection, which a server can otherwise keep open
      controller?.abort(error);
    };
    const succeed = (whole: Omit<RawAnswer, 'bytes'>): void => {
      clearTimeout(timer);
      resolve({ ...whole, bytes: Buffer.concat(pieces) });
    };
    const timer = setTimeout(() => {
      fail(Object.assign(new Error('deadline'), { code: 'DEADLINE' }));
    }, total);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (started) => {
        controller = started;
        if (failure !== undefined) started.abort(failure);
      },
      onResponseStart: (_, status, headers) => {
        if (status < 200) return; // "processing": the answer is still to come
        const header = (name: string): string | undefined => {
          const value = headers[name];
          return Array.isArray(value) ? value.at(-1) : value;
        };
        answer = { status, header };
        if (Number(header('content-length') ?? 0) > MAX_ANSWER_BYTES) fail(tooLarge());
        if (status < 300 || status >= 400) return;
        succeed(answer);
        controller?.abort(new Error('a redirect is not followed'));
      },
      onResponseData: (_, piece) => {
        size += piece.length;
        if (size > MAX_ANSWER_BYTES) fail(tooLarge());
        else pieces.push(piece);
      },
      onResponseEnd: () => {
        if (answer !== undefined) succeed(answer);
      },
      onResponseError: (_, error) => {
        fail(error);
      },
    };
    try {
      agent.dispatch({ ...request, headersTimeout, bodyTimeout }, handler);
    } catch (error) {
      clearTimeout(timer);
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

async function unpack({ header, bytes }: RawAnswer): Promise<Buffer> {
  const coding = (header('content-encoding') ?? '').trim().toLowerCase();
  // a 204 can name a coding, and has no body
  if (bytes.length === 0 || coding === '' || coding === 'identity') return bytes;
  if (!/^(x-)?gzip$/.test(coding)) {
    throw new MigrationError('API_RESPONSE_INVALID', 'the answer has a coding other than gzip');
  }
  try {
    return await unzip(bytes, { maxOutputLength: MAX_ANSWER_BYTES });
  } catch (error) {
    const code = types.isNativeError(error) && 'code' in error ? error.code : undefined;
    throw code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : error;
  }
}

function tooLarge(): MigrationError {
  const limit = `${MAX_ANSWER_BYTES / 1024 / 1024} MiB`;
  return new MigrationError('API_RESPONSE_TOO_LARGE', `the answer is larger than ${limit}`);
}
