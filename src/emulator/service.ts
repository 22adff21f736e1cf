import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { type Fault, faultsOf, type Outgoing, throughFaults } from './faults';
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
import { firewallRoutes } from './resources/firewall';
import { legacyWafRoutes } from './resources/legacy-waf';
import { rulesetRoutes } from './resources/rulesets';
import { securityEventRoutes } from './resources/security-events';
import { migrationRoutes } from './resources/waf-migration';
import { type Call, paged, type Reply, type Route, zoneRoute } from './route';
import { exampleCredentials, type JsonObject, type World, type Zone } from './world';

/** The end of the API's base address: its version (spec, "Versioning"). */
export const BASE_PATH = '/client/v4';

export const routes: readonly Route[] = [
  { path: '/zones', methods: { GET: listZones } },
  zoneRoute('', { GET: ({ zone }) => ({ result: renderZone(zone) }) }),
  // not paged: public documentation
  zoneRoute('/pagerules', {
    GET: ({ zone }) => ({ result: [...zone.pageRules].sort((a, b) => b.priority - a.priority) }),
  }),
  ...migrationRoutes,
  ...rulesetRoutes,
  ...firewallRoutes,
  ...legacyWafRoutes,
  ...securityEventRoutes,
];

function listZones(call: Call): Reply {
  const { world, query } = call;
  const name = query.get('name');
  const account = query.get('account.id');
  const zones = [...world.zones.values()]
    .filter((zone) => name === null || zone.name === name)
    .filter((zone) => account === null || zone.account.id === account);
  return paged(zones.map(renderZone), call, { default: 20, min: 5, max: 50 });
}

const planNames = {
  pro: 'Pro Website',
  business: 'Business Website',
  enterprise: 'Enterprise Website',
} as const;

function renderZone({ id, name, plan, account, created_on }: Zone): JsonObject {
  return {
    id,
    name,
    status: 'active',
    paused: false,
    type: 'full',
    created_on,
    modified_on: created_on,
    account: { id: account.id, name: account.name },
    plan: { id: plan, name: planNames[plan], legacy_id: plan, is_subscribed: true },
  };
}

/** One request that the emulator answered, without its headers. */
export interface RequestLogEntry {
  readonly method: string;
  readonly path: string;
  /** Without the question mark; empty if there is no query. */
  readonly query: string;
  /** HTTP status of the response; 0 if the connection was dropped. */
  readonly status: number;
  readonly ray: string;
  /** The parsed body of a write; its text if it is not JSON; absent if there is no body. */
  readonly body?: unknown;
}

/** The API as a function of requests. Every response has a Ray ID, and every request is logged. */
export function createService(world: World, initialFaults: readonly Fault[]) {
  const app = createApp(world);
  let faults = faultsOf(initialFaults);
  let log: RequestLogEntry[] = [];
  return {
    fetch: async (request: Request, outgoing?: Outgoing): Promise<Response> => {
      const { method } = request;
      const url = new URL(request.url);
      const path = pathOf(url);
      const ray = world.mint.nextRay();
      const body = await request.text();
      const met = faults(method, path);
      const pageSize = met.find((fault) => fault.kind === 'small-pages')?.size;
      const answer = async (): Promise<Response> => app.fetch(request, { body, pageSize });
      const response = await throughFaults(met, answer, outgoing);
      response?.headers.set('cf-ray', ray);
      log.push({
        method,
        path,
        query: url.search.slice(1),
        status: response?.status ?? 0,
        ray,
        ...(body !== '' && { body: parseJson(body) ?? body }),
      });
      return response ?? RESPONSE_ALREADY_SENT;
    },
    requests: (): readonly RequestLogEntry[] => [...log],
    clearRequests: (): void => {
      log = [];
    },
    /** Replaces the faults and resets their counts. */
    setFaults: (given: readonly Fault[]): void => {
      faults = faultsOf(given);
    },
  };
}

interface Env {
  /** `pageSize`: the page size that a fault forces on every list. */
  readonly Bindings: { readonly body: string; readonly pageSize: number | undefined };
}

/** Authentication, then the routes. Every response has the envelope. */
function createApp(world: World): Hono<Env> {
  const app = new Hono<Env>();
  app.use((c, next) => {
    requireCredentials((name) => c.req.header(name));
    return next();
  });
  for (const { path, methods } of routes) {
    for (const [method, handler] of Object.entries(methods)) {
      app.on(method, BASE_PATH + path, (c) => {
        const url = new URL(c.req.url);
        const { body, pageSize } = c.env;
        const call = { world, path: pathOf(url), params: c.req.param(), query: url.searchParams };
        const hasKey = c.req.header('x-auth-key') !== undefined;
        return successOf(handler({ ...call, hasKey, pageSize, body: () => parseBody(body) }));
      });
    }
    app.all(BASE_PATH + path, (c) => {
      const message = `Method ${c.req.method} not available for that URI.`;
      throw new Refusal(405, [{ code: 7001, message }], { allow: Object.keys(methods).join(', ') });
    });
  }
  app.notFound((c: Context) => {
    const path = pathOf(new URL(c.req.url));
    // there are no accounts; provider 4 asks for one if an import id begins with `zones/`
    return failureOf(path.startsWith('/accounts/') ? wrongCredentials() : noRoute(path));
  });
  app.onError((error) => failureOf(error));
  return app;
}

/**
 * Checks the key pair or the bearer token of a request, or both (spec, part "Authentication").
 * @throws Refusal when there is none (9106), one is malformed (6003), or one is wrong (10000)
 */
function requireCredentials(header: (name: string) => string | undefined): void {
  const authorization = header('authorization');
  const [email, key] = [header('x-auth-email'), header('x-auth-key')];
  if (authorization !== undefined) {
    // the scheme is case-insensitive (RFC 9110, section 11.1)
    const token = /^bearer ([a-z0-9_-]{40})$/i.exec(authorization)?.[1];
    if (token === undefined) throw invalidHeader(6111, 'Invalid format for Authorization header');
    if (token !== exampleCredentials.token) throw wrongCredentials();
    if (email === undefined && key === undefined) return;
  }
  if (email === undefined || key === undefined) {
    throw refusal(400, 9106, 'Missing X-Auth-Key, X-Auth-Email or Authorization headers');
  }
  if (!/^[0-9a-f]{37}$/.test(key)) {
    throw invalidHeader(6103, 'Invalid format for X-Auth-Key header');
  }
  if (email !== exampleCredentials.email || key !== exampleCredentials.key) {
    throw wrongCredentials();
  }
}

function parseBody(text: string): unknown {
  if (text === '') return undefined;
  const parsed = parseJson(text);
  if (parsed === undefined) throw refusal(400, 6007, 'Malformed JSON in request body');
  return parsed;
}

/** `undefined` for text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
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

function pathOf({ pathname }: URL): string {
  return pathname.startsWith(`${BASE_PATH}/`) ? pathname.slice(BASE_PATH.length) : pathname;
}
