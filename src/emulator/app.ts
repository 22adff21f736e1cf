import { type Context, Hono } from 'hono';
import { authenticate } from './authenticate';
import { type AuthScheme, type Handler, type Method, type Reply, type Route } from './call';
import { renderFailure, renderSuccess } from './envelope';
import { noRoute, Refusal, refusal } from './refusal';
import { type World } from './world';

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
