import * as z from 'zod';

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
