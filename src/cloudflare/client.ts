import { setTimeout as delay } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import { MigrationError } from '../core/migration-error';
import { createCleanText, type Credentials, readCredentials, type Scheme } from './credentials';
import { type Envelope, isRedirect, parseAnswer, type RawAnswer } from './envelope';
import { type RequestFacts, transportFailure, type TransportFailure } from './failures';
import { parseBaseUrl } from './parse-base-url';
import { type Proxy } from './proxy';
import { CONNECTIONS, createRateLimiter, type RateLimiter } from './rate-limiter';

/** In milliseconds; each attempt of a request starts them again. */
interface Timeouts {
  /** Until the connection is open, including TLS. */
  readonly connect: number;
  /** For one whole attempt. */
  readonly total: number;
  /** Between two notices about a request that is still waiting. */
  readonly patience: number;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One attempt that has ended, without secrets: `--verbose` prints it. */
export interface RequestEvent {
  readonly method: Method;
  /** Relative to the base URL, with the query. */
  readonly path: string;
  /** Undefined if no complete response arrived. */
  readonly status: number | undefined;
  readonly rayId: string | undefined;
  /** From sending to the last byte of the response. */
  readonly milliseconds: number;
  /** The delay before the request is sent again; undefined if it is not. */
  readonly retryInMilliseconds: number | undefined;
}

export interface ClientOptions {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly proxy?: Proxy | undefined;
  readonly onRequest?: (event: RequestEvent) => void;
  /** Called while a response is missing, every {@link Timeouts.patience} milliseconds. */
  readonly onWaiting?: (request: { readonly method: Method; readonly path: string }) => void;
  readonly timeouts?: Partial<Timeouts>;
  /** Share one among all clients of a user. The default is a new one at the limit of the API. */
  readonly limiter?: RateLimiter;
  readonly sleep?: ((milliseconds: number) => Promise<void>) | undefined;
}

interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  /** Starts each message: `zone 0123…`. */
  readonly about?: string;
  /** The scheme to use if the user has both; the legacy API can refuse a token (10000). */
  readonly prefer?: Scheme;
  /** Whether this is a GraphQL query: it changes nothing, and its response has no envelope. */
  readonly graphql?: true;
}

export interface Client {
  /**
   * @param path - relative to the base URL; ids in it must already be validated
   * @throws {MigrationError} only with a code that begins with `API_`
   */
  request(method: Method, path: string, options?: RequestOptions): Promise<Envelope>;
  /** Closes all connections; requests in progress fail. */
  close(): Promise<void>;
}

const DEFAULT_TIMEOUTS: Timeouts = { connect: 10_000, total: 120_000, patience: 20_000 };

/**
 * Creates a client, which sends nothing until the first request.
 * @throws {MigrationError} `BASE_URL_INVALID`, `CREDENTIALS_MISSING`, `API_UNAUTHORIZED`
 */
export function createClient(options: ClientOptions): Client {
  const { origin, pathPrefix } = parseBaseUrl(options.baseUrl);
  const credentials = readCredentials(options.credentials);
  const { proxy, sleep = delay, limiter = createRateLimiter({ sleep }) } = options;
  const clean = createCleanText([...credentials.secrets, ...(proxy?.secrets ?? [])]);
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const agent = createAgent(proxy, timeouts.connect);

  async function request(method: Method, path: string, asked: RequestOptions = {}) {
    const { about = `${method} ${path}`, graphql = false } = asked;
    const lacksKey = asked.prefer === 'key' && !credentials.hasKey;
    const target = `${path}${renderQuery(asked.query)}`;
    const wire = { origin, method, path: pathPrefix + target, ...contentOf(asked, credentials) };
    const isWrite = method !== 'GET' && !graphql;
    for (let attempts = 1; ; attempts += 1) {
      await limiter.take();
      const facts = { about, isWrite, attempts, lacksKey };
      const started = Date.now();
      const notice = (): void => options.onWaiting?.({ method, path: target });
      const waiting = setInterval(notice, timeouts.patience).unref();
      const outcome = await sendOnce(agent, wire, timeouts.total).catch((error: unknown) =>
        transportFailure(error, facts, clean, proxy?.host),
      );
      clearInterval(waiting);
      const pause = retryDelay(outcome, facts);
      const { status, rayId } = 'error' in outcome ? {} : outcome;
      const timing = { milliseconds: Date.now() - started, retryInMilliseconds: pause };
      options.onRequest?.({ method, path: target, status, rayId, ...timing });
      if (pause === undefined) {
        if ('error' in outcome) throw outcome.error;
        const answer = { ...outcome, ...facts };
        return parseAnswer(answer, graphql, { clean, redact: credentials.redact });
      }
      await sleep(pause);
    }
  }

  return { request, close: () => agent.destroy() };
}

function createAgent(proxy: Proxy | undefined, timeout: number): Dispatcher {
  // HTTP/1.1 only: undici resends unprocessed HTTP/2 streams, including writes.
  const settings = { connections: CONNECTIONS, allowH2: false };
  return proxy?.createAgent(settings, timeout) ?? new Agent({ ...settings, connect: { timeout } });
}

function renderQuery(query: RequestOptions['query'] = {}): string {
  const texts = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return texts.length === 0 ? '' : `?${new URLSearchParams(texts).toString()}`;
}

function contentOf(
  { body, prefer = 'token' }: RequestOptions,
  { headersFor }: ReturnType<typeof readCredentials>,
) {
  const hasBody = body !== undefined;
  return {
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'cf-waf-migrate',
      ...(hasBody && { 'content-type': 'application/json' }),
      ...headersFor(prefer),
    },
    body: hasBody ? JSON.stringify(body) : null,
  };
}

/** 64 MiB: far above the largest ruleset, but small enough for memory. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** @param timeout milliseconds for everything, because each chunk of a slow body would start a shorter one again */
async function sendOnce(
  agent: Dispatcher,
  request: Dispatcher.RequestOptions,
  timeout: number,
): Promise<RawAnswer> {
  const signal = AbortSignal.timeout(timeout);
  const { statusCode: status, headers, body } = await agent.request({ ...request, signal });
  const header = (name: string): string | undefined => [headers[name]].flat().at(-1);
  const head = {
    status,
    contentType: header('content-type'),
    rayId: parseRayId(header('cf-ray')),
    retryAfter: parseRetryAfter(header('retry-after')),
  };
  if (isRedirect(status)) {
    body.on('error', () => undefined).destroy();
    return { ...head, bytes: Buffer.alloc(0) };
  }
  const pieces: Buffer[] = [];
  let size = 0;
  // leaving the loop destroys the body, which closes a connection that a server keeps open
  const chunks: AsyncIterable<Buffer> = body;
  for await (const piece of chunks) {
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) {
      const limit = `${MAX_ANSWER_BYTES / 1024 / 1024} MiB`;
      throw new MigrationError('API_RESPONSE_INVALID', `the answer is larger than ${limit}`);
    }
    pieces.push(piece);
  }
  return { ...head, bytes: Buffer.concat(pieces) };
}

/** Each message contains the Ray ID, so values that are none are dropped. */
function parseRayId(value = ''): string | undefined {
  return /^[0-9a-f]{16}(?:-[A-Z]{3})?$/.test(value) ? value : undefined;
}

/** Parses `Retry-After` in seconds, as Cloudflare sends it. @returns milliseconds */
function parseRetryAfter(value = ''): number | undefined {
  return /^\d{1,10}$/.test(value) ? Number(value) * 1000 : undefined;
}

/*
 * undici's retry interceptor (7.30) does not fit. It resumes a broken body with a Range request,
 * which the API does not support. It reads bodies of any size, and resends PUT and DELETE by
 * default. It also caps Retry-After, so it sends too early.
 */

/** Three retries, so four attempts: for an API that fails three times in a row. */
const MAX_ATTEMPTS = 4;
const FIRST_DELAY = 500;
/**
 * After too many requests the API refuses everything for five minutes (1,200 in 300 s). The
 * client does not wait longer than that.
 */
const MAX_RETRY_AFTER = 300_000;

type Outcome = RawAnswer | TransportFailure;

/** Milliseconds until a request is sent again; undefined if that would not help, or not soon enough. */
function retryDelay(
  outcome: Outcome,
  { isWrite, attempts }: Pick<RequestFacts, 'isWrite' | 'attempts'>,
): number | undefined {
  if (attempts === MAX_ATTEMPTS || !canRetry(outcome, isWrite)) return undefined;
  const retryAfter = 'error' in outcome ? undefined : outcome.retryAfter;
  if (retryAfter === undefined) return FIRST_DELAY * 2 ** (attempts - 1);
  return retryAfter > MAX_RETRY_AFTER ? undefined : Math.max(retryAfter, FIRST_DELAY);
}

function canRetry(outcome: Outcome, isWrite: boolean): boolean {
  if ('error' in outcome) return !isWrite && outcome.dropped;
  // the API refused the request before it did anything, so a write can be sent again, too
  if (outcome.status === 429) return true;
  // 501 is permanent
  return !isWrite && outcome.status >= 500 && outcome.status !== 501;
}
