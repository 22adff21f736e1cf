import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, type ServerType } from '@hono/node-server';
import { type Service } from './service';
import { createIdentity } from './tls/certificate';

/** A server on the loopback interface. */
export interface Listener {
  /** `http://127.0.0.1:PORT`, or with https. */
  readonly origin: string;
  /** The certificate to trust, as a PEM file that is there until the server stops. */
  readonly certificatePath?: string;
  /** Stops listening, ends open connections, removes the certificate. */
  readonly close: () => Promise<void>;
}

type FetchCallback = Parameters<typeof serve>[0]['fetch'];

/** Listens on 127.0.0.1 and nowhere else. @throws Error when the port is taken */
export async function listen(service: Service, port: number, tls: boolean): Promise<Listener> {
  const hostname = '127.0.0.1';
  const fetch: FetchCallback = (request, { outgoing }) =>
    isLoopback(new URL(request.url).hostname)
      ? service(request, outgoing instanceof ServerResponse ? { outgoing } : {})
      : new Response('The emulator answers loopback hosts only.\n', { status: 421 });
  if (!tls) {
    const server = serve({ fetch, hostname, port });
    return { origin: `http://${hostname}:${await portOf(server)}`, close: () => closed(server) };
  }
  const { key, certificate } = createIdentity(new Date());
  const serverOptions = { key, cert: certificate };
  const server = serve({ fetch, hostname, port, createServer, serverOptions });
  const origin = `https://${hostname}:${await portOf(server)}`;
  const folder = await mkdtemp(join(tmpdir(), 'cf-waf-migrate-emulator-'));
  const certificatePath = join(folder, 'certificate.pem');
  await writeFile(certificatePath, certificate);
  const close = async (): Promise<void> => {
    await closed(server);
    await rm(folder, { recursive: true, force: true });
  };
  return { origin, certificatePath, close };
}

/** A page in a browser can reach this machine under a domain of its own (DNS rebinding). */
function isLoopback(hostname: string): boolean {
  return /^(?:127(?:\.\d+){3}|\[::1\]|localhost\.?)$/.test(hostname);
}

async function portOf(server: ServerType): Promise<number> {
  const { port } = await new Promise<AddressInfo>((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      const bound = server.address();
      if (typeof bound === 'object' && bound !== null) resolve(bound);
    });
  });
  return port;
}

function closed(server: ServerType): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => {
      if (error === undefined) resolve();
      else reject(error);
    });
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
}
