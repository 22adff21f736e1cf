import { type Client, type ClientOptions } from '../../src/cloudflare/client';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../src/emulator/emulator';
import { clientUnderTest } from './client-under-test';
import { closeAfterTest } from './close-after-test';

export async function clientOverEmulator(
  options: EmulatorOptions,
  clientOptions: Partial<ClientOptions> = {},
): Promise<[Client, Emulator]> {
  const emulator = await startEmulator(options);
  closeAfterTest(emulator.stop);
  const { credentials } = emulator;
  const { client } = clientUnderTest(emulator.baseUrl, { credentials, ...clientOptions });
  closeAfterTest(() => client.close());
  return [client, emulator];
}

/** `GET /zones/…` for each request that an emulator saw. */
export function seen(emulator: Emulator): string[] {
  return emulator.requests().map(({ method, path, query }) => {
    return `${method} ${path}${query === '' ? '' : `?${query}`}`;
  });
}
