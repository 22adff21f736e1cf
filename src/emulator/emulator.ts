import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, type ServerType } from '@hono/node-server';
import { generate } from 'selfsigned';
import { type z } from 'zod';
import { faultSchema } from './faults';
import { loadScenario } from './scenario';
import { BASE_PATH, createService, type RequestLogEntry } from './service';
import { createMint, exampleCredentials, type World, type Zone } from './world';

export interface EmulatorOptions {
  readonly port?: number;
  /** Name of a built-in scenario (default `demo`), or a scenario as parsed JSON. */
  readonly scenario?: string | object;
  /** Serve HTTPS with a temporary certificate. Provider 3 and 4 support only HTTPS. */
  readonly tls?: boolean;
  /** The time in responses; by default the clock of this machine. */
  readonly clock?: () => Date;
}

export interface Emulator {
  /** The base address, version included: `http://127.0.0.1:PORT/client/v4`. */
  readonly baseUrl: string;
  /** With TLS: the certificate to trust, a PEM file that exists until the emulator stops. */
  readonly certificatePath?: string;
  readonly zones: readonly Pick<Zone, 'id' | 'name' | 'plan'>[];
  /** The environment variables that point any version of the provider to the emulator. */
  readonly environment: Readonly<Record<string, string>>;
  readonly credentials: typeof exampleCredentials;
  readonly requests: () => readonly RequestLogEntry[];
  readonly clearRequests: () => void;
  /** Replaces the faults of the API (docs/emulator.md). @throws ZodError when one is malformed */
  readonly setFaults: (faults: readonly z.input<typeof faultSchema>[]) => void;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the emulator on 127.0.0.1.
 * @throws Error when the scenario is unknown or malformed, or the port is taken
 * @example
 * const emulator = await startEmulator({ scenario: 'enterprise' });
 * await fetch(`${emulator.baseUrl}/zones`, { headers: { authorization: `Bearer ${emulator.credentials.token}` } });
 * await emulator.stop();
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { clock = () => new Date() } = options;
  const { name, settings, ...scenario } = loadScenario(options.scenario ?? 'demo');
  const zones = scenario.zones.map(({ id, name, plan }) => ({ id, name, plan }));
  const world: World = {
    zones: new Map(scenario.zones.map((zone) => [zone.id, zone])),
    settings,
    mint: createMint(name),
    now: () => clock().toISOString().replace('Z', '000Z'),
  };
  const service = createService(world, scenario.faults);
  const { origin, certificatePath, close } = await listen(service, options);
  const baseUrl = origin + BASE_PATH;
  const { host, pathname } = new URL(baseUrl);
  return {
    baseUrl,
    ...(certificatePath !== undefined && { certificatePath }),
    zones,
    environment: {
      CLOUDFLARE_API_TOKEN: exampleCredentials.token,
      // Go programs read trusted certificates from it; it replaces the system store
      ...(certificatePath !== undefined && { SSL_CERT_FILE: certificatePath }),
      // provider 5
      CLOUDFLARE_BASE_URL: baseUrl,
      // provider 3 and 4, which always use HTTPS: they need the emulator with TLS
      CLOUDFLARE_API_HOSTNAME: host,
      CLOUDFLARE_API_BASE_PATH: pathname,
    },
    credentials: exampleCredentials,
    requests: service.requests,
    clearRequests: service.clearRequests,
    setFaults: (given) => {
      service.setFaults(given.map((fault) => faultSchema.parse(fault)));
    },
    stop: close,
  };
}

const HOSTNAME = '127.0.0.1';

async function listen(
  service: ReturnType<typeof createService>,
  { port = 0, tls = false }: EmulatorOptions,
) {
  const fetch: Parameters<typeof serve>[0]['fetch'] = (request, { outgoing }) =>
    isLoopback(new URL(request.url).hostname)
      ? service.fetch(request, outgoing instanceof ServerResponse ? outgoing : undefined)
      : new Response('The emulator answers loopback hosts only.\n', { status: 421 });
  const identity = tls ? await createIdentity() : undefined;
  const secure = identity && {
    createServer,
    serverOptions: { key: identity.private, cert: identity.cert },
  };
  const server = serve({ fetch, hostname: HOSTNAME, port, ...secure });
  const host = `${HOSTNAME}:${await portOf(server)}`;
  if (identity === undefined) return { origin: `http://${host}`, close: () => closed(server) };
  const folder = await mkdtemp(join(tmpdir(), 'cf-waf-migrate-emulator-'));
  const certificatePath = join(folder, 'certificate.pem');
  await writeFile(certificatePath, identity.cert);
  const close = async (): Promise<void> => {
    await closed(server);
    await rm(folder, { recursive: true, force: true });
  };
  return { origin: `https://${host}`, certificatePath, close };
}

const DAY = 24 * 60 * 60 * 1000;

/**
 * A self-signed identity for 127.0.0.1 and localhost, valid for one week. The certificate is its own CA, so a client
 * needs to trust only this one file.
 */
function createIdentity() {
  return generate([{ name: 'commonName', value: 'cf-waf-migrate emulator' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - DAY),
    notAfterDate: new Date(Date.now() + 7 * DAY),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: HOSTNAME },
        ],
      },
    ],
  });
}

/** A web page can reach this machine through its own domain name (DNS rebinding). */
function isLoopback(hostname: string): boolean {
  return /^(?:127(?:\.\d+){3}|\[::1\]|localhost\.?)$/.test(hostname);
}

async function portOf(server: ServerType): Promise<number> {
  // rejects when the port is taken
  await once(server, 'listening');
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}

async function closed(server: ServerType): Promise<void> {
  const closing = once(server, 'close');
  server.close();
  if ('closeAllConnections' in server) server.closeAllConnections();
  await closing;
}
