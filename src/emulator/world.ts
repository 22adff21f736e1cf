import { createHash } from 'node:crypto';

/** A JSON value. The emulator keeps the order of keys: an answer must read as it was seeded. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  [key: string]: Json | undefined;
}

/** Whether a value is a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The state of the service: all that a call can read or change. */
export interface World {
  readonly zones: ReadonlyMap<string, Zone>;
  readonly settings: Settings;
  readonly credentials: Credentials;
  readonly mint: IdentifierMint;
  /** The security events of each zone, oldest first. */
  readonly events: Map<string, SecurityEvent[]>;
  /** The time of the service, RFC 3339 with microseconds. */
  readonly now: () => string;
}

/** How the service behaves, for all zones; docs/emulator.md explains each setting. */
export interface Settings {
  readonly gone: '403/10000' | '404' | '400/1002' | '410' | 'html';
  readonly legacyApiRefusesTokens: boolean;
  readonly firewallMaintenance: boolean;
  readonly firewallRuleQuota?: number | undefined;
  readonly switchDelay: { readonly statusReads: number };
  readonly rateLimit?: RateLimit | undefined;
  readonly overridesNeedProperty: boolean;
}

/** After so many requests in so many seconds everything is 429 until the time is over. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** What proves who calls. Example values; they open nothing but this emulator. */
export interface Credentials {
  /** An API token of 40 characters, sent as `Authorization: Bearer`. */
  readonly token: string;
  /** Sent as `X-Auth-Email`. */
  readonly email: string;
  /** An API key of 37 hexadecimal digits, sent as `X-Auth-Key`. */
  readonly key: string;
}

/** The credentials that every scenario accepts. */
export const exampleCredentials: Credentials = {
  token: 'emulator-token-opens-nothing-else-000000',
  email: 'waf@example.com',
  key: '0123456789abcdef0123456789abcdef01234',
};

/** The form of every identifier of the service: 32 lower-case hexadecimal digits. */
export const IDENTIFIER = /^[0-9a-f]{32}$/;

/** Mints identifiers: unlike each other, and the same in each run of the same calls. */
interface IdentifierMint {
  /** A new identifier of 32 hexadecimal digits. */
  readonly next: () => string;
  /** A new Ray ID: 16 hexadecimal digits and a colo, as in the header `cf-ray`. */
  readonly nextRay: () => string;
}

/** A mint whose identifiers depend on `seed` and on how many were minted before. */
export function createMint(seed: string): IdentifierMint {
  let minted = 0;
  let rays = 0;
  const digest = (kind: string, count: number): string =>
    createHash('sha256').update(`${seed}/${kind}/${count}`).digest('hex');
  return {
    next: () => digest('id', (minted += 1)).slice(0, 32),
    nextRay: () => `${digest('ray', (rays += 1)).slice(0, 16)}-FRA`,
  };
}

/** The plan levels that the specification tells apart. */
export type Plan = 'pro' | 'business' | 'enterprise';

/** One zone with everything that the service knows about it. */
export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly account: { readonly id: string; readonly name: string; readonly partner: boolean };
  readonly created_on: string;
  readonly legacyWaf: LegacyWaf;
  migration: Migration;
  rulesets: Ruleset[];
  filters: Filter[];
  firewallRules: FirewallRule[];
  readonly pageRules: readonly PageRule[];
}

/**
 * How far a zone has migrated. `start` is the only value that the specification shows;
 * `validation` and `complete` were seen in other people's clients; `pending` (sent, not yet
 * switched) is assumed.
 */
export type MigrationState = 'start' | 'validation' | 'pending' | 'complete';

/** The record behind `waf_migration/status`. */
interface Migration {
  state: MigrationState;
  /** When the zone last changed its state, RFC 3339. */
  since: string;
  /** `zone` once the zone itself has asked for a mode, `defaults` before. */
  source: 'defaults' | 'zone';
  /** While it is pending: how often the status must be read before the switch. */
  readsLeft: number;
}

/** The legacy WAF of one zone. */
interface LegacyWaf {
  /** The zone-wide switch. */
  readonly enabled: boolean;
  readonly packages: readonly LegacyPackage[];
  overrides: WafOverride[];
}

/** A legacy package: `anomaly` is OWASP, `traditional` the vendor's own and the customer's rules. */
export interface LegacyPackage {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly detection_mode: 'anomaly' | 'traditional';
  sensitivity?: string;
  action_mode?: string;
  readonly groups: readonly LegacyGroup[];
}

/** A group of a legacy package; a rule counts only while its group is on. */
export interface LegacyGroup {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  mode: 'on' | 'off';
  readonly rules: readonly LegacyRule[];
}

/** A rule of a legacy package, with its setting in this zone. */
export interface LegacyRule {
  readonly id: string;
  readonly description: string;
  readonly priority: string;
  /** How it may be set: `deny` has a default, the two others are on or off. */
  readonly kind: 'deny' | 'allow' | 'anomaly';
  /** What `default` means; only rules of kind `deny` have it. */
  readonly default_mode?: string;
  mode: string;
}

/** The mode of a rule that has no setting. */
export function unsetMode({ kind }: Pick<LegacyRule, 'kind'>): string {
  return kind === 'deny' ? 'default' : 'on';
}

/** A URI-based override of the legacy WAF; a zone that has one cannot migrate. */
export interface WafOverride {
  id: string;
  [field: string]: Json;
}

/** A filter: a match expression that several rules may share. */
export interface Filter {
  readonly id: string;
  readonly expression: string;
  readonly paused: boolean;
  readonly description?: string | undefined;
  readonly ref?: string | undefined;
  /** Created together with its rule. */
  readonly inline: boolean;
}

/** A firewall rule: an action for the requests that its filter matches. */
export interface FirewallRule {
  readonly id: string;
  /** The id of its filter. */
  readonly filter: string;
  readonly action: string;
  readonly paused: boolean;
  readonly priority: number | null;
  readonly description?: string | undefined;
  readonly ref?: string | undefined;
  /** What a rule with action `bypass` bypasses; `waf` is the legacy WAF. */
  readonly products?: string[] | undefined;
}

/** A page rule: settings for the URLs that one pattern matches. */
export interface PageRule {
  readonly id: string;
  readonly targets: readonly { readonly constraint: { readonly value: string } }[];
  readonly actions: readonly { readonly id: string; readonly value?: unknown }[];
  readonly priority: number;
  readonly status: 'active' | 'disabled';
}

/** The phase that managed rulesets are deployed in. */
export const MANAGED_PHASE = 'http_request_firewall_managed';

/** A ruleset as the Rulesets API answers it; the order of its keys is kept. */
export interface Ruleset {
  id: string;
  name: string;
  kind: string;
  phase: string;
  version: string;
  last_updated: string;
  rules: Rule[];
  description?: string;
}

/** A rule as the Rulesets API answers it; fields beyond the known ones are kept. */
export interface Rule {
  id: string;
  ref: string;
  version: string;
  action: string;
  expression: string;
  enabled: boolean;
  [field: string]: Json | undefined;
}

/** The entry point of a phase, where the zone has one. */
export function entryPointOf({ rulesets }: Zone, phase = MANAGED_PHASE): Ruleset | undefined {
  return rulesets.find((ruleset) => ruleset.kind === 'zone' && ruleset.phase === phase);
}

/** A security event, with the field names of the log export (`firewall_events`). */
export interface SecurityEvent {
  readonly Action: string;
  readonly ClientASN: number;
  readonly ClientCountry: string;
  readonly ClientIP: string;
  readonly ClientRequestHost: string;
  readonly ClientRequestMethod: string;
  readonly ClientRequestPath: string;
  readonly ClientRequestProtocol: string;
  readonly ClientRequestQuery: string;
  readonly ClientRequestScheme: string;
  readonly ClientRequestUserAgent: string;
  readonly Datetime: string;
  readonly Description: string;
  readonly EdgeColoCode: string;
  readonly EdgeResponseStatus: number;
  readonly Kind: 'firewall';
  /** 0 is the last match of a request, 1 the one before, and so on. */
  readonly MatchIndex: number;
  readonly Metadata: Readonly<Record<string, string>>;
  readonly OriginResponseStatus: number;
  readonly OriginatorRayID: string;
  readonly RayID: string;
  readonly Ref: string;
  readonly RuleID: string;
  readonly Source: string;
}
