import { belowBase, createApp, BASE_PATH } from './app';
import { type Route } from './call';
import { type FaultPlan } from './faults/fault-plan';
import { type Outgoing, pageSizeOf, rateLimited, throughFaults } from './faults/inject';
import { createRateLimiter } from './rate-limit';
import { type RequestLog } from './request-log';
import { type World } from './world';

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
