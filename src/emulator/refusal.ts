/** One entry of `errors` in an answer: the shape that public reports of the API show. */
interface ErrorEntry {
  /** Absent in some answers of the API; a client must not rely on it. */
  readonly code?: number;
  readonly message: string;
  /** A JSON pointer to the wrong field of the body. */
  readonly source?: { readonly pointer: string };
  readonly error_chain?: readonly { readonly code: number; readonly message: string }[];
}

/** The API says no. Thrown by a route before it has changed anything. */
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
  return new Refusal(status, [errorEntry(code, message, pointer)]);
}

/** An error without the fields that are not known. */
export function errorEntry(
  code: number | undefined,
  message: string,
  pointer?: string,
): ErrorEntry {
  return {
    ...(code !== undefined && { code }),
    message,
    ...(pointer !== undefined && { source: { pointer } }),
  };
}

/** A header that the API does not accept: 6003, with the reason in the chain. */
export function invalidHeader(code: number, message: string): Refusal {
  const error_chain = [{ code, message }];
  return new Refusal(400, [{ code: 6003, message: 'Invalid request headers', error_chain }]);
}

/** Credentials that are wrong, or that an endpoint does not accept. */
export const wrongCredentials = (): Refusal => refusal(403, 10000, 'Authentication error');

/** No route for that path, or an identifier that is none: 7003 with 7000. */
export function noRoute(path: string): Refusal {
  const message = `Could not route to ${path}, perhaps your object identifier is invalid?`;
  return new Refusal(404, [
    { code: 7003, message },
    { code: 7000, message: 'No route for that URI' },
  ]);
}

/** An answer that refuses: every answer uses the envelope (spec, part "Errors"). */
export function failureResponse(
  status: number,
  errors: readonly ErrorEntry[],
  headers: Readonly<Record<string, string>> = {},
): Response {
  const envelope = { success: false, errors, messages: [], result: null };
  return jsonResponse(status, JSON.stringify(envelope, null, 2), headers);
}

/** An answer with a JSON text. */
export function jsonResponse(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(text, {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
  });
}

/** An answer with a page instead of JSON. */
export function htmlResponse(status: number, text: string): Response {
  return new Response(`<!DOCTYPE html><html><body>${text}</body></html>\n`, {
    status,
    headers: { 'content-type': 'text/html; charset=UTF-8' },
  });
}
