import { type Client, type ClientOptions } from '../../src/cloudflare/client';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../src/emulator/emulator';
import { clientUnderTest } from './client-under-test';

/** Runs a test with an emulator of its own and the project's client, and closes both. */
export async function overEmulator(
  options: EmulatorOptions,
  test: (client: Client, emulator: Emulator) => Promise<void>,
  clientOptions: Partial<ClientOptions> = {},
): Promise<void> {
  const emulator = await startEmulator(options);
  const { client } = clientUnderTest(emulator.baseUrl, {
    credentials: emulator.credentials,
    ...clientOptions,
  });
  try {
    await test(client, emulator);
  } finally {
    await client.close();
    await emulator.stop();
  }
}

/** All items of a list. */
export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/** `GET /zones/…` for each request that an emulator saw. */
export function seen(emulator: Emulator): string[] {
  return emulator.requests().map(({ method, path, query }) => {
    return `${method} ${path}${query === '' ? '' : `?${query}`}`;
  });
}
