import { type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import * as z from 'zod';
import { wildcard } from './expression/evaluate';
import { errorEntry, failureResponse, htmlResponse } from './refusal';
import { type RateLimit } from './world';

/** Which requests a fault meets; without it all of them. */
const on = {
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  /** The path below the base address; `*` stands for any characters, slashes too. */
  path: z.string().optional(),
  /** How many matching requests pass before the first one is met. */
  after: z.int().min(0).default(0),
  /** How many are met then; without it all that follow. */
  times: z.int().min(1).optional(),
};
/** Whether the API fails before or after it has done what the request asks for. */
const when = z.enum(['before', 'after']).default('before');
const message = z.string().default('injected fault');

/** A fault of the API, as data. */
export const faultSchema = z.discriminatedUnion('kind', [
  /** 429 with Retry-After and rate-limit headers. */
  z.strictObject({
    ...on,
    kind: z.literal('rate-limit'),
    retryAfter: z.int().min(0).default(1),
  }),
  /** A status with the envelope. */
  z.strictObject({
    ...on,
    kind: z.literal('status'),
    status: z.int().min(400).max(599).default(503),
    code: z.int().optional(),
    message,
    when,
  }),
  /** Waits, then answers as always. */
  z.strictObject({ ...on, kind: z.literal('slow'), milliseconds: z.int().min(0).max(600_000) }),
  /** Ends the connection without an answer. */
  z.strictObject({ ...on, kind: z.literal('drop'), when }),
  /** Leaves out the second half of the body: of a whole answer, or by ending the connection. */
  z.strictObject({
    ...on,
    kind: z.literal('truncate'),
    connection: z.boolean().default(false),
  }),
  /** A page instead of JSON. */
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
  /** Lists with pages of at most this many entries, whatever is asked for. */
  z.strictObject({ ...on, kind: z.literal('small-pages'), size: z.int().min(1) }),
]);

/** A fault with its defaults filled in. */
export type Fault = z.infer<typeof faultSchema>;

export type FaultPlan = ReturnType<typeof createFaultPlan>;

/** The current faults, and how often each was met; `set` replaces them, and counts anew. */
export function createFaultPlan(initial: readonly Fault[]) {
  let entries: { readonly fault: Fault; readonly path: RegExp; met: number }[] = [];
  const set = (faults: readonly Fault[]): void => {
    entries = faults.map((fault) => ({ fault, path: wildcard(fault.path ?? '*'), met: 0 }));
  };
  set(initial);
  return {
    /** The faults that this request meets, in their order; counts it for each that it matches. */
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
    list: (): readonly Fault[] => entries.map(({ fault }) => fault),
    set,
  };
}

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
    default:
      return { response: failure(fault), dropped: false };
  }
}

/** The smallest page size that the faults force, if one does. */
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

/** 429 as public reports show it; the headers are those that the API sends since 2025. */
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
