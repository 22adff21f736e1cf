import * as z from 'zod';
import { parseId, parseZoneId } from '../model/identifier';
import { type Client } from './client';
import { type FilterFields } from './filters';
import { readPages } from './pages';
import { parseResult } from './parse-result';

/** What a caller sets of a firewall rule beside its filter (service.md, "Firewall rule"). */
export interface FirewallRuleFields {
  /** `block`, and what the providers know beside it: `bypass`, `allow`, `log`, the challenges. */
  readonly action: string;
  readonly paused?: boolean | undefined;
  readonly priority?: number | null | undefined;
  readonly description?: string | null | undefined;
  readonly ref?: string | null | undefined;
  /** What `bypass` bypasses; `waf` is the previous managed rules. */
  readonly products?: readonly string[] | null | undefined;
}

/** A rule that is to be created: by the id of its filter, or (for emergencies) with it inline. */
export interface NewFirewallRule extends FirewallRuleFields {
  readonly filter: { readonly id: string } | FilterFields;
}

/** A filter as the answer of its rule shows it; with whatever else the service tells of it. */
export interface FilterOfRule {
  readonly id: string;
  /** Absent when the filter was deleted under the rule. */
  readonly expression?: string | null | undefined;
  /** As for {@link FilterFields}: the rule then takes no effect. */
  readonly paused?: boolean | null | undefined;
}

/** An action for the requests that a filter matches. */
export interface FirewallRule extends FirewallRuleFields {
  readonly id: string;
  readonly paused: boolean;
  readonly priority: number | null;
  readonly filter: FilterOfRule;
}

// Loose and without transforms: as for filters.
const ruleSchema = z.looseObject({
  id: z.string(),
  action: z.string(),
  paused: z.boolean().default(false),
  priority: z.number().nullable().default(null),
  description: z.string().nullish(),
  ref: z.string().nullish(),
  products: z.array(z.string()).nullish(),
  filter: z.looseObject({
    id: z.string(),
    expression: z.string().nullish(),
    paused: z.boolean().nullish(),
  }),
});

/** Every firewall rule of a zone. */
export function listFirewallRules(client: Client, zoneId: string): AsyncIterable<FirewallRule> {
  return readPages(client, {
    path: `/zones/${parseZoneId(zoneId)}/firewall/rules`,
    query: { per_page: 100 }, // 5 to 100; the service gives 25 unless told
    item: ruleSchema,
    paging: 'number',
    about: `firewall rules of zone ${zoneId}`,
    prefer: 'key',
  });
}

/** One firewall rule with its filter. */
export async function readFirewallRule(
  client: Client,
  zoneId: string,
  id: string,
): Promise<FirewallRule> {
  const { path, about } = one(zoneId, id);
  const envelope = await client.request('GET', path, { about, prefer: 'key' });
  return parseResult(ruleSchema, envelope, about);
}

/**
 * Creates all of the rules or none. With inline filters, these stay behind when the quota or the
 * plan refuses the rules (service.md, "Create firewall rules").
 */
export async function createFirewallRules(
  client: Client,
  zoneId: string,
  rules: readonly NewFirewallRule[],
): Promise<FirewallRule[]> {
  const about = `firewall rules of zone ${zoneId}`;
  const path = `/zones/${parseZoneId(zoneId)}/firewall/rules`;
  const envelope = await client.request('POST', path, { body: rules, about, prefer: 'key' });
  return parseResult(z.array(ruleSchema).length(rules.length), envelope, about);
}

/** Replaces a rule as a whole; its filter is a reference, and is not changed by it. */
export async function updateFirewallRule(
  client: Client,
  zoneId: string,
  rule: FirewallRule,
): Promise<FirewallRule> {
  const { path, about } = one(zoneId, rule.id);
  const body = { ...rule, filter: { id: rule.filter.id } };
  const envelope = await client.request('PUT', path, { body, about, prefer: 'key' });
  return parseResult(ruleSchema, envelope, about);
}

/** Deletes a rule; one that is not there counts as deleted. Its filter stays. */
export async function deleteFirewallRule(
  client: Client,
  zoneId: string,
  id: string,
): Promise<void> {
  const { path, about } = one(zoneId, id);
  await client.request('DELETE', path, { about, prefer: 'key' });
}

function one(zoneId: string, ruleId: string): { path: string; about: string } {
  const zone = parseZoneId(zoneId);
  const id = parseId(ruleId, 'firewall rule id');
  return {
    path: `/zones/${zone}/firewall/rules/${id}`,
    about: `firewall rule ${id} of zone ${zone}`,
  };
}
