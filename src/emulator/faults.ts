import { type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import * as z from 'zod';
import { errorEntry, failureResponse, htmlResponse } from './refusal';
import { type RateLimit } from './world';

/** The requests that a fault applies to; by default all. */
const on = {
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  /** The path below the base address; `*` matches any characters, including slashes. */
  path: z.string().optional(),
  /** The number of matching requests to skip first. */
  after: z.int().min(0).default(0),
  /** The number of requests to apply the fault to; by default all that follow. */
  times: z.int().min(1).optional(),
};
/** Whether the API fails before or after it processes the request. */
const when = z.enum(['before', 'after']).default('before');
const message = z.string().default('injected fault');

export const faultSchema = z.discriminatedUnion('kind', [
  /** 429 with Retry-After and rate-limit headers. */
  z.strictObject({
    ...on,
    kind: z.literal('rate-limit'),
    retryAfter: z.int().min(0).default(1),
  }),
  /** An error status with the envelope. */
  z.strictObject({
    ...on,
    kind: z.literal('status'),
    status: z.int().min(400).max(599).default(503),
    code: z.int().optional(),
    message,
    when,
  }),
  /** Waits, then answers normally. */
  z.strictObject({ ...on, kind: z.literal('slow'), milliseconds: z.int().min(0).max(600_000) }),
  /** Closes the connection without a response. */
  z.strictObject({ ...on, kind: z.literal('drop'), when }),
  /** Cuts the body in half, either as a complete response or by closing the connection. */
  z.strictObject({
    ...on,
    kind: z.literal('truncate'),
    connection: z.boolean().default(false),
  }),
  /** An HTML page instead of JSON. */
  z.strictObject({
    ...on,
    kind: z.literal('html'),
    status: z.int().min(200).max(599).default(502),
    when,
  }),
  /** `success: false` with status 200. */
  z.strictObject({
    ...on,
    kind: z.literal('unsuccessful'),
    code: z.int().optional(),
    message,
    when,
  }),
  /** Limits the page size of lists, whatever size the request specifies. */
  z.strictObject({ ...on, kind: z.literal('small-pages'), size: z.int().min(1) }),
]);

export type Fault = z.infer<typeof faultSchema>;

export type FaultPlan = ReturnType<typeof createFaultPlan>;

/** The current faults and how often each was applied. `set` replaces them and resets the counts. */
export function createFaultPlan(initial: readonly Fault[]) {
  let entries: { readonly fault: Fault; readonly path: RegExp; met: number }[] = [];
  const set = (faults: readonly Fault[]): void => {
    entries = faults.map((fault) => ({ fault, path: wildcard(fault.path ?? '*'), met: 0 }));
  };
  set(initial);
  return {
    /** Returns the faults that apply to this request and counts each fault that matches. */
    meet: (method: string, path: string): Fault[] =>
      entries
        .filter(({ fault }) => fault.method === undefined || fault.method === method)
        .filter((entry) => entry.path.test(path))
        .filter((entry) => {
          const { after, times = Infinity } = entry.fault;
          entry.met += 1;
          return entry.met > after && entry.met <= after + times;
        })
        .map(({ fault }) => fault),
    set,
  };
}

/** A regular expression for text with the wildcard `*`. */
function wildcard(pattern: string): RegExp {
  const parts = pattern.split('*').map((text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

/** The Node response; undefined in a test without a socket. */
export type Outgoing = Pick<ServerResponse, 'writeHead' | 'write' | 'destroy'> | undefined;

/** The result of a request after its faults. */
export interface Outcome {
  readonly response: Response;
  /** Whether the connection was closed without a response. */
  readonly dropped: boolean;
}

/** Answers a request and applies its faults in order. */
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
      // an unreferenced timer does not keep the process of a stopped emulator alive
      await wait(fault.milliseconds, undefined, { ref: false });
      return inner();
    case 'small-pages':
      return inner();
    case 'drop':
      outgoing?.destroy();
      return { response: RESPONSE_ALREADY_SENT, dropped: true };
    case 'truncate':
      return truncated(await inner(), fault, outgoing);
    default:
      return { response: failure(fault), dropped: false };
  }
}

/** The smallest page size among the faults, if any sets one. */
export function pageSizeOf(faults: readonly Fault[]): number | undefined {
  const sizes = faults.flatMap((fault) => (fault.kind === 'small-pages' ? [fault.size] : []));
  return sizes.length === 0 ? undefined : Math.min(...sizes);
}

function failure(
  fault: Extract<Fault, { kind: 'rate-limit' | 'status' | 'html' | 'unsuccessful' }>,
): Response {
  switch (fault.kind) {
    case 'html':
      return htmlResponse(fault.status, 'Bad gateway');
    case 'rate-limit':
      return rateLimited(fault.retryAfter);
    case 'status':
      return failureResponse(fault.status, [errorEntry(fault.code, fault.message)]);
    case 'unsuccessful':
      return failureResponse(200, [errorEntry(fault.code, fault.message)]);
  }
}

/** 429 as in public reports, with the rate-limit headers that the API sends since 2025. */
export function rateLimited(
  retryAfter: number,
  { requests, seconds }: RateLimit = { requests: 1200, seconds: 300 },
): Response {
  const message = `More than ${requests} requests per ${seconds} seconds reached. Please wait and consider throttling your request speed`;
  return failureResponse(429, [{ code: 10100, message }], {
    'retry-after': String(retryAfter),
    ratelimit: `"default";r=0;t=${retryAfter}`,
    'ratelimit-policy': `"default";q=${requests};w=${seconds}`,
  });
}

async function truncated(
  { response, dropped }: Outcome,
  { connection }: Extract<Fault, { kind: 'truncate' }>,
  outgoing: Outgoing,
): Promise<Outcome> {
  if (dropped) return { response, dropped };
  const bytes = Buffer.from(await response.arrayBuffer());
  const kept = bytes.subarray(0, Math.floor(bytes.length / 2));
  const { status, headers } = response;
  if (!connection || outgoing === undefined) {
    return { response: new Response(new Uint8Array(kept), { status, headers }), dropped };
  }
  outgoing.writeHead(status, { ...Object.fromEntries(headers), 'content-length': bytes.length });
  await new Promise((resolve) => outgoing.write(kept, resolve));
  outgoing.destroy();
  return { response: RESPONSE_ALREADY_SENT, dropped: true };
}
