import * as z from 'zod';
import { wildcard } from '../page-rule';

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
/** Whether the service does what it was asked before it fails: then a write has happened. */
const when = z.enum(['before', 'after']).default('before');
const message = z.string().default('fault asked for');

/** A fault of the service, as data. */
export const faultSchema = z.discriminatedUnion('kind', [
  /** 429 with Retry-After and rate-limit headers. */
  z.strictObject({
    ...on,
    kind: z.literal('rate-limit'),
    retryAfter: z.int().min(0).default(1),
    code: z.union([z.literal(971), z.literal(10100)]).default(10100),
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
  /** Leaves out the end of the body: of a whole answer, or by ending the connection. */
  z.strictObject({
    ...on,
    kind: z.literal('truncate'),
    keep: z.number().min(0).max(1).default(0.5),
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
  /** Lists without `result_info`. */
  z.strictObject({ ...on, kind: z.literal('no-result-info') }),
  /** Lists with pages of at most this many entries, whatever is asked for. */
  z.strictObject({ ...on, kind: z.literal('small-pages'), size: z.int().min(1) }),
]);

/** A fault with its defaults filled in. */
export type Fault = z.infer<typeof faultSchema>;

/** The faults that are asked for, and how often each was met. */
export interface FaultPlan {
  /** The faults that this request meets, in their order; counts it for each that it matches. */
  readonly meet: (method: string, path: string) => Fault[];
  readonly list: () => readonly Fault[];
  /** Replaces all faults, and starts counting anew. */
  readonly set: (faults: readonly Fault[]) => void;
}

/** A plan that starts with the given faults. */
export function createFaultPlan(initial: readonly Fault[]): FaultPlan {
  let entries: { readonly fault: Fault; readonly path: RegExp; met: number }[] = [];
  const set = (faults: readonly Fault[]): void => {
    entries = faults.map((fault) => ({ fault, path: wildcard(fault.path ?? '*'), met: 0 }));
  };
  set(initial);
  return {
    meet: (method, path) =>
      entries
        .filter(({ fault }) => fault.method === undefined || fault.method === method)
        .filter((entry) => entry.path.test(path))
        .filter((entry) => {
          const { after, times = Infinity } = entry.fault;
          entry.met += 1;
          return entry.met > after && entry.met <= after + times;
        })
        .map(({ fault }) => fault),
    list: () => entries.map(({ fault }) => fault),
    set,
  };
}
