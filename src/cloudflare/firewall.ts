import * as z from 'zod';
import { parseZoneId } from '../core/identifier';
import { type Client } from './client';
import { type Collection, collection, readPages } from './collection';

// The schemas are loose: an update sends back all fields that were read, also unknown ones.

/** service.md, "Filter". */
const filterFields = {
  /** In the ruleset expression language. */
  expression: z.string(),
  /** A rule takes effect only if neither it nor its filter is paused. */
  paused: z.boolean().default(false),
  description: z.string().nullish(),
  /** A name of the user's own. */
  ref: z.string().nullish(),
};

/** What a caller sets of a filter. */
export type FilterFields = z.input<z.ZodObject<typeof filterFields>>;

/** A match expression that firewall rules and other features may share. */
export type Filter = z.output<z.ZodObject<typeof filterFields>> & { id: string };

/**
 * The filters of a zone. `list` takes the query `expression`: filters that contain it. A filter
 * that was created inline with a rule can be neither updated nor deleted (service.md, "What the
 * service does").
 */
export const filters: Collection<Filter, FilterFields> = collection({
  path: 'filters',
  noun: 'filter',
  schema: z.looseObject({ id: z.string(), ...filterFields }),
  isBatch: true,
});

/** service.md, "Firewall rule". */
const firewallRuleFields = {
  /** `block`, and what the providers support beside it: `bypass`, `allow`, `log`, the challenges. */
  action: z.string(),
  paused: z.boolean().default(false),
  priority: z.number().nullable().default(null),
  description: z.string().nullish(),
  ref: z.string().nullish(),
  /** What `bypass` bypasses; `waf` is the legacy WAF. */
  products: z.array(z.string()).nullish(),
};

/** A filter in the answer of its rule. */
const filterOfRule = z.looseObject({
  id: z.string(),
  /** Absent when the filter was deleted under the rule. */
  expression: z.string().nullish(),
  paused: z.boolean().nullish(),
});

/** What a caller sets of a firewall rule beside its filter. */
export type FirewallRuleFields = z.input<z.ZodObject<typeof firewallRuleFields>>;

/** A rule that is to be created: by the id of its filter, or (for emergencies) with it inline. */
export type NewFirewallRule = FirewallRuleFields & { filter: { id: string } | FilterFields };

/** An action for the requests that a filter matches. */
export type FirewallRule = z.output<z.ZodObject<typeof firewallRuleFields>> & {
  id: string;
  filter: z.output<typeof filterOfRule>;
};

/**
 * The firewall rules of a zone. An inline filter stays when the quota or the plan refuses the rule
 * (service.md, "Create firewall rules"); the filter of a rule is a reference, which an update does
 * not change.
 */
export const firewallRules: Collection<FirewallRule, NewFirewallRule> = collection({
  path: 'firewall/rules',
  noun: 'firewall rule',
  schema: z.looseObject({ id: z.string(), ...firewallRuleFields, filter: filterOfRule }),
  isBatch: true,
  bodyOf: (rule) => ({ ...rule, filter: { id: rule.filter.id } }),
});

const modes = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => value ?? {});

/** What a caller sets of an override (facts: cloudflare.md 2.1). */
const wafOverrideFields = {
  /** URIs with simple wildcards. */
  urls: z.array(z.string()),
  /** Group id → mode. */
  groups: modes,
  /** Rule id → mode. */
  rules: modes,
  /** Action of a rule → the action that it gets. */
  rewrite_action: modes,
  /** The lower wins. */
  priority: z.number().default(0),
  paused: z.boolean().default(false),
  description: z
    .string()
    .nullish()
    .transform((value) => value ?? null),
};

/** What a caller sets of an override. */
export type WafOverrideFields = z.output<z.ZodObject<typeof wafOverrideFields>>;

/** A URI-based override of the legacy WAF: a zone that has one cannot migrate. */
export type WafOverride = WafOverrideFields & { id: string };

/** The URI-based overrides of a zone (service.md, "Delete a WAF override"). */
export const wafOverrides: Collection<WafOverride, WafOverrideFields> = collection({
  path: 'firewall/waf/overrides',
  noun: 'WAF override',
  schema: z.looseObject({ id: z.string(), ...wafOverrideFields }),
  isBatch: false,
});

const pageRuleSchema = z
  .object({
    id: z.string(),
    /** `active` or `disabled`. */
    status: z.string().default('active'),
    /** Of the rules that match a request, only the one with the highest number counts. */
    priority: z.number().default(1),
    /** URL patterns; hostile text. */
    targets: z.array(z.object({ constraint: z.object({ value: z.string() }) })),
    /** `{id: 'waf', value: 'off'}`, `{id: 'disable_security'}`, … */
    actions: z.array(z.object({ id: z.string(), value: z.unknown().optional() })),
  })
  .transform(({ targets, ...rest }) => ({
    ...rest,
    targets: targets.map(({ constraint }) => constraint.value),
  }));

/** A page rule: what happens to requests for some URLs. */
export type PageRule = z.output<typeof pageRuleSchema>;

/** Every page rule of a zone, active or not. The API gives them in one answer. */
export function listPageRules(client: Client, zoneId: string): AsyncIterable<PageRule> {
  const id = parseZoneId(zoneId);
  return readPages(client, {
    path: `/zones/${id}/pagerules`,
    item: pageRuleSchema,
    paging: 'cursor',
    about: `page rules of zone ${id}`,
  });
}
