import { type Dispatcher } from 'undici';
import { MigrationError } from '../core/migration-error';

/** In milliseconds; each attempt of a request starts them again. */
export interface Timeouts {
  /** Until the connection is open, including TLS. */
  readonly connect: number;
  /** From the request to the response headers. */
  readonly headers: number;
  /** Between two chunks of the body. */
  readonly body: number;
  /** For one whole attempt, because each chunk of a slow body resets `body`. */
  readonly total: number;
  /** Between two notices about a request that is still waiting. */
  readonly patience: number;
}

/** A request on the wire. */
interface WireRequest {
  readonly origin: string;
  /** With prefix and query. */
  readonly path: string;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A raw response with its complete body, which is empty for a redirect. */
export interface RawAnswer {
  readonly status: number;
  /** The last value of a repeated header. */
  readonly header: (name: string) => string | undefined;
  readonly bytes: Buffer;
}

/** 64 MiB: far above the largest ruleset, but small enough for memory. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * Sends a request once and follows no redirect.
 * @throws errors of undici, or a `MigrationError` about the body
 */
export async function sendOnce(
  agent: Dispatcher,
  request: WireRequest,
  { headers: headersTimeout, body: bodyTimeout, total }: Timeouts,
): Promise<RawAnswer> {
  const { statusCode, headers, body } = await agent.request({
    ...request,
    headersTimeout,
    bodyTimeout,
    signal: AbortSignal.timeout(total),
  });
  const header = (name: string): string | undefined => [headers[name]].flat().at(-1);
  const answer = { status: statusCode, header };
  if (statusCode >= 300 && statusCode < 400) {
    body.on('error', () => undefined).destroy();
    return { ...answer, bytes: Buffer.alloc(0) };
  }
  return { ...answer, bytes: await readBody(body, Number(header('content-length') ?? 0)) };
}

/** Reads up to the limit. Destroying the body closes a connection that a server keeps open. */
function readBody(body: Dispatcher.ResponseData['body'], announced: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;
    body
      .on('error', reject)
      .on('end', () => {
        resolve(Buffer.concat(pieces));
      })
      .on('data', (piece: Buffer) => {
        size += piece.length;
        if (size > MAX_ANSWER_BYTES) body.destroy(tooLarge());
        else pieces.push(piece);
      });
    if (announced > MAX_ANSWER_BYTES) body.destroy(tooLarge());
  });
}

function tooLarge(): MigrationError {
  const limit = `${MAX_ANSWER_BYTES / 1024 / 1024} MiB`;
  return new MigrationError('API_RESPONSE_INVALID', `the answer is larger than ${limit}`);
}
