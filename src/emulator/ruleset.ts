import { type Json } from './json';

/** The phase that managed rulesets are deployed in. */
export const MANAGED_PHASE = 'http_request_firewall_managed';

/** A rule as the Rulesets interface answers it; fields beyond the known ones are kept. */
export interface Rule {
  id: string;
  ref: string;
  version: string;
  action: string;
  expression: string;
  enabled: boolean;
  [field: string]: Json | undefined;
}

/** A ruleset as the Rulesets interface answers it; the order of its keys is kept. */
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

/** The entry point of the managed phase, where the zone has one. */
export function entryPointOf(rulesets: readonly Ruleset[], phase: string): Ruleset | undefined {
  return rulesets.find((ruleset) => ruleset.kind === 'zone' && ruleset.phase === phase);
}
