import { BASE_PATH, belowBase, createApp } from './app';
import { type Route } from './call';
import { type FaultPlan } from './faults/fault';
import { type Outgoing, pageSizeOf, rateLimited, throughFaults } from './faults/inject';
import { createRateLimiter } from './scenario';
import { type Credentials, type World } from './world';

/** What a service is made of. */
export interface ServiceParts {
  readonly world: World;
  readonly routes: readonly Route[];
  readonly log: RequestLog;
  readonly faults: FaultPlan;
}

/** Answers requests; `outgoing` is the Node response below, where there is one. */
export type Service = (
  request: Request,
  env?: { readonly outgoing?: Outgoing },
) => Promise<Response>;

/** The service as others see it: with Ray IDs, its rate limit, faults if any, and a request log. */
export function createService({ world, routes, log, faults }: ServiceParts): Service {
  const app = createApp(world, routes, BASE_PATH);
  const { rateLimit } = world.settings;
  const limiter =
    rateLimit === undefined
      ? undefined
      : createRateLimiter(rateLimit, () => Date.parse(world.now()));
  return async (request, env) => {
    const { pathname, search } = new URL(request.url);
    const path = belowBase(pathname);
    const ray = world.mint.nextRay();
    const { method } = request;
    const body = await request.text();
    const met = faults.meet(method, path);
    const pageSize = pageSizeOf(met);
    const bindings = pageSize === undefined ? {} : { pageSize };
    const limit = limiter?.();
    const answer = async (): Promise<Response> => {
      if (limit?.exceeded === true) return rateLimited(limit.reset, 10100, rateLimit);
      const response = await app.fetch(withBody(request, body), bindings);
      response.headers.set('cf-ray', ray);
      return response;
    };
    const { response, dropped } = await throughFaults(met, answer, env?.outgoing);
    const { status } = response;
    log.add({ method, path, query: search.slice(1), status: dropped ? 0 : status, ray }, body);
    if (dropped) return response;
    response.headers.set('cf-ray', ray);
    if (limit !== undefined && !limit.exceeded) {
      const { remaining, reset } = limit;
      response.headers.set('ratelimit', `"default";r=${remaining};t=${reset}`);
    }
    return response;
  };
}

/** The request with the body that was read; undici makes none of the method TRACE, which has no body. */
function withBody(request: Request, body: string): Request {
  const { url, method, headers } = request;
  if (method === 'TRACE') return request;
  return new Request(url, { method, headers, body: body === '' ? null : body });
}

/** One request that the emulator answered. Headers are not kept, and no secret is. */
export interface RequestLogEntry {
  readonly method: string;
  /** Below the base address: `/zones/…`. */
  readonly path: string;
  /** Without the question mark; empty where there is none. */
  readonly query: string;
  /** HTTP status of the answer; 0 where the connection was dropped instead. */
  readonly status: number;
  /** The Ray ID of the answer. */
  readonly ray: string;
  /** The parsed body of a write, its text where it is no JSON, absent where there is none. */
  readonly body?: unknown;
}

/** The requests of an emulator, oldest first. */
export interface RequestLog {
  readonly add: (entry: Omit<RequestLogEntry, 'body'>, bodyText: string) => void;
  readonly entries: () => readonly RequestLogEntry[];
  readonly clear: () => void;
}

/** A log that strikes out the given secrets wherever a caller may have put them. */
export function createRequestLog(secrets: Credentials): RequestLog {
  let entries: RequestLogEntry[] = [];
  const strike = (text: string): string =>
    [secrets.token, secrets.key].reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
  return {
    add: (entry, bodyText) => {
      const clean = { ...entry, path: strike(entry.path), query: strike(entry.query) };
      entries.push(bodyText === '' ? clean : { ...clean, body: parsed(strike(bodyText)) });
    },
    entries: () => [...entries],
    clear: () => {
      entries = [];
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
