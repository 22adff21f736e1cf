import { type Context, Hono } from 'hono';
import { authenticate } from './authenticate';
import { type AuthScheme, type Handler, type Method, type Reply, type Route } from './call';
import { renderFailure, renderSuccess } from './envelope';
import { noRoute, Refusal, refusal } from './refusal';
import { type RequestLog } from './request-log';
import { type World } from './world';

/** The path that the base address of the service ends with: its version (spec, "Versioning"). */
export const BASE_PATH = '/client/v4';

interface Variables {
  readonly Variables: { ray: string; schemes: Set<AuthScheme>; bodyText: string };
}

/** The service as a function of requests: every answer has the envelope and a Ray ID. */
export function createApp(
  world: World,
  routes: readonly Route[],
  log: RequestLog,
): Hono<Variables> {
  const app = new Hono<Variables>();
  app.use(async (c, next) => {
    c.set('ray', world.mint.nextRay());
    c.set('bodyText', await c.req.text());
    await next();
    c.res.headers.set('cf-ray', c.get('ray'));
    log.add(
      {
        method: c.req.method,
        path: pathOf(c),
        query: new URL(c.req.url).search.slice(1),
        status: c.res.status,
        ray: c.get('ray'),
      },
      c.get('bodyText'),
    );
  });
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
      app.on(method, BASE_PATH + path, (c) => answer(c, handler, world));
    }
    app.all(BASE_PATH + path, (c) => {
      throw methodNotAllowed(c.req.method, methods);
    });
  }
  app.notFound((c) => fail(noRoute(pathOf(c))));
  app.onError((error) => fail(error));
  return app;
}

function answer(c: Context<Variables>, handler: Handler, world: World): Response {
  const reply = handler({
    world,
    path: pathOf(c),
    params: c.req.param(),
    query: new URL(c.req.url).searchParams,
    schemes: c.get('schemes'),
    body: () => parseBody(c.get('bodyText')),
  });
  return succeed(reply);
}

function succeed({ result, resultInfo }: Reply): Response {
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

function pathOf(c: Context): string {
  const { pathname } = new URL(c.req.url);
  return pathname.startsWith(`${BASE_PATH}/`) ? pathname.slice(BASE_PATH.length) : pathname;
}
