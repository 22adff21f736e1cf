import { type Client } from '../../src/cloudflare/client';
import { type Envelope } from '../../src/cloudflare/envelope';

/** What becomes of a result. */
export type Change = (result: any) => unknown;

/** A client that is told something else than the service answers, for one call. */
export function told(client: Client, method: string, end: string, change: Change): Client {
  return {
    ...client,
    request: async (...request): Promise<Envelope> => {
      const envelope = await client.request(...request);
      const concerned = request[0] === method && request[1].endsWith(end);
      return concerned ? { ...envelope, result: change(envelope.result) } : envelope;
    },
  };
}
