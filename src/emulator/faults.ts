import { type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { errorEntry, failureResponse, htmlResponse } from './refusal';

/** The requests that a fault applies to; by default all. */
const on = {
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  /** The path below the base address; `*` matches any characters, including slashes. */
  path: z.string().default('*'),
  /** The number of matching requests to skip first. */
  after: z.int().min(0).default(0),
  /** The number of requests to apply the fault to; by default all that follow. */
  times: z.int().min(1).default(Number.MAX_SAFE_INTEGER),
};
/** Whether the API fails before or after it processes the request. */
const when = z.enum(['before', 'after']).default('before');

export const faultSchema = z.discriminatedUnion('kind', [
  /** A failure with this status: the envelope with `success: false`, or a page of HTML. */
  z.strictObject({
    ...on,
    kind: z.literal('status'),
    status: z.int().min(200).max(599).default(503),
    code: z.int().optional(),
    message: z.string().default('injected fault'),
    /** In seconds. */
    retryAfter: z.int().min(0).optional(),
    html: z.boolean().default(false),
    when,
  }),
  z.strictObject({ ...on, kind: z.literal('slow'), milliseconds: z.int().min(0).max(600_000) }),
  z.strictObject({ ...on, kind: z.literal('drop'), when }),
  z.strictObject({ ...on, kind: z.literal('truncate') }),
  /** Limits the page size of lists, whatever size the request specifies. */
  z.strictObject({ ...on, kind: z.literal('small-pages'), size: z.int().min(1) }),
]);

export type Fault = z.infer<typeof faultSchema>;

/** Returns the faults that apply to a request, and counts each fault that matches. */
export function faultsOf(faults: readonly Fault[]): (method: string, path: string) => Fault[] {
  const entries = faults.map((fault) => ({ fault, path: wildcard(fault.path), met: 0 }));
  return (method, path) =>
    entries
      .filter(({ fault }) => fault.method === undefined || fault.method === method)
      .filter((entry) => entry.path.test(path))
      .filter((entry) => {
        const { after, times } = entry.fault;
        entry.met += 1;
        return entry.met > after && entry.met <= after + times;
      })
      .map(({ fault }) => fault);
}

function wildcard(pattern: string): RegExp {
  const parts = pattern.split('*').map((text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

/** The Node response; undefined in a test without a socket. */
export type Outgoing = Pick<ServerResponse, 'destroy'> | undefined;

/**
 * Answers a request and applies its faults in order.
 * @returns undefined if the connection was closed without a response
 */
export async function throughFaults(
  [fault, ...rest]: readonly Fault[],
  answer: () => Promise<Response>,
  outgoing: Outgoing,
): Promise<Response | undefined> {
  if (fault === undefined) return answer();
  const inner = (): Promise<Response | undefined> => throughFaults(rest, answer, outgoing);
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
      return undefined;
    case 'truncate':
      return truncated(await inner());
    case 'status':
      return failure(fault);
  }
}

function failure(fault: Extract<Fault, { kind: 'status' }>): Response {
  const { status, code, message, retryAfter, html } = fault;
  if (html) return htmlResponse(status, message);
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return failureResponse(status, [errorEntry(code, message)], headers);
}

async function truncated(whole: Response | undefined): Promise<Response | undefined> {
  // a deleted ruleset gets 204, which cannot have a body
  if (!whole?.body) return whole;
  const bytes = new Uint8Array(await whole.arrayBuffer());
  return new Response(bytes.subarray(0, bytes.length / 2), whole);
}
