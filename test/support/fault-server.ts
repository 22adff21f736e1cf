import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { type ClientOptions } from '../../src/cloudflare/client';
import { type ClientUnderTest, clientUnderTest } from './client-under-test';
import { closeAfterTest } from './close-after-test';
import { listen } from './listen';

/** The response to a request. Tests combine the functions below. */
export type Play = (response: ServerResponse, request: IncomingMessage) => void;

export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface FaultServer {
  readonly baseUrl: string;
  readonly requests: RecordedRequest[];
  readonly close: () => Promise<void>;
}

/** Listens on the loopback address. The nth request gets the nth response, later requests get the last one. */
export async function startFaultServer(...plays: Play[]): Promise<FaultServer> {
  const requests: RecordedRequest[] = [];
  let played = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      const play = plays[Math.min(played, plays.length - 1)];
      played += 1;
      play?.(response, request);
    });
  });
  const { port, close } = await listen(server);
  return { baseUrl: `http://127.0.0.1:${port}/client/v4`, requests, close };
}

interface Head {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
}

/** Any bytes as the body. */
export function body(content: string | Buffer, { status = 200, headers = {} }: Head = {}): Play {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(content);
  };
}

export function json(content: unknown, head: Head = {}): Play {
  return body(JSON.stringify(content), head);
}

export function ok(result: unknown, rest: object = {}): Play {
  return json({ success: true, errors: [], messages: [], result, ...rest });
}

export function refusal(status: number, errors: unknown, headers: OutgoingHttpHeaders = {}): Play {
  return json({ success: false, errors, messages: [], result: null }, { status, headers });
}

export function html(status: number, headers: OutgoingHttpHeaders = {}): Play {
  return body('<!DOCTYPE html>\n<html><title>Bad gateway</title></html>', {
    status,
    headers: { 'content-type': 'text/html; charset=UTF-8', ...headers },
  });
}

export const dropped: Play = (response) => response.socket?.destroy();

/** Begins a body and never ends it; its length is announced as longer, or unknown. */
export const stalled =
  (content: string, length?: number): Play =>
  (response) => {
    const known = length === undefined ? {} : { 'content-length': length };
    response.writeHead(200, { 'content-type': 'application/json', ...known });
    response.write(content);
  };

/** The same in chunks of an unknown length, then closes the connection. */
export function cutChunked(content: string, length?: number): Play {
  return (response, request) => {
    stalled(content, length)(response, request);
    setTimeout(() => response.socket?.destroy(), 20);
  };
}

/** Announces more than it sends, then closes the connection. */
export const cutShort = (content: string): Play => cutChunked(content, content.length + 100);

export const silent: Play = () => undefined;

export const trickling: Play = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => {
    clearInterval(timer);
  });
};

/** Sends blocks until it has sent enough or the client leaves; counts the bytes. */
export function flood(bytes: number, sent: { bytes: number }): Play {
  const block = Buffer.alloc(64 * 1024, ' ');
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const pump = () => {
      while (sent.bytes < bytes && !response.destroyed) {
        sent.bytes += block.length;
        if (!response.write(block)) {
          response.once('drain', pump);
          return;
        }
      }
      response.end();
    };
    pump();
  };
}

export async function serve(
  plays: readonly Play[],
  options: Partial<ClientOptions> = {},
): Promise<ClientUnderTest & { readonly server: FaultServer }> {
  const server = await startFaultServer(...plays);
  closeAfterTest(server.close);
  const under = clientUnderTest(server.baseUrl, options);
  closeAfterTest(() => under.client.close());
  return { ...under, server };
}
