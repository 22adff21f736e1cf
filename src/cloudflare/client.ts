import { Agent } from 'undici';
import { type ErrorCode } from '../core/error-catalogue';
import { MigrationError } from '../core/migration-error';
import { type CleanText, createCleanText } from './clean-text';
import { type Credentials, readCredentials, type Scheme } from './credentials';
import { type Envelope, parseEnvelope, parseGraphql } from './envelope';
import { parseBaseUrl } from './parse-base-url';
import { parseRetryAfter, planRetry } from './plan-retry';
import { type Proxy } from './proxy';
import { createRateLimiter, type RateLimiter } from './rate-limiter';
import { type RawAnswer, sendOnce, type Timeouts } from './send';
import { UNSURE_HINT } from './service-failure';
import { parseTransportFailure, type TransportFailure } from './transport-failure';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One attempt, told when it has ended. Holds no secret: `--verbose` prints it. */
export interface RequestEvent {
  readonly method: Method;
  /** Below the base URL, with the query. */
  readonly path: string;
  /** Undefined when no whole answer came. */
  readonly status?: number;
  readonly rayId?: string;
  /** From sending until the last byte of the answer. */
  readonly milliseconds: number;
  /** 1 for the first. */
  readonly attempt: number;
  /** Why no whole answer came. */
  readonly failure?: ErrorCode;
  /** Set when the request is sent again, after this time. */
  readonly retryInMilliseconds?: number;
}

export interface ClientOptions {
  /** As {@link parseBaseUrl} takes it. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Where requests go through one. */
  readonly proxy?: Proxy | undefined;
  readonly onRequest?: (event: RequestEvent) => void;
  /** Told of a request whose answer has not come, again and again after {@link Timeouts.patience}. */
  readonly onWaiting?: (asked: { readonly method: Method; readonly path: string }) => void;
  readonly timeouts?: Partial<Timeouts>;
  /** Shared by all clients of one user; by default one of its own, at the limit of the service. */
  readonly limiter?: RateLimiter;
  /** The clock, in milliseconds since the epoch. */
  readonly now?: () => number;
  readonly sleep?: ((milliseconds: number) => Promise<void>) | undefined;
}

interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** What the request is about, the head of each message: `zone 0123…`. */
  readonly about?: string;
  /** Which credentials to take when the user has both; old interfaces can refuse a token (10000). */
  readonly prefer?: Scheme;
  /** A query of the GraphQL interface: it changes nothing, and its answer has no envelope. */
  readonly graphql?: true;
}

/** The service, as the files of its interfaces use it. Share one among all zones of a run. */
export interface Client {
  /**
   * @param path - below the base URL; ids in it must have been checked
   * @throws {MigrationError} a code that begins with `API_`; nothing else is thrown
   */
  request(method: Method, path: string, options?: RequestOptions): Promise<Envelope>;
  /** Ends all connections; requests under way fail. */
  close(): Promise<void>;
}

const DEFAULT_TIMEOUTS: Timeouts = {
  connect: 10_000,
  headers: 60_000,
  body: 30_000,
  total: 300_000,
  patience: 20_000,
};

/**
 * Makes a client. Nothing is sent until the first request.
 *
 * @example
 * const client = createClient({ baseUrl: DEFAULT_BASE_URL, credentials: { token } });
 * const zone = await readZone(client, zoneId);
 * await client.close();
 *
 * @throws {MigrationError} `BASE_URL_INVALID`, `CREDENTIALS_MISSING`, `API_UNAUTHORIZED`
 */
export function createClient(options: ClientOptions): Client {
  const { origin, pathPrefix } = parseBaseUrl(options.baseUrl);
  const credentials = readCredentials(options.credentials);
  const { proxy } = options;
  const clean = createCleanText([...credentials.secrets, ...(proxy?.secrets ?? [])]);
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const now = options.now ?? (() => Date.now());
  const sleep = options.sleep ?? ((time) => new Promise<void>((done) => setTimeout(done, time)));
  const limiter = options.limiter ?? createRateLimiter({ now, sleep });
  // HTTP/1.1 alone: undici sends HTTP/2 streams again that a server did not get to, writes as well.
  const settings = { connections: 8, allowH2: false };
  const agent =
    proxy?.createAgent(settings, timeouts.connect) ??
    new Agent({ ...settings, connect: { timeout: timeouts.connect } });

  async function request(method: Method, path: string, asked: RequestOptions = {}) {
    const target = `${path}${renderQuery(asked.query)}`;
    const wire = {
      origin,
      method,
      path: `${pathPrefix}${target}`,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip',
        'user-agent': 'cf-waf-migrate',
        ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...credentials.headersFor(asked.prefer ?? 'token'),
      },
      body: asked.body === undefined ? null : JSON.stringify(asked.body),
    };
    const isRead = method === 'GET' || asked.graphql === true;
    for (let count = 1; ; count += 1) {
      await limiter.take();
      const started = now();
      const notice = (): void => options.onWaiting?.({ method, path: target });
      const waiting = setInterval(notice, timeouts.patience).unref();
      const { raw, failure } = await attempt(wire);
      clearInterval(waiting);
      const rayId = parseRayId(raw?.header('cf-ray'), clean);
      const retryAfter = parseRetryAfter(raw?.header('retry-after'), now());
      const delay = planRetry({
        method: isRead ? 'GET' : method,
        attempt: count,
        status: raw?.status,
        dropped: failure?.dropped === true,
        retryAfter,
      });
      options.onRequest?.({
        method,
        path: target,
        attempt: count,
        milliseconds: now() - started,
        ...(raw && { status: raw.status }),
        ...(rayId !== undefined && { rayId }),
        ...(failure && { failure: failure.code }),
        ...(delay !== undefined && { retryInMilliseconds: delay }),
      });
      if (delay !== undefined) {
        await sleep(delay);
        continue;
      }
      const about = asked.about ?? `${method} ${path}`;
      if (failure) throw failed(failure, { about, isRead, attempts: count, proxy });
      const answer = {
        method,
        status: raw.status,
        rayId,
        attempts: count,
        retryAfter,
        contentType: raw.header('content-type'),
        location: raw.header('location'),
        bytes: raw.bytes,
      };
      return (asked.graphql ? parseGraphql : parseEnvelope)(answer, about, clean);
    }
  }

  type Attempt =
    | { readonly raw: RawAnswer; readonly failure?: undefined }
    | { readonly raw?: undefined; readonly failure: Failure };

  async function attempt(wire: Parameters<typeof sendOnce>[1]): Promise<Attempt> {
    try {
      return { raw: await sendOnce(agent, wire, timeouts) };
    } catch (error) {
      if (!(error instanceof MigrationError))
        return { failure: parseTransportFailure(error, clean) };
      return {
        failure: { code: error.code, reason: error.message, dropped: false, unsent: false },
      };
    }
  }

  return { request, close: () => agent.destroy() };
}

/** {@link TransportFailure}, or an answer that was cut off: then the cause says nothing more. */
type Failure = Omit<TransportFailure, 'cause'> & { readonly cause?: Error };

/** `8c1f…-FRA`. Anything that does not look like one is not shown: it goes into each message. */
function parseRayId(value: string | undefined, clean: CleanText): string | undefined {
  return value !== undefined && /^[0-9A-Za-z-]{1,64}$/.test(value) && clean(value) === value
    ? value
    : undefined;
}

interface Asked {
  readonly about: string;
  readonly isRead: boolean;
  readonly attempts: number;
  readonly proxy: Proxy | undefined;
}

function failed(failure: Failure, { about, isRead, attempts, proxy }: Asked): MigrationError {
  const { code, reason, hint, cause, unsent } = failure;
  const times = attempts > 1 ? `, ${attempts} attempts` : '';
  const byProxy =
    proxy &&
    `check the proxy that HTTPS_PROXY names (${proxy.host}), and NO_PROXY for hosts without it`;
  const told = !isRead && !unsent ? UNSURE_HINT : (hint ?? byProxy);
  const options = { cause, ...(told === undefined ? {} : { hint: told }) };
  return new MigrationError(code, `${about}: ${reason}${times}`, options);
}

function renderQuery(query: RequestOptions['query'] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.append(name, String(value));
  return search.size === 0 ? '' : `?${search.toString()}`;
}
