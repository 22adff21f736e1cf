import { createHash } from 'node:crypto';
import * as z from 'zod';
import { BASE_PATH } from './app';
import catalogue from './catalogue/legacy-packages.json';
import { createFaultPlan, type Fault, faultSchema } from './faults/fault';
import { createMint } from './identifiers';
import { listen } from './listen';
import { legacyPackage, loadScenario, type ScenarioZone } from './scenario';
import { createRequestLog, createService, type RequestLogEntry } from './service';
import { routes } from './routes';
import { withControl } from './routes/control';
import { sendTraffic, type Traffic } from './traffic/run-traffic';
import { type SecurityEvent } from './traffic/security-event';
import { type Credentials, exampleCredentials, type World } from './world';
import { type LegacyPackage, type OldWaf, type Plan, unsetMode, type Zone } from './zone';

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

const standardPackages = z.array(legacyPackage).parse(catalogue.packages);

/** A zone with every default filled in, from what a scenario says of it. Shares nothing with it. */
function buildZone(seed: ScenarioZone): Zone {
  const copy = structuredClone(seed);
  return {
    id: copy.id,
    name: copy.name,
    plan: copy.plan,
    account: copy.account,
    created_on: copy.created_on,
    migration: {
      state: copy.migration.state,
      since: copy.created_on,
      source: copy.migration.state === 'start' ? 'defaults' : 'zone',
    },
    oldWaf: buildOldWaf(copy.oldWaf, copy.id),
    rulesets: copy.rulesets,
    filters: copy.filters,
    firewallRules: copy.firewallRules,
    pageRules: copy.pageRules,
  };
}

/** Defaults of the old WAF: OWASP `high` and `challenge`, groups on, rules at their default. */
function buildOldWaf(seed: ScenarioZone['oldWaf'], zoneId: string): OldWaf {
  const { settings } = seed;
  const packages = (seed.packages ?? [...standardPackages, userPackage(zoneId)]).map(
    (one): LegacyPackage => {
      const groups = one.groups.map((group) => ({
        ...group,
        mode: settings.groups[group.id] ?? ('on' as const),
        rules: group.rules.map(({ default_mode, ...rule }) => ({
          ...rule,
          ...(default_mode === undefined ? {} : { default_mode }),
          mode: settings.rules[rule.id] ?? unsetMode(rule),
        })),
      }));
      if (one.detection_mode === 'traditional') return { ...one, groups };
      const chosen = settings.packages[one.id];
      return {
        ...one,
        sensitivity: chosen?.sensitivity ?? 'high',
        action_mode: chosen?.action_mode ?? 'challenge',
        groups,
      };
    },
  );
  return { enabled: seed.enabled, packages, overrides: seed.overrides };
}

/** The package of the customer's own rules: empty here, and with an id of its own in each zone. */
function userPackage(zoneId: string): z.infer<typeof legacyPackage> {
  return {
    id: createHash('sha256').update(`USER/${zoneId}`).digest('hex').slice(0, 32),
    name: 'USER',
    description: '',
    detection_mode: 'traditional',
    groups: [],
  };
}

/** The first major that takes the whole base address. */
const WHOLE_ADDRESS = 5;

/**
 * The environment that leads a provider major to a base address. From 5 on it takes the whole
 * address. 3 and 4 take host and path apart and force https, so that they need the emulator with
 * TLS. `SSL_CERT_FILE` is where Go programs read the certificates that they trust; it replaces
 * those of the system.
 */
function providerEnvironment(
  major: number,
  base: URL,
  { token }: Credentials,
  certificatePath?: string,
): Record<string, string> {
  return {
    CLOUDFLARE_API_TOKEN: token,
    ...(certificatePath === undefined ? {} : { SSL_CERT_FILE: certificatePath }),
    ...(major < WHOLE_ADDRESS
      ? { CLOUDFLARE_API_HOSTNAME: base.host, CLOUDFLARE_API_BASE_PATH: base.pathname }
      : { CLOUDFLARE_BASE_URL: base.href }),
  };
}
