import { type AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { BASE_PATH, createApp } from './app';
import { buildZone } from './build-zone';
import { createMint } from './identifiers';
import { loadScenario } from './load-scenario';
import { createRequestLog, type RequestLogEntry } from './request-log';
import { providerEnvironment, type ProviderMajor } from './provider-environment';
import { routes } from './routes';
import { type Credentials, exampleCredentials, type World } from './world';
import { type Plan } from './zone';

/** How to start an emulator. */
export interface EmulatorOptions {
  /** Port on the loopback interface; 0, the default, takes a free one. */
  readonly port?: number;
  /** Name of a built-in scenario (default `demo`), or a scenario as parsed JSON. */
  readonly scenario?: string | object;
  /** The time that answers carry; by default the clock of this machine. */
  readonly clock?: () => Date;
}

/** A running emulator of the service. */
export interface Emulator {
  /** The base address, version included: `http://127.0.0.1:PORT/client/v4`. */
  readonly baseUrl: string;
  readonly zones: readonly { readonly id: string; readonly name: string; readonly plan: Plan }[];
  /** Environment variables that lead each provider major here. */
  readonly environment: Readonly<Record<ProviderMajor, Readonly<Record<string, string>>>>;
  /** What the emulator accepts; example values. */
  readonly credentials: Credentials;
  /** What was asked so far, oldest first. */
  readonly requests: () => readonly RequestLogEntry[];
  readonly clearRequests: () => void;
  /** Stops listening and ends open connections. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts the service on 127.0.0.1.
 * @throws Error when the scenario is unknown or malformed, or the port is taken
 * @example
 * const emulator = await startEmulator({ scenario: 'enterprise' });
 * await fetch(`${emulator.baseUrl}/zones`, { headers: { authorization: `Bearer ${emulator.credentials.token}` } });
 * await emulator.stop();
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const scenario = loadScenario(options.scenario ?? 'demo');
  const clock = options.clock ?? ((): Date => new Date());
  const world: World = {
    zones: new Map(scenario.zones.map((zone) => [zone.id, buildZone(zone)])),
    settings: scenario.settings,
    credentials: exampleCredentials,
    mint: createMint(scenario.name),
    now: () => clock().toISOString().replace('Z', '000Z'),
  };
  const log = createRequestLog(world.credentials);
  const app = createApp(world, routes, log);
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: options.port ?? 0 });
  const address = await new Promise<AddressInfo>((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      const bound = server.address();
      if (typeof bound === 'object' && bound !== null) resolve(bound);
    });
  });
  const baseUrl = `http://127.0.0.1:${address.port}${BASE_PATH}`;
  return {
    baseUrl,
    zones: [...world.zones.values()].map(({ id, name, plan }) => ({ id, name, plan })),
    environment: providerEnvironment(new URL(baseUrl), world.credentials),
    credentials: world.credentials,
    requests: log.entries,
    clearRequests: log.clear,
    stop: () =>
      new Promise((resolve, reject) => {
        server.close((error) => {
          if (error === undefined) resolve();
          else reject(error);
        });
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}
