import { type ClientOptions } from '../../src/cloudflare/client';
import { type ClientUnderTest, clientUnderTest } from './client-under-test';
import { type FaultServer, type Play, startFaultServer } from './fault-server';

/** A server that plays, a client for it, and both closed whatever happens. */
export async function withServer<T>(
  plays: readonly Play[],
  use: (under: ClientUnderTest & { readonly server: FaultServer }) => Promise<T>,
  options: Partial<ClientOptions> = {},
): Promise<T> {
  const server = await startFaultServer(...plays);
  const under = clientUnderTest(server.baseUrl, options);
  try {
    return await use({ ...under, server });
  } finally {
    await under.client.close();
    await server.close();
  }
}
