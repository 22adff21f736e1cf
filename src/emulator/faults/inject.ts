import { type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { renderFailure } from '../refusal';
import { isJsonObject } from '../json';
import { type RateLimit } from '../scenario';
import { type Fault } from './fault';

/** A Node response, where there is a socket below (not in a test without one). */
export type Outgoing = Pick<ServerResponse, 'writeHead' | 'write' | 'destroy'> | undefined;

/** What came of a request that met faults. */
export interface Outcome {
  readonly response: Response;
  /** The connection was ended without an answer. */
  readonly dropped: boolean;
}

/** Answers a request through the faults that it meets, first to last. */
export async function throughFaults(
  faults: readonly Fault[],
  answer: () => Promise<Response>,
  outgoing: Outgoing,
): Promise<Outcome> {
  const [fault, ...rest] = faults;
  if (fault === undefined) return { response: await answer(), dropped: false };
  const inner = (): Promise<Outcome> => throughFaults(rest, answer, outgoing);
  if ('when' in fault && fault.when === 'after') await answer();
  switch (fault.kind) {
    case 'slow':
      // an emulator that was stopped meanwhile keeps no process alive
      await wait(fault.milliseconds, undefined, { ref: false });
      return inner();
    case 'small-pages':
      return inner();
    case 'drop':
      outgoing?.destroy();
      return { response: RESPONSE_ALREADY_SENT, dropped: true };
    case 'truncate':
      return truncated(await inner(), fault, outgoing);
    case 'no-result-info':
      return withoutResultInfo(await inner());
    default:
      return { response: failure(fault), dropped: false };
  }
}

/** The smallest page size that the faults force, if one does. */
export function pageSizeOf(faults: readonly Fault[]): number | undefined {
  const sizes = faults.flatMap((fault) => (fault.kind === 'small-pages' ? [fault.size] : []));
  return sizes.length === 0 ? undefined : Math.min(...sizes);
}

type Failing = Extract<Fault, { kind: 'rate-limit' | 'status' | 'html' | 'unsuccessful' }>;

function failure(fault: Failing): Response {
  switch (fault.kind) {
    case 'html':
      return new Response('<!DOCTYPE html><html><body>Bad gateway</body></html>\n', {
        status: fault.status,
        headers: { 'content-type': 'text/html; charset=UTF-8' },
      });
    case 'rate-limit':
      return rateLimited(fault.retryAfter, fault.code);
    case 'status':
      return envelope(fault.status, fault);
    case 'unsuccessful':
      return envelope(200, fault);
  }
}

/** 429 as public reports show it; the headers are those that the service sends since 2025. */
export function rateLimited(
  retryAfter: number,
  code: number,
  { requests, seconds }: RateLimit = { requests: 1200, seconds: 300 },
): Response {
  const response = envelope(429, {
    code,
    message: `More than ${requests} requests per ${seconds} seconds reached. Please wait and consider throttling your request speed`,
  });
  response.headers.set('retry-after', String(retryAfter));
  response.headers.set('ratelimit', `"default";r=0;t=${retryAfter}`);
  response.headers.set('ratelimit-policy', `"default";q=${requests};w=${seconds}`);
  return response;
}

function envelope(status: number, error: { code?: number | undefined; message: string }): Response {
  const { code, message } = error;
  return new Response(renderFailure([{ ...(code === undefined ? {} : { code }), message }]), {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8' },
  });
}

async function truncated(
  { response, dropped }: Outcome,
  { keep, connection }: Extract<Fault, { kind: 'truncate' }>,
  outgoing: Outgoing,
): Promise<Outcome> {
  if (dropped) return { response, dropped };
  const bytes = Buffer.from(await response.arrayBuffer());
  const kept = bytes.subarray(0, Math.floor(bytes.length * keep));
  const { status, headers } = response;
  if (!connection || outgoing === undefined) {
    return { response: new Response(new Uint8Array(kept), { status, headers }), dropped };
  }
  outgoing.writeHead(status, { ...Object.fromEntries(headers), 'content-length': bytes.length });
  await new Promise((resolve) => outgoing.write(kept, resolve));
  outgoing.destroy();
  return { response: RESPONSE_ALREADY_SENT, dropped: true };
}

async function withoutResultInfo({ response, dropped }: Outcome): Promise<Outcome> {
  if (dropped || !response.headers.get('content-type')?.startsWith('application/json')) {
    return { response, dropped };
  }
  const body: unknown = await response.json();
  const { status, headers } = response;
  const rest = isJsonObject(body) ? { ...body, result_info: undefined } : body;
  return { response: new Response(JSON.stringify(rest, null, 2), { status, headers }), dropped };
}
