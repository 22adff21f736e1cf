import { createHash } from 'node:crypto';
import { type LegacyAction } from './setting';

/** A rule override that stands in the general rule. */
export interface RuleDraft {
  readonly id: string;
  readonly enabled: boolean;
  /** Also kept for a rule that is off with its group: so it acts when it is switched on again. */
  readonly action: LegacyAction | undefined;
}

/** How the OWASP ruleset is deployed. */
export interface OwaspDraft {
  readonly level: number;
  readonly threshold: number;
  /** Undefined: as the ruleset has it. */
  readonly action: LegacyAction | undefined;
}

/** A rule that keeps rules from running, for some requests. */
export interface SkipDraft {
  readonly ref: string;
  readonly description: string;
  readonly expression: string;
  /** `all`: everything that stands behind it in the entry point. */
  readonly rules: readonly string[] | 'all';
}

/** A rule that runs the Cloudflare Managed Ruleset for some requests, with overrides of its own. */
export interface RegionDraft {
  readonly ref: string;
  readonly description: string;
  readonly expression: string;
  readonly rules: readonly RuleDraft[];
}

/** What a ruleset is built from. */
export interface Draft {
  readonly skips: readonly SkipDraft[];
  readonly regions: readonly RegionDraft[];
  /** The requests that the managed rulesets run for; undefined: none, the WAF is off. */
  readonly base: string | undefined;
  /** Of those, the requests that the general rule of the Cloudflare Managed Ruleset runs for. */
  readonly general: string;
  readonly rules: readonly RuleDraft[];
  readonly owasp: OwaspDraft | undefined;
}

/**
 * A short name for the ref of a rule, which stays the same while the old thing is the same one: the
 * beginning of its id, else a digest of where it was read.
 */
export function shortName(id: string | undefined, from: string): string {
  const clean = (id ?? '').replace(/[^A-Za-z0-9]/g, '').slice(0, 12);
  return clean === '' ? createHash('sha256').update(from).digest('hex').slice(0, 12) : clean;
}
