/** One entry of `errors` in a response, in the shape of public reports. */
interface ErrorEntry {
  /** Absent in some responses of the Cloudflare API; clients must not rely on it. */
  readonly code?: number | undefined;
  readonly message: string;
  readonly source?: { readonly pointer: string } | undefined;
  readonly error_chain?: readonly { readonly code: number; readonly message: string }[];
}

/** A refusal by the API. A route throws it before it changes anything. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  /**
   * @param status HTTP status of the response
   * @param errors at least one entry of the envelope's `errors`
   * @param html an HTML page to answer with instead of the envelope
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

export function refusal(
  status: number,
  code: number | undefined,
  message: string,
  pointer?: string,
): Refusal {
  return new Refusal(status, [errorEntry(code, message, pointer)]);
}

export function errorEntry(
  code: number | undefined,
  message: string,
  pointer?: string,
): ErrorEntry {
  return { code, message, source: pointer === undefined ? undefined : { pointer } };
}

/** A header that the API rejects: 6003, with the reason in `error_chain`. */
export function invalidHeader(code: number, message: string): Refusal {
  const error_chain = [{ code, message }];
  return new Refusal(400, [{ code: 6003, message: 'Invalid request headers', error_chain }]);
}

/** Wrong credentials, or credentials that an endpoint does not accept. */
export const wrongCredentials = (): Refusal => refusal(403, 10000, 'Authentication error');

export function noRoute(path: string): Refusal {
  const message = `Could not route to ${path}, perhaps your object identifier is invalid?`;
  return new Refusal(404, [
    { code: 7003, message },
    { code: 7000, message: 'No route for that URI' },
  ]);
}

/** An error response. Every response uses the envelope (spec, part "Errors"). */
export function failureResponse(
  status: number,
  errors: readonly ErrorEntry[],
  headers: Readonly<Record<string, string>> = {},
): Response {
  const envelope = { success: false, errors, messages: [], result: null };
  return jsonResponse(status, JSON.stringify(envelope, null, 2), headers);
}

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

export function htmlResponse(status: number, text: string): Response {
  return new Response(`<!DOCTYPE html><html><body>${text}</body></html>\n`, {
    status,
    headers: { 'content-type': 'text/html; charset=UTF-8' },
  });
}
