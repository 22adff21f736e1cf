import { type Dispatcher } from 'undici';
import { MigrationError } from '../core/migration-error';

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
 * @param timeout milliseconds for everything, because each chunk of a slow body would start a
 * shorter one again
 * @throws errors of undici, or a `MigrationError` about the body
 */
export async function sendOnce(
  agent: Dispatcher,
  request: Dispatcher.RequestOptions,
  timeout: number,
): Promise<RawAnswer> {
  const signal = AbortSignal.timeout(timeout);
  const { statusCode: status, headers, body } = await agent.request({ ...request, signal });
  const header = (name: string): string | undefined => [headers[name]].flat().at(-1);
  if (status >= 300 && status < 400) {
    body.on('error', () => undefined).destroy();
    return { status, header, bytes: Buffer.alloc(0) };
  }
  const pieces: Buffer[] = [];
  let size = 0;
  // leaving the loop destroys the body, which closes a connection that a server keeps open
  const chunks: AsyncIterable<Buffer> = body;
  for await (const piece of chunks) {
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) {
      const limit = `${MAX_ANSWER_BYTES / 1024 / 1024} MiB`;
      throw new MigrationError('API_RESPONSE_INVALID', `the answer is larger than ${limit}`);
    }
    pieces.push(piece);
  }
  return { status, header, bytes: Buffer.concat(pieces) };
}
