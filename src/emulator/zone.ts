import { type Filter, type FirewallRule } from './firewall';
import { type Json } from './json';
import { type PageRule } from './page-rule';
import { type Ruleset } from './ruleset';

/** The plan levels that the specification tells apart. */
export type Plan = 'pro' | 'business' | 'enterprise';

/**
 * Where a zone stands. `start` is the only value that the specification shows; `validation` and
 * `complete` were seen in other people's clients; `pending` (sent, not yet switched) is assumed.
 */
export type MigrationState = 'start' | 'validation' | 'pending' | 'complete';

/** The record behind `waf_migration/status`. */
interface Migration {
  state: MigrationState;
  /** When the zone last changed its state, RFC 3339. */
  since: string;
  /** `zone` once the zone itself has asked for a mode, `defaults` before. */
  source: 'defaults' | 'zone';
  /** While it is pending: what has yet to pass before the switch. */
  wait?: { statusReads: number; until: number };
}

/** One zone with everything that the service knows about it. */
export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly account: { readonly id: string; readonly name: string; readonly partner: boolean };
  readonly created_on: string;
  readonly oldWaf: OldWaf;
  migration: Migration;
  rulesets: Ruleset[];
  filters: Filter[];
  firewallRules: FirewallRule[];
  pageRules: PageRule[];
}

/** How a rule of the old WAF may be set: `deny` has a default, the two others are on or off. */
type LegacyRuleKind = 'deny' | 'allow' | 'anomaly';

/** A rule of an old package, with its setting in this zone. */
export interface LegacyRule {
  readonly id: string;
  readonly description: string;
  readonly priority: string;
  readonly kind: LegacyRuleKind;
  /** What `default` means; only rules of kind `deny` have it. */
  readonly default_mode?: string;
  mode: string;
}

/** A group of an old package; a rule counts only while its group is on. */
export interface LegacyGroup {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  mode: 'on' | 'off';
  readonly rules: LegacyRule[];
}

/** An old package: `anomaly` is OWASP, `traditional` the vendor's own and the customer's rules. */
export interface LegacyPackage {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly detection_mode: 'anomaly' | 'traditional';
  sensitivity?: string;
  action_mode?: string;
  readonly groups: LegacyGroup[];
}

/** A URI-based override of the old WAF; a zone that has one cannot migrate. */
export interface WafOverride {
  id: string;
  [field: string]: Json;
}

/** The previous WAF of one zone. */
export interface OldWaf {
  /** The zone-wide switch of the previous WAF. */
  readonly enabled: boolean;
  readonly packages: LegacyPackage[];
  overrides: WafOverride[];
}

/** The mode of a rule that nobody has set. */
export function unsetMode(rule: Pick<LegacyRule, 'kind'>): string {
  return rule.kind === 'deny' ? 'default' : 'on';
}
