import { MigrationError } from '../../src/core/migration-error';
import {
  type Client,
  type ClientOptions,
  createClient,
  type RequestEvent,
} from '../../src/cloudflare/client';
import { type Envelope } from '../../src/cloudflare/envelope';

export const TOKEN = 'tok_4f1d0c9b8a7e6d5c4b3a29181706f5e4d3c2';
export const ZONE = '0123456789abcdef0123456789abcdef';

export interface ClientUnderTest {
  readonly client: Client;
  readonly events: RequestEvent[];
  /** The delays that the client requested, in milliseconds. */
  readonly naps: number[];
}

/** A client with a token that records delays instead of sleeping, and has short timeouts. */
export function clientUnderTest(
  baseUrl: string,
  options: Partial<ClientOptions> = {},
): ClientUnderTest {
  const events: RequestEvent[] = [];
  const naps: number[] = [];
  const client = createClient({
    baseUrl,
    credentials: { token: TOKEN },
    onRequest: (event) => events.push(event),
    sleep: (milliseconds) => {
      naps.push(milliseconds);
      return Promise.resolve();
    },
    ...options,
  });
  return { client, events, naps };
}

/** The `MigrationError` with which a promise or a function must fail. */
export async function failureOf(
  tried: Promise<unknown> | (() => unknown),
): Promise<MigrationError> {
  const promise = typeof tried === 'function' ? Promise.resolve().then(tried) : tried;
  const outcome: unknown = await promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );
  if (!(outcome instanceof MigrationError)) {
    throw new Error(`not a MigrationError: ${String(outcome)}`);
  }
  return outcome;
}

export type Change = (result: any) => unknown;

/** A client that changes the response of one call. */
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
