import { type ErrorCode } from '../core/error-catalogue';
import { type CleanText } from './clean-text';

/** Why no whole answer came. */
export interface TransportFailure {
  readonly code: ErrorCode;
  /** A clause for a message: `the connection was refused (ECONNREFUSED)`. */
  readonly reason: string;
  /** The connection broke on the way; the next one may hold. */
  readonly dropped: boolean;
  /** It is certain that the request did not reach the service. */
  readonly unsent: boolean;
  readonly hint?: string;
  readonly cause: TransportError;
}

/**
 * What undici or Node said, in their words. The original is not kept: a parser error of undici
 * carries the bytes of the answer in `data`, and those can hold an echo of the credentials.
 */
class TransportError extends Error {
  override readonly name = 'TransportError';

  constructor(
    message: string,
    /** e.g. `ECONNRESET`, `UND_ERR_SOCKET`. */
    readonly transportCode: string | undefined,
  ) {
    super(message);
  }
}

interface Row {
  readonly codes: RegExp;
  readonly code: ErrorCode;
  readonly reason: string;
  readonly is?: 'dropped' | 'unsent';
  readonly hint?: string;
}

const UNKNOWN: Row = { codes: /^/, code: 'API_UNREACHABLE', reason: 'the request failed' };

/** By code of Node, OpenSSL or undici 7; the first row that fits. */
const rows: readonly Row[] = [
  row(/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'API_TIMEOUT', 'no connection in time', 'unsent'),
  row(/^UND_ERR_HEADERS_TIMEOUT$/, 'API_TIMEOUT', 'no answer in time'),
  row(/^UND_ERR_BODY_TIMEOUT$/, 'API_TIMEOUT', 'the answer stopped in the middle'),
  row(/^DEADLINE$/, 'API_TIMEOUT', 'the answer did not end in time'),
  row(/^ECONNREFUSED$/, 'API_UNREACHABLE', 'the connection was refused', 'unsent'),
  row(/^ENOTFOUND$/, 'API_UNREACHABLE', 'the host name is not known', 'unsent'),
  row(/^EAI_/, 'API_UNREACHABLE', 'the host name could not be looked up', 'unsent'),
  row(/^E(HOST|NET)(UNREACH|DOWN)$/, 'API_UNREACHABLE', 'there is no way to the host', 'unsent'),
  {
    ...row(/^PROXY_407$/, 'API_UNREACHABLE', 'the proxy asks for a user and a password', 'unsent'),
    hint: 'set HTTPS_PROXY to http://<user>:<password>@<host>:<port>',
  },
  row(/^PROXY_/, 'API_UNREACHABLE', 'the proxy lets no request through', 'unsent'),
  {
    ...row(/CERT|^ERR_TLS_|SELF_SIGNED/, 'API_UNREACHABLE', 'the certificate is not trusted'),
    is: 'unsent',
    hint: 'set NODE_EXTRA_CA_CERTS to the file with the CA of the host',
  },
  row(/^(ERR_SSL_|EPROTO$)/, 'API_UNREACHABLE', 'the host does not speak TLS', 'unsent'),
  row(
    /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    'API_UNREACHABLE',
    'the connection broke',
    'dropped',
  ),
  row(/^UND_ERR_(DESTROYED|CLOSED|ABORTED)$/, 'API_UNREACHABLE', 'the client was closed'),
  row(/^UND_ERR_HEADERS_OVERFLOW$/, 'API_RESPONSE_INVALID', 'the headers are too long'),
  row(/^(HPE_|HTTPParserError$)/, 'API_RESPONSE_INVALID', 'the answer is not HTTP'),
  row(/^Z_/, 'API_RESPONSE_INVALID', 'the answer is not the gzip that it says'),
];

function row(codes: RegExp, code: ErrorCode, reason: string, is?: 'dropped' | 'unsent'): Row {
  return { codes, code, reason, ...(is === undefined ? {} : { is }) };
}

/** Tells what an error of undici, `net`, `tls` or `zlib` means. Never throws. */
export function parseTransportFailure(error: unknown, clean: CleanText): TransportFailure {
  const { code, message } = read(error);
  const { hint, is, ...found } =
    rows.find(({ codes }) => code !== undefined && codes.test(code)) ?? UNKNOWN;
  const shown = code === undefined ? '' : ` (${clean(code, 60)})`;
  return {
    code: found.code,
    reason: `${found.reason}${shown}`,
    dropped: is === 'dropped',
    unsent: is === 'unsent',
    ...(hint === undefined ? {} : { hint }),
    cause: new TransportError(clean(message), code),
  };
}

function read(error: unknown): { code: string | undefined; message: string } {
  if (typeof error !== 'object' || error === null) return { code: undefined, message: 'unknown' };
  const named = 'name' in error && error.name === 'HTTPParserError' ? error.name : undefined;
  // The parser error of undici 7 has a code for some causes, and none for most.
  const code = 'code' in error && typeof error.code === 'string' ? error.code : named;
  const message = 'message' in error && typeof error.message === 'string' ? error.message : '';
  // undici 7 has a code for it that it has for other things as well
  const refused = /^Proxy response \((\d{3})\)/.exec(message);
  if (refused !== null) return { code: `PROXY_${refused[1]}`, message };
  // Node tries IPv6 and IPv4 and wraps what both said, with an empty message of its own.
  if (message === '' && 'errors' in error && Array.isArray(error.errors)) {
    const first: unknown = error.errors[0];
    return { code, message: read(first).message };
  }
  return { code, message };
}
