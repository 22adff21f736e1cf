import { timingSafeEqual } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { type FaultPlan, type Outgoing, pageSizeOf, rateLimited, throughFaults } from './faults';
import {
  failureResponse,
  htmlResponse,
  invalidHeader,
  jsonResponse,
  noRoute,
  Refusal,
  refusal,
  wrongCredentials,
} from './refusal';
import { type RequestLog } from './request-log';
import { filterRoutes } from './resources/filters';
import { firewallRuleRoutes } from './resources/firewall-rules';
import { pageRuleRoutes } from './resources/page-rules';
import { rulesetRoutes } from './resources/rulesets';
import { securityEventRoutes } from './resources/security-events';
import { migrationRoutes } from './resources/waf-migration';
import { wafOverrideRoutes } from './resources/waf-overrides';
import { wafPackageRoutes } from './resources/waf-packages';
import { accountRoutes, zoneRoutes } from './resources/zones';
import { type AuthScheme, type Handler, type Reply, type Route } from './route';
import { type Credentials, type RateLimit, type World } from './world';

/** The end of the API's base address: its version (spec, "Versioning"). */
export const BASE_PATH = '/client/v4';

/** Every path of the API. */
export const routes: readonly Route[] = [
  ...zoneRoutes,
  ...accountRoutes,
  ...migrationRoutes,
  ...rulesetRoutes,
  ...filterRoutes,
  ...firewallRuleRoutes,
  ...pageRuleRoutes,
  ...wafPackageRoutes,
  ...wafOverrideRoutes,
  ...securityEventRoutes,
];

interface ServiceParts {
  readonly world: World;
  readonly log: RequestLog;
  readonly faults: FaultPlan;
}

interface Env {
  /** The Node response, if there is one. */
  readonly Bindings: { outgoing?: Outgoing };
  /** `pageSize`: the page size that a fault forces on every list. */
  readonly Variables: { schemes: ReadonlySet<AuthScheme>; pageSize: number | undefined };
}

/** The API as a function of requests. Every response has the envelope and a Ray ID. */
export function createService(parts: ServiceParts): Hono<Env> {
  const { world } = parts;
  const app = new Hono<Env>();
  app.use(observation(parts), authentication(world));
  addRoutes(app, world);
  app.notFound((c) => failureOf(noRoute(pathOf(c))));
  app.onError((error) => failureOf(error));
  return app;
}

type Middleware = (c: Context<Env>, next: () => Promise<void>) => Promise<void>;

/** Adds Ray ID, faults, rate limit and log to a request. */
function observation({ world, log, faults }: ServiceParts): Middleware {
  const { rateLimit } = world.settings;
  const limiter = rateLimit && createRateLimiter(rateLimit, () => Date.parse(world.now()));
  return async (c, next) => {
    const { method } = c.req;
    const path = pathOf(c);
    const query = new URL(c.req.url).search.slice(1);
    const ray = world.mint.nextRay();
    const body = await c.req.text();
    const met = faults.meet(method, path);
    c.set('pageSize', pageSizeOf(met));
    const limit = limiter?.();
    const answer = async (): Promise<Response> => {
      if (limit?.isExceeded === true) return rateLimited(limit.reset, rateLimit);
      await next();
      return c.res;
    };
    const { response, dropped } = await throughFaults(met, answer, c.env.outgoing);
    log.add({ method, path, query, status: dropped ? 0 : response.status, ray }, body);
    if (!dropped) {
      response.headers.set('cf-ray', ray);
      if (limit?.isExceeded === false) {
        response.headers.set('ratelimit', `"default";r=${limit.remaining};t=${limit.reset}`);
      }
    }
    // Hono would merge the headers of both responses
    c.res = undefined;
    c.res = response;
  };
}

/** Counts requests in fixed windows. `clock` is in milliseconds, `reset` in seconds. */
function createRateLimiter({ requests, seconds }: RateLimit, clock: () => number) {
  let start = -Infinity;
  let used = 0;
  return () => {
    const now = clock();
    if (now - start >= seconds * 1000) [start, used] = [now, 0];
    used += 1;
    return {
      remaining: Math.max(0, requests - used),
      reset: Math.ceil((start + seconds * 1000 - now) / 1000),
      isExceeded: used > requests,
    };
  };
}

function authentication({ credentials }: World): Middleware {
  return async (c, next) => {
    c.set(
      'schemes',
      authenticate((name) => c.req.header(name), credentials),
    );
    await next();
  };
}

/**
 * The schemes of a request: a key pair or a bearer token (spec, part "Authentication").
 * @throws Refusal when there is none (9106), one is malformed (6003), or one is wrong (10000)
 */
function authenticate(
  header: (name: string) => string | undefined,
  expected: Credentials,
): Set<AuthScheme> {
  const authorization = header('authorization');
  const [email, key] = [header('x-auth-email'), header('x-auth-key')];
  const schemes = new Set<AuthScheme>();
  if (authorization !== undefined) {
    // the scheme is case-insensitive (RFC 9110, section 11.1)
    const token = /^bearer ([a-z0-9_-]{40})$/i.exec(authorization)?.[1];
    if (token === undefined) throw invalidHeader(6111, 'Invalid format for Authorization header');
    if (!isSame(token, expected.token)) throw wrongCredentials();
    schemes.add('token');
  }
  if (email !== undefined || key !== undefined) {
    if (email === undefined) throw missing('X-Auth-Email');
    if (key === undefined) throw missing('X-Auth-Key');
    if (!/^[0-9a-f]{37}$/.test(key)) {
      throw invalidHeader(6103, 'Invalid format for X-Auth-Key header');
    }
    if (!isSame(email, expected.email) || !isSame(key, expected.key)) throw wrongCredentials();
    schemes.add('key');
  }
  if (schemes.size === 0) throw missing('X-Auth-Key, X-Auth-Email or Authorization');
  return schemes;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const missing = (headers: string): Refusal => refusal(400, 9106, `Missing ${headers} headers`);

function addRoutes(app: Hono<Env>, world: World): void {
  for (const { path, methods } of routes) {
    for (const [method, handler] of Object.entries(methods)) {
      app.on(method, BASE_PATH + path, (c) => answerWith(c, handler, world));
    }
    app.all(BASE_PATH + path, (c) => {
      const errors = [
        { code: 7001, message: `Method ${c.req.method} not available for that URI.` },
      ];
      throw new Refusal(405, errors, { allow: Object.keys(methods).join(', ') });
    });
  }
}

async function answerWith(c: Context<Env>, handler: Handler, world: World): Promise<Response> {
  const text = await c.req.text();
  return successOf(
    handler({
      world,
      path: pathOf(c),
      params: c.req.param(),
      query: new URL(c.req.url).searchParams,
      schemes: c.get('schemes'),
      pageSize: c.get('pageSize'),
      body: () => parseBody(text),
    }),
  );
}

function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(400, 6007, 'Malformed JSON in request body');
  }
}

/**
 * A successful response. Key order and the indent of two match responses seen from the Rulesets
 * API, so that a recorded response is repeated byte for byte.
 */
function successOf({ result, resultInfo, document }: Reply): Response {
  if (document !== undefined) return jsonResponse(200, JSON.stringify(document));
  // A deleted ruleset gets 204 without a body: the client of provider 3.35 treats any byte as an
  // error (cloudflare-go 0.61).
  if (result === undefined) return new Response(null, { status: 204 });
  const envelope = { success: true, errors: [], messages: [], result, result_info: resultInfo };
  return jsonResponse(200, JSON.stringify(envelope, null, 2));
}

function failureOf(error: unknown): Response {
  if (!(error instanceof Refusal)) {
    return failureResponse(500, [{ message: 'Internal server error' }]);
  }
  const { status, errors, headers, html } = error;
  return html === undefined ? failureResponse(status, errors, headers) : htmlResponse(status, html);
}

/** The path of a request below the base path, if it has that prefix. */
function pathOf(c: Context): string {
  const { pathname } = new URL(c.req.url);
  return pathname.startsWith(`${BASE_PATH}/`) ? pathname.slice(BASE_PATH.length) : pathname;
}
