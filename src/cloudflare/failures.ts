import * as z from 'zod';
import { errorCatalogue, type ErrorCode } from '../core/error-catalogue';
import { MigrationError } from '../core/migration-error';
import { counted } from '../core/printable';
import { type CleanText } from './credentials';

/** One entry of `errors` in a response, cleaned for display. */
export interface ServiceErrorEntry {
  /** The error number of the API; some responses have none. */
  readonly code: number | undefined;
  readonly message: string;
  readonly pointer: string | undefined;
}

/** The `cause` of the `MigrationError`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    message: string,
    /** HTTP status of the response. */
    readonly status: number,
    readonly errors: readonly ServiceErrorEntry[],
  ) {
    super(message);
  }
}

/** The error of the API behind a failure; undefined if the API did not report one. */
export const serviceErrorOf = (thrown: unknown): ServiceError | undefined =>
  thrown instanceof MigrationError && thrown.cause instanceof ServiceError
    ? thrown.cause
    : undefined;

/** Whether the credentials lack a permission. An endpoint that is retired answers with another status. */
export const isForbidden = (thrown: unknown): boolean =>
  [401, 403].includes(serviceErrorOf(thrown)?.status ?? 0);

/** Whether the API refuses the credentials for every zone. A 403 can be about one zone. */
export const isUnauthenticated = (thrown: unknown): boolean =>
  serviceErrorOf(thrown)?.status === 401;

export interface RequestFacts {
  /** The start of the message: `zone 0123…`. */
  readonly about: string;
  /** Whether the request is a write, so that it matters whether it arrived. */
  readonly isWrite: boolean;
  readonly attempts: number;
  /** Whether the legacy API got a token, because the user has no key. */
  readonly lacksKey: boolean;
}

interface AnswerFacts extends RequestFacts {
  readonly status: number;
  readonly rayId: string | undefined;
  /** Milliseconds, from the header `Retry-After`. */
  readonly retryAfter: number | undefined;
}

export const UNSURE_HINT =
  'check whether the API made the change before you send it again:\ncf-waf-migrate status';

const EDIT_HINT = 'check the credentials, and their permission Zone WAF Edit for this zone';

export const SET_KEY =
  'set CLOUDFLARE_EMAIL and CLOUDFLARE_API_KEY: the legacy API can refuse an API token';

export function serviceFailure(
  answer: AnswerFacts,
  entries: readonly ServiceErrorEntry[],
): MigrationError {
  return answerError(answer, renderEntries(entries), codeOf(answer.status, entries), entries);
}

/** The error for a response, by default for one that does not match the documentation. */
export function answerError(
  answer: AnswerFacts,
  reason: string,
  code: ErrorCode = 'API_RESPONSE_INVALID',
  entries: readonly ServiceErrorEntry[] = [],
): MigrationError {
  const { about, isWrite, status, rayId, retryAfter, attempts, lacksKey } = answer;
  const ray = rayId === undefined ? '' : `, ray ${rayId}`;
  const isRefusal = code === 'API_REFUSED' || (status >= 300 && status < 500);
  const wait = retryAfter
    ? `wait ${counted(Math.ceil(retryAfter / 1000), 'second')}, then run the command again`
    : undefined;
  const permission = isWrite ? EDIT_HINT : errorCatalogue.API_UNAUTHORIZED;
  const own =
    code === 'API_UNAUTHORIZED' ? `${permission}${lacksKey ? `; or ${SET_KEY}` : ''}` : wait;
  const hint = isWrite && !isRefusal ? UNSURE_HINT : own;
  return new MigrationError(
    code,
    `${about}: ${reason}, HTTP ${status}${ray}${renderAttempts(attempts)}`,
    { cause: new ServiceError(`${reason}, HTTP ${status}`, status, entries), hint },
  );
}

const renderAttempts = (attempts: number): string => (attempts > 1 ? `, ${attempts} attempts` : '');

const MAX_SHOWN = 3;

function renderEntries(entries: readonly ServiceErrorEntry[]): string {
  if (entries.length === 0) return 'the API gives no reason';
  const shown = entries.slice(0, MAX_SHOWN).map(({ code, message, pointer }) => {
    const text = message.replace(/[.\s]+$/, '') || 'no message';
    return [text, code === undefined ? '' : ` (${code})`, pointer ? ` at ${pointer}` : ''].join('');
  });
  const more = entries.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
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

type Delivery = 'unsent' | 'dropped' | 'unknown';
type Row = readonly [codes: RegExp, reason: string, delivery?: Delivery, hint?: string];

/**
 * Failures by error code of Node, OpenSSL or undici 7; the first matching row applies. `unsent`: the
 * request did not arrive. `dropped`: the connection broke, so a retry can work.
 */
const rows: readonly Row[] = [
  [/^TimeoutError$/, 'the API did not answer in time'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|ECONNREFUSED)$/, 'cannot connect', 'unsent'],
  [/^(ENOTFOUND|EAI_.*|E(HOST|NET)(UNREACH|DOWN))$/, 'cannot connect', 'unsent'],
  [/^(ERR_SSL_.*|EPROTO)$/, 'cannot connect with TLS', 'unsent'],
  [
    /CERT|^ERR_TLS_|SELF_SIGNED/,
    'the certificate is not trusted',
    'unsent',
    'set NODE_EXTRA_CA_CERTS to the file with the CA of the host',
  ],
  [
    /^PROXY_407$/,
    'the proxy requires a user name and a password',
    'unsent',
    'set HTTPS_PROXY to http://<user>:<password>@<host>:<port>',
  ],
  [/^PROXY_/, 'the proxy refused the request', 'unsent'],
  [
    /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    'the connection broke',
    'dropped',
  ],
];

/** A request without a complete response. */
export interface TransportFailure {
  readonly error: MigrationError;
  /** Whether the connection broke, so that a retry can work. */
  readonly dropped: boolean;
}

/**
 * The cause of the error is a new one, because parser errors of undici contain response bytes, which
 * can include the credentials.
 */
export function transportFailure(
  error: unknown,
  { about, isWrite, attempts }: RequestFacts,
  clean: CleanText,
  proxyHost: string | undefined,
): TransportFailure {
  const unsure = isWrite ? UNSURE_HINT : undefined;
  if (error instanceof MigrationError) {
    const message = `${about}: ${error.message}`;
    return { error: new MigrationError(error.code, message, { hint: unsure }), dropped: false };
  }
  const { code, message } = readError(error);
  const [, reason, delivery = 'unknown', ownHint] = rows.find(([codes]) => codes.test(code)) ?? [
    code,
    'the request failed',
  ];
  const checkProxy =
    proxyHost && `check the proxy in HTTPS_PROXY (${proxyHost}), or add the host to NO_PROXY`;
  const hint = (delivery === 'unsent' ? undefined : unsure) ?? ownHint ?? checkProxy;
  const shown = code === '' ? '' : ` (${clean(code, 60)})`;
  return {
    error: new MigrationError(
      'API_UNREACHABLE',
      `${about}: ${reason}${shown}${renderAttempts(attempts)}`,
      { cause: new Error(clean(message)), hint },
    ),
    dropped: delivery === 'dropped',
  };
}

const errorSchema = z
  .object({
    name: z.string(),
    message: z.string(),
    // the code of a timeout is a number
    code: z.string().catch(''),
    errors: z.array(z.object({ message: z.string() })).catch([]),
  })
  .catch({ name: '', message: 'unknown', code: '', errors: [] });

function readError(error: unknown): { code: string; message: string } {
  const { name, message, code, errors } = errorSchema.parse(error);
  // undici 7 reports a proxy refusal with a code that other failures share
  const refused = /^Proxy response \((\d{3})\)/.exec(message);
  if (refused !== null) return { code: `PROXY_${refused[1]}`, message };
  // Node tries IPv6 and IPv4 and wraps both errors in one with an empty message.
  const text = message || (errors[0]?.message ?? '');
  return { code: name === 'TimeoutError' ? name : code, message: text };
}
