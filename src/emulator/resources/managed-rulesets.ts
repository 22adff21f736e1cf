import * as z from 'zod';
import catalogue from '../catalogue/managed-rulesets.json';
import { MANAGED_PHASE } from '../world';

/** The phases of the WAF. The emulator accepts entry points only in these. */
export const phaseSchema = z.enum([
  'ddos_l7',
  'http_ratelimit',
  'http_request_firewall_custom',
  'http_request_firewall_managed',
]);

/** The Cloudflare Managed Ruleset. */
export const CLOUDFLARE_MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
/** The OWASP Core Ruleset. */
export const OWASP_CORE = '4814384a9e5d4991b9815dcfc25d2f1f';
/** The rule of the OWASP Core Ruleset that acts when the score reaches the threshold. */
export const OWASP_SCORE_RULE = '6179ae15870a4bb7b2d480d4843b323c';

const LAST_UPDATED = '2024-02-19T16:00:00.000000Z';

/**
 * A sample of the managed rulesets. Identifiers and titles come from the public changelog of the
 * managed rules; a rule without a public title has an empty description.
 */
export const managedRulesets = catalogue.rulesets.map((ruleset) => ({
  id: ruleset.id,
  name: ruleset.name,
  description: ruleset.description,
  kind: 'managed' as const,
  version: ruleset.version,
  last_updated: LAST_UPDATED,
  phase: MANAGED_PHASE,
  rules: ruleset.rules.map(({ id, action, categories, description, enabled, ...row }) => ({
    ...{ id, version: '1', action, categories, description, enabled },
    ...{ last_updated: LAST_UPDATED, ref: id, ...row },
  })),
}));

/** A managed ruleset; every zone sees the same ones. */
export type ManagedRuleset = (typeof managedRulesets)[number];
