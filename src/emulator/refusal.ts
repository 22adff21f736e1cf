/** One entry of `errors` in an answer: the shape that public reports of the service show. */
export interface ErrorEntry {
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
