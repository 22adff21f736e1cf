import { type Filter, type FirewallRule } from './firewall';
import { type OldWaf } from './old-waf';
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
