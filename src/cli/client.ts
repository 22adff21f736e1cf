import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Client, type RequestEvent } from '../cloudflare/client';
import { DEFAULT_BASE_URL } from '../cloudflare/parse-base-url';
import { type Proxy } from '../cloudflare/proxy';
import { createRateLimiter } from '../cloudflare/rate-limiter';
import { MigrationError } from '../core/migration-error';
import { counted, printable } from '../core/printable';
import { type CliContext } from './context';
import { type ServiceOptions } from './options';

/** Whether credentials are given, valid or not. */
export function hasCredentials(
  { tokenFile }: ServiceOptions,
  { environment }: Pick<CliContext, 'environment'>,
): boolean {
  const { token, email, key } = credentialsOf(environment);
  return Boolean(tokenFile ?? token) || Boolean(email && key);
}

/** The base URL of the Cloudflare API, as the user spelt it. */
export function baseUrlOf(
  { baseUrl }: ServiceOptions,
  { environment }: Pick<CliContext, 'environment'>,
): string {
  return baseUrl ?? (environment['CLOUDFLARE_BASE_URL'] || DEFAULT_BASE_URL);
}

export async function withClient<Result>(
  options: ServiceOptions,
  context: CliContext,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { environment, notify } = context;
  // loading undici takes longer than a command that works offline
  const { createClient } = await import('../cloudflare/client');
  const { token: ofEnvironment, email, key } = credentialsOf(environment);
  const { tokenFile } = options;
  const token = tokenFile === undefined ? ofEnvironment : await readToken(tokenFile, context.cwd);
  if (token && email && key) {
    notify('both an API token and an API key are set: the key is used only for the legacy API');
  }
  const baseUrl = baseUrlOf(options, context);
  const limiter = createRateLimiter({
    onWait: (milliseconds) => {
      // shorter ones come between all requests of a long run
      if (milliseconds < 10_000) return;
      const seconds = counted(Math.ceil(milliseconds / 1000), 'second');
      notify(`the Cloudflare API allows 1,200 requests in five minutes: waiting ${seconds}`);
    },
  });
  const client = createClient({
    baseUrl,
    credentials: { token, email, key },
    proxy: await readProxy(baseUrl, environment),
    limiter,
    sleep: context.wait,
    onRequest: (event) => {
      if (context.verbose) context.stderr(`${renderRequest(event)}\n`);
      else if (event.retryInMilliseconds !== undefined) notify(renderRetry(event));
    },
    onWaiting: ({ method, path }) => {
      notify(`still waiting for the response to ${method} ${printable(path, 200)}`);
    },
  });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const credentialsOf = (environment: CliContext['environment']) => ({
  token: environment['CLOUDFLARE_API_TOKEN'],
  email: environment['CLOUDFLARE_EMAIL'],
  key: environment['CLOUDFLARE_API_KEY'],
});

/** Read as Terraform does, which calls the same API. */
async function readProxy(
  baseUrl: string,
  environment: CliContext['environment'],
): Promise<Proxy | undefined> {
  const [url = '', noProxy = ''] = ['HTTPS_PROXY', 'NO_PROXY'].map(
    (name) => environment[name] || environment[name.toLowerCase()],
  );
  if (url === '') return undefined;
  const { findProxy } = await import('../cloudflare/proxy');
  return findProxy(baseUrl, url, noProxy);
}

function renderRequest(event: RequestEvent): string {
  const { method, path, status, rayId, milliseconds, retryInMilliseconds } = event;
  const outcome = `${status ?? 'no answer'}${rayId === undefined ? '' : ` ray ${printable(rayId, 40)}`}`;
  const again = retryInMilliseconds === undefined ? '' : `, again in ${retryInMilliseconds} ms`;
  return `${method} ${printable(path)} ${outcome} ${Math.round(milliseconds)} ms${again}`;
}

function renderRetry({ status, retryInMilliseconds = 0 }: RequestEvent): string {
  const what = status === undefined ? 'no response' : `the Cloudflare API answered ${status}`;
  return `${what}: trying again in ${Math.ceil(retryInMilliseconds / 1000)} s`;
}

async function readToken(path: string, cwd: string): Promise<string> {
  const text = await readFile(resolve(cwd, path), 'utf8').catch((cause: unknown) => {
    const message = `cannot read the token file ${printable(path)}`;
    throw new MigrationError('FILE_UNREADABLE', message, { cause });
  });
  const token = text.replace(/^\ufeff/, '').trim();
  if (token === '') {
    throw new MigrationError('CREDENTIALS_MISSING', `the token file ${printable(path)} is empty`);
  }
  return token;
}
