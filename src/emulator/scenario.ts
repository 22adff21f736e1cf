import * as z from 'zod';
import { faultSchema } from './faults/fault';
import { filterSeed, firewallRuleSeed } from './firewall';
import { IDENTIFIER } from './identifiers';
import { pageRuleSeed } from './page-rule';
import { type Ruleset } from './ruleset';
import canonical from './scenarios/canonical.json';
import demo from './scenarios/demo.json';
import enterprise from './scenarios/enterprise.json';
import migrated from './scenarios/migrated.json';
import notEligible from './scenarios/not-eligible.json';
import oldWafScenario from './scenarios/old-waf.json';
import pro from './scenarios/pro.json';
import { type WafOverride } from './zone';

/**
 * The limit of the service: so many requests in so many seconds for each user, and after that 429
 * for everything until the time is over (public documentation: 1200 in 300).
 */
const rateLimitSchema = z.strictObject({
  requests: z.int().min(1).default(1200),
  seconds: z.int().min(1).default(300),
});

/** A limit as a scenario sets it. */
export type RateLimit = z.infer<typeof rateLimitSchema>;

/** What a request finds of the limit. */
interface RateLimitState {
  /** Requests that are left in this window. */
  readonly remaining: number;
  /** Seconds until the window ends, rounded up. */
  readonly reset: number;
  readonly exceeded: boolean;
}

/** Counts requests in fixed windows. `clock` is in milliseconds. */
export function createRateLimiter(
  { requests, seconds }: RateLimit,
  clock: () => number,
): () => RateLimitState {
  let start = -Infinity;
  let used = 0;
  return () => {
    const now = clock();
    if (now - start >= seconds * 1000) {
      start = now;
      used = 0;
    }
    used += 1;
    return {
      remaining: Math.max(0, requests - used),
      reset: Math.ceil((start + seconds * 1000 - now) / 1000),
      exceeded: used > requests,
    };
  };
}

const identifier = z.string().regex(IDENTIFIER, 'is not 32 hexadecimal digits');

/** Seeded objects are kept as they are: key order and unknown fields are part of the answer. */
const asSeeded = <T>(what: string, shape: z.ZodType): z.ZodType<T> =>
  z.custom<T>((value) => shape.safeParse(value).success, `is not ${what}`);

const ruleset = asSeeded<Ruleset>(
  'a ruleset',
  z.looseObject({
    id: identifier,
    name: z.string(),
    kind: z.string(),
    phase: z.string(),
    version: z.string(),
    last_updated: z.string(),
    description: z.string().optional(),
    rules: z.array(
      z.looseObject({
        id: identifier,
        ref: z.string(),
        action: z.string(),
        expression: z.string(),
        enabled: z.boolean(),
      }),
    ),
  }),
);
const override = asSeeded<WafOverride>(
  'an override',
  z.looseObject({ id: identifier, urls: z.array(z.string()) }),
);

const legacyRule = z.strictObject({
  id: z.string(),
  description: z.string(),
  priority: z.string(),
  kind: z.enum(['deny', 'allow', 'anomaly']).default('deny'),
  default_mode: z.enum(['disable', 'simulate', 'block', 'challenge']).optional(),
});
/** A package as data: what the service offers, without a zone's settings. */
export const legacyPackage = z.strictObject({
  id: identifier,
  name: z.string(),
  description: z.string(),
  detection_mode: z.enum(['anomaly', 'traditional']),
  groups: z.array(
    z.strictObject({
      id: identifier,
      name: z.string(),
      description: z.string().nullable(),
      rules: z.array(legacyRule),
    }),
  ),
});

const oldWaf = z.strictObject({
  enabled: z.boolean().default(true),
  /** The packages of this zone; without it the scenario's, or else the catalogue's. */
  packages: z.array(legacyPackage).optional(),
  /** What differs from the defaults: by package id, group id, rule id. */
  settings: z
    .strictObject({
      packages: z
        .record(z.string(), z.strictObject({ sensitivity: z.string(), action_mode: z.string() }))
        .default({}),
      groups: z.record(z.string(), z.enum(['on', 'off'])).default({}),
      rules: z.record(z.string(), z.string()).default({}),
    })
    .prefault({}),
  overrides: z.array(override).default([]),
});

const zone = z.strictObject({
  id: identifier,
  name: z.string(),
  plan: z.enum(['pro', 'business', 'enterprise']),
  account: z
    .strictObject({ id: identifier, name: z.string(), partner: z.boolean().default(false) })
    .default({ id: 'ac'.repeat(16), name: 'Example account', partner: false }),
  created_on: z.string().default('2019-05-01T08:00:00.000000Z'),
  migration: z
    .strictObject({ state: z.enum(['start', 'validation', 'pending', 'complete']) })
    .default({ state: 'start' }),
  oldWaf: oldWaf.prefault({}),
  rulesets: z.array(ruleset).default([]),
  filters: z.array(filterSeed).default([]),
  firewallRules: z.array(firewallRuleSeed).default([]),
  pageRules: z.array(pageRuleSeed).default([]),
});

const settings = z.strictObject({
  /** How the old interfaces answer once a zone has migrated: not known, so to be chosen. */
  gone: z.enum(['403/10000', '404', '400/1002', '410', 'html']).default('403/10000'),
  /** Whether the old interfaces refuse a bearer token and want the key pair (public reports). */
  oldInterfacesRefuseTokens: z.boolean().default(false),
  /** Whether filters and firewall rules can be read only: 10020 for every write (public reports). */
  firewallMaintenance: z.boolean().default(false),
  /** How many firewall rules a zone may have; by default what its plan allows. */
  firewallRuleQuota: z.int().min(0).optional(),
  /** How long the switch takes after `pending`: so long, and until status was read so often. */
  switchDelay: z
    .strictObject({
      milliseconds: z.int().min(0).default(0),
      statusReads: z.int().min(0).default(0),
    })
    .prefault({}),
  /** The limit of requests; none unless it is set. */
  rateLimit: rateLimitSchema.optional(),
  /** Whether an override of a managed rule needs a property beside its key (documentation: yes). */
  overridesNeedProperty: z.boolean().default(true),
});

/** A scenario: the zones that the service starts with, and how it behaves. JSON data. */
export const scenarioSchema = z.strictObject({
  name: z.string(),
  description: z.string().default(''),
  /** Names of built-in scenarios whose zones are taken over first. */
  include: z.array(z.string()).default([]),
  settings: settings.prefault({}),
  /** Faults from the first request on. */
  faults: z.array(faultSchema).default([]),
  /** The old packages of every zone that names none itself. */
  packages: z.array(legacyPackage).optional(),
  zones: z.array(zone).default([]),
});

/** A parsed scenario. */
type Scenario = z.infer<typeof scenarioSchema>;
/** One zone of a parsed scenario. */
export type ScenarioZone = Scenario['zones'][number];
/** How the service behaves, for all zones of a scenario. */
export type Settings = Scenario['settings'];

const builtIn: ReadonlyMap<string, unknown> = new Map<string, unknown>(
  [demo, enterprise, pro, notEligible, migrated, canonical, oldWafScenario].map((data) => [
    data.name,
    data,
  ]),
);

/** Names of the scenarios that come with the emulator; the first is the default. */
export const scenarioNames: readonly string[] = [...builtIn.keys()];

/**
 * A scenario by its name, or from its JSON, with the zones of what it includes put first.
 * @throws Error when there is no such scenario, or a ZodError that names each wrong field
 */
export function loadScenario(source: string | object): Scenario {
  const scenario = scenarioSchema.parse(typeof source === 'string' ? dataOf(source) : source);
  const included = scenario.include.flatMap((name) => loadScenario(name).zones);
  const own = scenario.zones.map((zone) => withPackages(zone, scenario.packages));
  return { ...scenario, zones: [...included, ...own] };
}

function withPackages(zone: ScenarioZone, packages: Scenario['packages']): ScenarioZone {
  if (packages === undefined || zone.oldWaf.packages !== undefined) return zone;
  return { ...zone, oldWaf: { ...zone.oldWaf, packages } };
}

function dataOf(name: string): unknown {
  if (builtIn.has(name)) return builtIn.get(name);
  throw new Error(`no scenario "${name}", there are ${scenarioNames.join(', ')}`);
}
