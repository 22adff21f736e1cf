import { type ErrorCode } from '../core/error-catalogue';
import { MigrationError } from '../core/migration-error';
import { type CleanText } from './credentials';

/** One entry of `errors` in a response, cleaned for display. */
export interface ServiceErrorEntry {
  /** The error number of the API; some responses have none. */
  readonly code?: number;
  readonly message: string;
  /** JSON pointer into the request body. */
  readonly pointer?: string;
}

/** The refusal of the API: the `cause` of the `MigrationError`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    message: string,
    /** HTTP status of the response. */
    readonly status: number,
    /** Cloudflare's request id (header `cf-ray`), for its support. */
    readonly rayId: string | undefined,
    readonly errors: readonly ServiceErrorEntry[],
  ) {
    super(message);
  }

  /** Whether an entry has this number. Do not decide by the text, which can change. */
  hasCode(code: number): boolean {
    return this.errors.some((entry) => entry.code === code);
  }
}

/** Request data for an error. */
export interface RequestFacts {
  /** The start of the message: `zone 0123…`. */
  readonly about: string;
  /** Whether the request is a write, so that it matters whether it arrived. */
  readonly isWrite: boolean;
  /** How often the request was sent. */
  readonly attempts: number;
}

/** Response data for an error. */
export interface AnswerFacts extends RequestFacts {
  readonly status: number;
  readonly rayId: string | undefined;
  /** Milliseconds, from the header `Retry-After`. */
  readonly retryAfter: number | undefined;
}

/** The hint for a write that may have arrived. */
export const UNSURE_HINT =
  'check whether the API made the change before you send it again:\ncf-waf-migrate status';

/** The error for a response in which the API refuses the request. */
export function serviceFailure(
  answer: AnswerFacts,
  entries: readonly ServiceErrorEntry[],
): MigrationError {
  return answerError(codeOf(answer.status, entries), answer, renderEntries(entries), entries);
}

/** The error for a response that does not match the documentation. */
export function responseInvalid(answer: AnswerFacts, reason: string): MigrationError {
  return answerError('API_RESPONSE_INVALID', answer, reason, []);
}

function answerError(
  code: ErrorCode,
  answer: AnswerFacts,
  reason: string,
  entries: readonly ServiceErrorEntry[],
): MigrationError {
  const { about, status, rayId, attempts } = answer;
  const ray = rayId === undefined ? '' : `, ray ${rayId}`;
  const hint = hintFor(code, answer);
  return new MigrationError(
    code,
    `${about}: ${reason}, HTTP ${status}${ray}${renderAttempts(attempts)}`,
    {
      cause: new ServiceError(`${reason}, HTTP ${status}`, status, rayId, entries),
      ...(hint !== undefined && { hint }),
    },
  );
}

function hintFor(code: ErrorCode, answer: AnswerFacts): string | undefined {
  const { isWrite, status, retryAfter } = answer;
  const isRefusal = code === 'API_REFUSED' || (status >= 300 && status < 500);
  if (isWrite && !isRefusal) return UNSURE_HINT;
  const waits = code === 'API_RATE_LIMITED' || code === 'API_UNAVAILABLE';
  if (!waits || retryAfter === undefined) return undefined;
  return `wait ${Math.ceil(retryAfter / 1000)} seconds, then run the command again`;
}

const renderAttempts = (attempts: number): string => (attempts > 1 ? `, ${attempts} attempts` : '');

const MAX_SHOWN = 3;

function renderEntries(entries: readonly ServiceErrorEntry[]): string {
  if (entries.length === 0) return 'the API gives no reason';
  const shown = entries.slice(0, MAX_SHOWN).map(({ code, message, pointer }) => {
    const text = message === '' ? 'no message' : asClause(message);
    return [text, code === undefined ? '' : ` (${code})`, pointer ? ` at ${pointer}` : ''].join('');
  });
  const more = entries.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** Formats text for a message: lower case, no full stop. Acronyms keep their case. */
function asClause(text: string): string {
  const clause = text.replace(/[.\s]+$/u, '');
  return /^\p{Lu}\p{Ll}/u.test(clause) ? clause.charAt(0).toLowerCase() + clause.slice(1) : clause;
}

/**
 * API error numbers that are more precise than the HTTP status. They come from public reports: 6003
 * comes with 400, and 7003 with 400 or 404.
 */
const numbers = {
  API_UNAUTHORIZED: [6003, 9103, 9106, 9107, 9109, 10000],
  API_NOT_FOUND: [1001, 7000, 7003],
  API_RATE_LIMITED: [971, 10100],
} as const;

function codeOf(status: number, entries: readonly ServiceErrorEntry[]): ErrorCode {
  const has = (code: keyof typeof numbers): boolean =>
    entries.some((entry) => numbers[code].some((number) => number === entry.code));
  if (status === 429) return 'API_RATE_LIMITED';
  if (status >= 500) return 'API_UNAVAILABLE';
  if (status === 401 || has('API_UNAUTHORIZED')) return 'API_UNAUTHORIZED';
  if (has('API_RATE_LIMITED')) return 'API_RATE_LIMITED';
  // Rulesets answer "request is not authorized" without a number. A 403 with another number
  // concerns the zone (its plan or state), so new credentials would not help.
  if (status === 403 && entries.every(({ code }) => code === undefined)) return 'API_UNAUTHORIZED';
  return status === 404 || has('API_NOT_FOUND') ? 'API_NOT_FOUND' : 'API_REFUSED';
}

/** Why no complete response arrived. */
export interface TransportFailure {
  readonly code: ErrorCode;
  /** A clause for a message: `the connection was refused (ECONNREFUSED)`. */
  readonly reason: string;
  /** `unsent`: it did not arrive. `dropped`: the connection broke, so a retry can work. */
  readonly delivery: 'unsent' | 'dropped' | 'unknown';
  readonly hint?: string | undefined;
  readonly cause?: Error;
}

/** The error for a request without a complete response. `proxyHost` is the proxy, if any. */
export function transportError(
  { code, reason, delivery, hint, cause }: TransportFailure,
  { about, isWrite, attempts }: RequestFacts,
  proxyHost: string | undefined,
): MigrationError {
  const checkProxy =
    proxyHost && `check the proxy in HTTPS_PROXY (${proxyHost}), or add the host to NO_PROXY`;
  const shown = isWrite && delivery !== 'unsent' ? UNSURE_HINT : (hint ?? checkProxy);
  return new MigrationError(code, `${about}: ${reason}${renderAttempts(attempts)}`, {
    cause,
    ...(shown !== undefined && { hint: shown }),
  });
}

/**
 * An error of undici or Node, with their message. It does not keep the original: parser errors of
 * undici contain response bytes in `data`, which can include the credentials.
 */
class TransportError extends Error {
  override readonly name = 'TransportError';
}

type Row = readonly [
  codes: RegExp,
  reason: string,
  delivery?: TransportFailure['delivery'],
  hint?: string,
];

/** Failures by error code of Node, OpenSSL or undici 7; the first matching row applies. */
const rows: readonly Row[] = [
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'the connection timed out', 'unsent'],
  [/^UND_ERR_(HEADERS|BODY)_TIMEOUT$|^TimeoutError$/, 'the API did not answer in time'],
  [/^ECONNREFUSED$/, 'the connection was refused', 'unsent'],
  [/^(ENOTFOUND|EAI_.*)$/, 'the host name could not be looked up', 'unsent'],
  [/^E(HOST|NET)(UNREACH|DOWN)$/, 'the host is unreachable', 'unsent'],
  [
    /^PROXY_407$/,
    'the proxy requires a user name and a password',
    'unsent',
    'set HTTPS_PROXY to http://<user>:<password>@<host>:<port>',
  ],
  [/^PROXY_/, 'the proxy refused the request', 'unsent'],
  [
    /CERT|^ERR_TLS_|SELF_SIGNED/,
    'the certificate is not trusted',
    'unsent',
    'set NODE_EXTRA_CA_CERTS to the file with the CA of the host',
  ],
  [/^(ERR_SSL_|EPROTO$)/, 'the host does not speak TLS', 'unsent'],
  [
    /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    'the connection broke',
    'dropped',
  ],
];

const OTHER: Row = [/^/, 'the request failed'];

/** Classifies an error of undici, `net`, `tls`, `zlib` or `sendOnce`. Never throws. */
export function parseTransportFailure(error: unknown, clean: CleanText): TransportFailure {
  if (error instanceof MigrationError) {
    return { code: error.code, reason: error.message, delivery: 'unknown' };
  }
  const { code, message } = readError(error);
  const row = rows.find(([codes]) => code !== undefined && codes.test(code)) ?? OTHER;
  const [, reason, delivery = 'unknown', hint] = row;
  return {
    code: 'API_UNREACHABLE',
    reason: code === undefined ? reason : `${reason} (${clean(code, 60)})`,
    delivery,
    hint,
    cause: new TransportError(clean(message)),
  };
}

function readError(error: unknown): { code: string | undefined; message: string } {
  if (typeof error !== 'object' || error === null) return { code: undefined, message: 'unknown' };
  const message = 'message' in error && typeof error.message === 'string' ? error.message : '';
  // undici 7 reports a proxy refusal with a code that other failures share
  const refused = /^Proxy response \((\d{3})\)/.exec(message);
  if (refused !== null) return { code: `PROXY_${refused[1]}`, message };
  const name = 'name' in error ? error.name : undefined;
  // These two errors have no code, or a number.
  const named = name === 'HTTPParserError' || name === 'TimeoutError' ? name : undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : named;
  // Node tries IPv6 and IPv4 and wraps both errors in one with an empty message.
  if (message === '' && 'errors' in error && Array.isArray(error.errors)) {
    return { code, message: readError(error.errors[0]).message };
  }
  return { code, message };
}
