import { type z } from 'zod';
import { BASE_PATH } from './app';
import { buildZone } from './build-zone';
import { type Fault, faultSchema } from './faults/fault';
import { createFaultPlan } from './faults/fault-plan';
import { createMint } from './identifiers';
import { listen } from './listen';
import { loadScenario } from './load-scenario';
import { createRequestLog, type RequestLogEntry } from './request-log';
import { providerEnvironment } from './provider-environment';
import { routes } from './routes';
import { createService } from './service';
import { sendTraffic, type Traffic } from './traffic/run-traffic';
import { type SecurityEvent } from './traffic/security-event';
import { withControl } from './with-control';
import { type Credentials, exampleCredentials, type World } from './world';
import { type Plan } from './zone';

/** How to start an emulator. */
export interface EmulatorOptions {
  /** Port on the loopback interface; 0, the default, takes a free one. */
  readonly port?: number;
  /** Name of a built-in scenario (default `demo`), or a scenario as parsed JSON. */
  readonly scenario?: string | object;
  /** Serve https with a throw-away certificate; provider 3 and 4 can do no other. */
  readonly tls?: boolean;
  /** Open the control path `/_emulator` (docs/emulator.md); off by default. */
  readonly control?: boolean;
  /** The time that answers carry; by default the clock of this machine. */
  readonly clock?: () => Date;
}

/** A fault as data: see docs/emulator.md. */
type FaultInput = z.input<typeof faultSchema>;

/** A running emulator of the service. */
export interface Emulator {
  /** The base address, version included: `http://127.0.0.1:PORT/client/v4`. */
  readonly baseUrl: string;
  /** With TLS: the certificate to trust, a PEM file that is there until the emulator stops. */
  readonly certificatePath?: string;
  readonly zones: readonly { readonly id: string; readonly name: string; readonly plan: Plan }[];
  /** The environment variables that lead a provider of this major here. */
  readonly environmentOf: (major: number) => Readonly<Record<string, string>>;
  /** What the emulator accepts; example values. */
  readonly credentials: Credentials;
  /** What was asked so far, oldest first. */
  readonly requests: () => readonly RequestLogEntry[];
  readonly clearRequests: () => void;
  /** Replaces the faults of the service. @throws ZodError when one is malformed */
  readonly setFaults: (faults: readonly FaultInput[]) => void;
  /**
   * Sends sample requests through a zone, old and new WAF as its mode has it.
   * @returns the security events, in the order in which they happened
   * @throws Error when the traffic is malformed or the zone is not there
   */
  readonly sendTraffic: (traffic: Traffic) => readonly SecurityEvent[];
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
    events: new Map(),
    now: () => clock().toISOString().replace('Z', '000Z'),
  };
  const log = createRequestLog(world.credentials);
  const faults = createFaultPlan(scenario.faults);
  const service = createService({ world, routes, log, faults });
  const { origin, certificatePath, close } = await listen(
    options.control === true ? withControl(service, { world, log, faults }) : service,
    options.port ?? 0,
    options.tls ?? false,
  );
  const baseUrl = origin + BASE_PATH;
  return {
    baseUrl,
    ...(certificatePath === undefined ? {} : { certificatePath }),
    zones: [...world.zones.values()].map(({ id, name, plan }) => ({ id, name, plan })),
    environmentOf: (major) =>
      providerEnvironment(major, new URL(baseUrl), world.credentials, certificatePath),
    credentials: world.credentials,
    requests: log.entries,
    clearRequests: log.clear,
    setFaults: (given) => {
      faults.set(given.map((fault): Fault => faultSchema.parse(fault)));
    },
    sendTraffic: (traffic) => sendTraffic(traffic, world),
    stop: close,
  };
}
