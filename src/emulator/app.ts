import { timingSafeEqual } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { type AuthScheme, type Handler, type Method, type Reply, type Route } from './call';
import { invalidHeader, noRoute, Refusal, refusal, renderFailure, renderSuccess } from './refusal';
import { type Credentials, type World } from './world';

/** The path that the base address of the service ends with: its version (spec, "Versioning"). */
export const BASE_PATH = '/client/v4';

interface Env {
  readonly Variables: { schemes: Set<AuthScheme> };
  /** `pageSize`: what a fault forces on every list. */
  readonly Bindings: { pageSize?: number };
}

/** The service as a function of requests: every answer has the envelope. */
export function createApp(world: World, routes: readonly Route[], basePath: string): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    const presented = {
      authorization: c.req.header('authorization'),
      email: c.req.header('x-auth-email'),
      key: c.req.header('x-auth-key'),
    };
    c.set('schemes', authenticate(presented, world.credentials));
    await next();
  });
  for (const { path, methods } of routes) {
    for (const [method, handler] of Object.entries(methods)) {
      app.on(method, basePath + path, (c) => answer(c, handler, world));
    }
    app.all(basePath + path, (c) => {
      throw methodNotAllowed(c.req.method, methods);
    });
  }
  app.notFound((c) => fail(noRoute(pathOf(c))));
  app.onError((error) => fail(error));
  return app;
}

async function answer(c: Context<Env>, handler: Handler, world: World): Promise<Response> {
  const text = await c.req.text();
  const reply = handler({
    world,
    path: pathOf(c),
    params: c.req.param(),
    query: new URL(c.req.url).searchParams,
    schemes: c.get('schemes'),
    pageSize: c.env.pageSize,
    body: () => parseBody(text),
  });
  return succeed(reply);
}

function succeed({ result, resultInfo, document }: Reply): Response {
  if (document !== undefined) return json(200, JSON.stringify(document));
  // A deleted ruleset answers 204 with nothing: the client of provider 3.35 takes any byte for an
  // error (cloudflare-go 0.61).
  if (result === undefined) return new Response(null, { status: 204 });
  return json(200, renderSuccess(result, resultInfo));
}

function fail(error: unknown): Response {
  if (!(error instanceof Refusal)) {
    return json(500, renderFailure([{ message: 'Internal server error' }]));
  }
  const { status, errors, headers, html } = error;
  if (html === undefined) return json(status, renderFailure(errors), headers);
  return new Response(html, { status, headers: { 'content-type': 'text/html; charset=UTF-8' } });
}

function json(status: number, text: string, headers: Readonly<Record<string, string>> = {}) {
  return new Response(text, {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
  });
}

function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(400, 6007, 'Malformed JSON in request body');
  }
}

function methodNotAllowed(method: string, allowed: Partial<Record<Method, Handler>>): Refusal {
  return new Refusal(
    405,
    [{ code: 7001, message: `Method ${method} not available for that URI.` }],
    { allow: Object.keys(allowed).join(', ') },
  );
}

const pathOf = (c: Context): string => belowBase(new URL(c.req.url).pathname);

/** A path without the base path, where it has that. */
export function belowBase(path: string): string {
  return path.startsWith(`${BASE_PATH}/`) ? path.slice(BASE_PATH.length) : path;
}

interface Presented {
  readonly authorization: string | undefined;
  readonly email: string | undefined;
  readonly key: string | undefined;
}

/**
 * Which schemes a request proves. Spec, part "Authentication": a key pair, or a bearer token.
 * @throws Refusal when there is none (9106), one that is malformed (6003), or a wrong one (10000)
 */
function authenticate(presented: Presented, expected: Credentials): Set<AuthScheme> {
  const { authorization, email, key } = presented;
  const schemes = new Set<AuthScheme>();
  if (authorization !== undefined) {
    // the scheme in any case: RFC 9110, section 11.1
    const token = /^bearer ([a-z0-9_-]{40})$/i.exec(authorization)?.[1];
    if (token === undefined) throw invalidHeader(6111, 'Invalid format for Authorization header');
    if (!same(token, expected.token)) throw wrong();
    schemes.add('token');
  }
  if (email !== undefined || key !== undefined) {
    if (email === undefined) throw missing('X-Auth-Email');
    if (key === undefined) throw missing('X-Auth-Key');
    if (!/^[0-9a-f]{37}$/.test(key))
      throw invalidHeader(6103, 'Invalid format for X-Auth-Key header');
    if (!same(email, expected.email) || !same(key, expected.key)) throw wrong();
    schemes.add('key');
  }
  if (schemes.size === 0) throw missing('X-Auth-Key, X-Auth-Email or Authorization');
  return schemes;
}

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const wrong = (): Refusal => refusal(403, 10000, 'Authentication error');

const missing = (headers: string): Refusal => refusal(400, 9106, `Missing ${headers} headers`);
