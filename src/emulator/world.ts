import { createHash } from 'node:crypto';
import * as z from 'zod';
import { orAbsent, unchanged } from './check-body';

/** A JSON object. The emulator keeps the order of keys, so that responses match the seed. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface World {
  readonly zones: ReadonlyMap<string, Zone>;
  readonly settings: z.output<typeof settingsSchema>;
  readonly mint: ReturnType<typeof createMint>;
  /** The time of the API, RFC 3339 with microseconds. */
  readonly now: () => string;
}

/** The behaviour of the API for all zones (docs/emulator.md). */
export const settingsSchema = z.strictObject({
  gone: z.enum(['403/10000', '404', '400/1002', '410', 'html']).default('403/10000'),
  legacyApiRefusesTokens: z.boolean().default(false),
  firewallRuleQuota: z.int().min(0).default(1000),
  switchDelay: z.strictObject({ statusReads: z.int().min(0).default(0) }).prefault({}),
});

/** The credentials that every scenario accepts: example values that work only with the emulator. */
export const exampleCredentials = {
  token: 'emulator-token-opens-nothing-else-000000',
  email: 'waf@example.com',
  key: '0123456789abcdef0123456789abcdef01234',
};

/** The format of every API identifier: 32 lower-case hexadecimal digits. */
export const IDENTIFIER = /^[0-9a-f]{32}$/;
export const identifier = z.string().regex(IDENTIFIER, 'is not 32 hexadecimal digits');

/** Creates unique identifiers, the same in each run of the same calls. */
export function createMint(seed: string) {
  let minted = 0;
  let rays = 0;
  const digest = (kind: string, count: number): string =>
    createHash('sha256').update(`${seed}/${kind}/${count}`).digest('hex');
  return {
    next: () => digest('id', (minted += 1)).slice(0, 32),
    /** A Ray ID, as in the header `cf-ray`. */
    nextRay: () => `${digest('ray', (rays += 1)).slice(0, 16)}-FRA`,
  };
}

/** The mode of a rule that no setting changes. */
export function unsetMode({ kind }: { readonly kind: 'deny' | 'allow' | 'anomaly' }): string {
  return kind === 'deny' ? 'default' : 'on';
}

const legacyRule = z
  .strictObject({
    id: z.string(),
    description: z.string(),
    priority: z.string(),
    /** `deny` rules have the modes of an action and a default; the other kinds are on or off. */
    kind: z.enum(['deny', 'allow', 'anomaly']).default('deny'),
    /** The effective mode of `default`; only rules of kind `deny` have it. */
    default_mode: z.enum(['disable', 'simulate', 'block', 'challenge']).optional(),
  })
  .transform((rule) => ({ ...rule, mode: unsetMode(rule) }));
export type LegacyRule = z.output<typeof legacyRule>;

/** A rule takes effect only if its group is on. */
const legacyGroup = z.strictObject({
  id: identifier,
  name: z.string(),
  description: z.string().nullable(),
  mode: z.enum(['on', 'off']).default('on'),
  rules: z.array(legacyRule),
});
export type LegacyGroup = z.output<typeof legacyGroup>;

/** A legacy package: `anomaly` is OWASP, `traditional` holds the vendor's or the custom rules. */
export const legacyPackage = z.strictObject({
  id: identifier,
  name: z.string(),
  description: z.string(),
  detection_mode: z.enum(['anomaly', 'traditional']),
  sensitivity: z.string().optional(),
  action_mode: z.string().optional(),
  groups: z.array(legacyGroup),
});
export type LegacyPackage = z.output<typeof legacyPackage>;

const overrideShape = z.looseObject({ id: identifier, urls: z.array(z.string()) });
/** A URI-based override of the legacy WAF. A zone with one cannot migrate. */
export type WafOverride = z.output<typeof overrideShape>;

const oldWafSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** Settings that differ from the defaults, by package id, group id or rule id. */
  settings: z
    .strictObject({
      packages: z
        .record(z.string(), z.strictObject({ sensitivity: z.string(), action_mode: z.string() }))
        .default({}),
      groups: z.record(z.string(), z.enum(['on', 'off'])).default({}),
      rules: z.record(z.string(), z.string()).default({}),
    })
    .prefault({}),
  overrides: z.array(unchanged<WafOverride>(overrideShape)).default([]),
});

/** The fields of a filter that a client or a scenario sets. */
export const filterFields = {
  expression: z.string(),
  paused: z.boolean().default(false),
  description: orAbsent(z.string().max(500)),
  ref: orAbsent(z.string().max(50)),
};
const filterSchema = z.strictObject({
  id: identifier,
  ...filterFields,
  /** Whether the filter was created with its rule. */
  inline: z.boolean().default(false),
});
export type Filter = z.output<typeof filterSchema>;

/** The fields of a firewall rule that a client or a scenario sets, without its filter. */
export const firewallRuleFields = {
  /** From the specification (`block`) and the providers. */
  action: z.enum([
    ...(['block', 'challenge', 'js_challenge', 'managed_challenge'] as const),
    ...(['allow', 'log', 'bypass'] as const),
  ]),
  paused: filterFields.paused,
  priority: z.int().min(0).max(2_147_483_647).nullable().default(null),
  description: filterFields.description,
  ref: filterFields.ref,
  /** The products that the action `bypass` can bypass; `waf` is the legacy WAF. */
  products: orAbsent(
    z.array(z.enum(['zoneLockdown', 'uaBlock', 'bic', 'hot', 'securityLevel', 'rateLimit', 'waf'])),
  ),
};
const firewallRuleSchema = z.strictObject({
  id: identifier,
  /** The id of its filter. */
  filter: identifier,
  ...firewallRuleFields,
});
export type FirewallRule = z.output<typeof firewallRuleSchema>;

/** Settings for the URLs of one pattern. Only two of the actions concern the WAF. */
const pageRuleSchema = z.strictObject({
  id: identifier,
  targets: z
    .array(
      z.strictObject({
        target: z.literal('url'),
        constraint: z.strictObject({ operator: z.literal('matches'), value: z.string().min(1) }),
      }),
    )
    .length(1),
  actions: z
    .array(
      z
        .looseObject({ id: z.string().regex(/^[a-z_]+$/, 'is not an action') })
        .refine(({ id, value }) => id !== 'waf' || value === 'on' || value === 'off', {
          path: ['value'],
          message: 'must be on or off',
        }),
    )
    .min(1),
  priority: z.int().min(1).default(1),
  status: z.enum(['active', 'disabled']).default('disabled'),
  created_on: z.string().optional(),
  modified_on: z.string().optional(),
});
export type PageRule = z.output<typeof pageRuleSchema>;

export const MANAGED_PHASE = 'http_request_firewall_managed';

const ruleShape = z.looseObject({
  id: identifier,
  ref: z.string(),
  version: z.string().optional(),
  action: z.string(),
  expression: z.string(),
  enabled: z.boolean(),
});
/** A rule in responses of the Rulesets API; unknown fields are kept. */
export type Rule = z.output<typeof ruleShape>;

const rulesetShape = z.looseObject({
  id: identifier,
  name: z.string(),
  kind: z.string(),
  phase: z.string(),
  version: z.string(),
  last_updated: z.string(),
  description: z.string().optional(),
  rules: z.array(ruleShape),
});
/** A ruleset in responses of the Rulesets API. */
export type Ruleset = z.output<typeof rulesetShape>;

/** A security event, with the fields of the GraphQL API (public documentation). */
export const securityEventSchema = z.strictObject({
  rayName: z.string(),
  datetime: z.iso.datetime(),
  source: z.string(),
  action: z.string(),
  ruleId: z.string(),
  /** 0 is the last match of a request, 1 the match before it, and so on. */
  matchIndex: z.int().min(0).default(0),
  clientIP: z.string().default('198.51.100.7'),
  clientRequestHTTPHost: z.string().default('www.example.com'),
  clientRequestHTTPMethodName: z.string().default('GET'),
  clientRequestPath: z.string().default('/'),
  clientRequestQuery: z.string().default(''),
  sampleInterval: z.int().min(1).default(1),
});

export const zoneSchema = z.strictObject({
  id: identifier,
  name: z.string(),
  plan: z.enum(['pro', 'business', 'enterprise']),
  account: z
    .strictObject({ id: identifier, name: z.string(), partner: z.boolean().default(false) })
    .default({ id: 'ac'.repeat(16), name: 'Example account', partner: false }),
  created_on: z.string().default('2019-05-01T08:00:00.000000Z'),
  /**
   * The specification shows only `start`. `validation` and `complete` were seen in third-party
   * clients. `pending` (requested, not yet switched) is assumed.
   */
  migration: z
    .strictObject({ state: z.enum(['start', 'validation', 'pending', 'complete']) })
    .default({ state: 'start' }),
  oldWaf: oldWafSchema.prefault({}),
  rulesets: z.array(unchanged<Ruleset>(rulesetShape)).default([]),
  filters: z.array(filterSchema).default([]),
  firewallRules: z.array(firewallRuleSchema).default([]),
  pageRules: z.array(pageRuleSchema).default([]),
  events: z.array(securityEventSchema).default([]),
});
export type ZoneSeed = z.output<typeof zoneSchema>;

export interface Zone extends Omit<ZoneSeed, 'migration' | 'oldWaf'> {
  migration: Migration;
  readonly legacyWaf: LegacyWaf;
}

export type MigrationState = ZoneSeed['migration']['state'];

/** The record behind `waf_migration/status`. */
interface Migration {
  readonly state: MigrationState;
  /** When the state of the zone last changed, RFC 3339. */
  readonly since: string;
  /** `zone` after the first requested mode, `defaults` before. */
  readonly source: 'defaults' | 'zone';
  /** While pending: the number of status reads until the switch. */
  readsLeft: number;
}

interface LegacyWaf {
  /** The zone-wide switch. */
  readonly enabled: boolean;
  readonly packages: readonly LegacyPackage[];
  overrides: WafOverride[];
}

export function entryPointOf({ rulesets }: Zone, phase = MANAGED_PHASE): Ruleset | undefined {
  return rulesets.find((ruleset) => ruleset.kind === 'zone' && ruleset.phase === phase);
}
