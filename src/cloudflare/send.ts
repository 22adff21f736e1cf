import { type Agent } from 'undici';
import { cutOff, readBody } from './read-body';

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
}

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly origin: string;
  /** With prefix and query. */
  readonly path: string;
  readonly method: string;
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

/** Sends once. Throws what undici throws, or the `MigrationError` of the body. */
export async function sendOnce(
  agent: Agent,
  request: WireRequest,
  timeouts: Timeouts,
): Promise<RawAnswer> {
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort(Object.assign(new Error('deadline'), { code: 'DEADLINE' }));
  }, timeouts.total);
  try {
    const { statusCode, headers, body } = await agent.request({
      ...request,
      signal: deadline.signal,
      headersTimeout: timeouts.headers,
      bodyTimeout: timeouts.body,
    });
    const header = (name: string) => {
      const value = headers[name];
      return Array.isArray(value) ? value.at(-1) : value;
    };
    const found = { status: statusCode, header };
    if (statusCode >= 300 && statusCode < 400) {
      cutOff(body);
      return { ...found, bytes: Buffer.alloc(0) };
    }
    const coding = header('content-encoding');
    const bytes = await readBody(body, { length: header('content-length'), coding });
    return { ...found, bytes };
  } finally {
    clearTimeout(timer);
  }
}
