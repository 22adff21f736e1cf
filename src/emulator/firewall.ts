import * as z from 'zod';
import { IDENTIFIER } from './identifiers';

const identifier = z.string().regex(IDENTIFIER, 'is not 32 hexadecimal digits');

/** Actions of a firewall rule: specification (`block`) and the providers' own lists. */
export const FIREWALL_ACTIONS = [
  'block',
  'challenge',
  'js_challenge',
  'managed_challenge',
  'allow',
  'log',
  'bypass',
] as const;

/** What a rule with action `bypass` may bypass; `waf` is the previous managed rules. */
export const BYPASS_PRODUCTS = [
  'zoneLockdown',
  'uaBlock',
  'bic',
  'hot',
  'securityLevel',
  'rateLimit',
  'waf',
] as const;

/** A filter as a scenario has it. `inline`: created together with its rule. */
export const filterSeed = z.strictObject({
  id: identifier,
  expression: z.string(),
  paused: z.boolean().default(false),
  description: z.string().optional(),
  ref: z.string().optional(),
  inline: z.boolean().default(false),
});

/** A firewall rule as a scenario has it; `filter` is the id of one. */
export const firewallRuleSeed = z.strictObject({
  id: identifier,
  filter: identifier,
  action: z.enum(FIREWALL_ACTIONS),
  paused: z.boolean().default(false),
  priority: z.int().nullable().default(null),
  description: z.string().optional(),
  ref: z.string().optional(),
  products: z.array(z.enum(BYPASS_PRODUCTS)).optional(),
});

/** A filter: a match expression that several rules may share. */
export type Filter = z.infer<typeof filterSeed>;
/** A firewall rule: an action for the requests that its filter matches. */
export type FirewallRule = z.infer<typeof firewallRuleSeed>;
