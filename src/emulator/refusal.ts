import { type z } from 'zod';

/** One entry of `errors` in an answer: the shape that public reports of the service show. */
interface ErrorEntry {
  /** Absent in some answers of the service; a client must not rely on it. */
  readonly code?: number;
  readonly message: string;
  readonly source?: { readonly pointer: string };
  readonly error_chain?: readonly { readonly code: number; readonly message: string }[];
}

/** The service says no. Thrown by a route before it has changed anything. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  /**
   * @param status HTTP status of the answer
   * @param errors at least one entry of the envelope's `errors`
   * @param html a page to answer with instead of the envelope
   */
  constructor(
    readonly status: number,
    readonly errors: readonly ErrorEntry[],
    readonly headers: Readonly<Record<string, string>> = {},
    readonly html?: string,
  ) {
    super(errors.map(({ message }) => message).join('; '));
  }
}

/** A refusal with one error. `pointer` is the JSON pointer of the field that is wrong. */
export function refusal(
  status: number,
  code: number | undefined,
  message: string,
  pointer?: string,
): Refusal {
  return new Refusal(status, [
    {
      ...(code === undefined ? {} : { code }),
      message,
      ...(pointer === undefined ? {} : { source: { pointer } }),
    },
  ]);
}

/** A header that is none of the service's: 6003, with what is wrong of it in the chain. */
export function invalidHeader(code: number, message: string): Refusal {
  return new Refusal(400, [
    { code: 6003, message: 'Invalid request headers', error_chain: [{ code, message }] },
  ]);
}

/** No route for that path, or an identifier that is none: 7003 with 7000. */
export function noRoute(path: string): Refusal {
  return new Refusal(404, [
    {
      code: 7003,
      message: `Could not route to ${path}, perhaps your object identifier is invalid?`,
    },
    { code: 7000, message: 'No route for that URI' },
  ]);
}

/**
 * Parses the body of a write, or refuses it with 400: one error for each field that is wrong, each
 * with a pointer to it. The code is the interface's own; that these are the service's exact codes
 * is not known (docs/emulator.md, "Assumed"). An issue may bring its own as `params.code`.
 */
export function accept<T>(schema: z.ZodType<T>, body: unknown, code: number): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Refusal(
    400,
    parsed.error.issues.flatMap(faultsOf).map((fault) => ({
      code: fault.code ?? code,
      message: fault.message,
      source: { pointer: pointerTo(fault.path) },
    })),
  );
}

/** A field that is wrong. */
interface Fault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: number;
}

/** The fields that an issue of a schema is about: one for each key that is unknown. */
export function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  const { path, message } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: `unknown field "${key}"` }));
  }
  const code: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return [{ path, message, ...(typeof code === 'number' ? { code } : {}) }];
}

/** RFC 6901: `~` and `/` inside a key are escaped. */
function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The paging part of an answer (public documentation of the service, `result_info`). */
export interface ResultInfo {
  readonly page: number;
  readonly per_page: number;
  readonly count: number;
  readonly total_count: number;
  readonly total_pages: number;
}

/**
 * The text of an answer that succeeded. The order of keys and the indent of two are those that the
 * Rulesets interface was seen to answer with, so that a recorded answer is repeated byte by byte.
 */
export function renderSuccess(result: unknown, resultInfo?: ResultInfo): string {
  return JSON.stringify(
    {
      success: true,
      errors: [],
      messages: [],
      result,
      ...(resultInfo === undefined ? {} : { result_info: resultInfo }),
    },
    null,
    2,
  );
}

/** The text of an answer that refuses: spec, part "Errors": every answer uses the envelope. */
export function renderFailure(errors: readonly ErrorEntry[]): string {
  return JSON.stringify({ success: false, errors, messages: [], result: null }, null, 2);
}
