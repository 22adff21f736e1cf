import * as z from 'zod';
import { parseZoneId } from '../core/identifier';
import { type Client } from './client';
import { type Collection, collection, readPages } from './collection';

/** What a caller sets of a filter (service.md, "Filter"). */
export interface FilterFields {
  /** In the ruleset expression language. */
  readonly expression: string;
  /** A rule takes effect only if neither it nor its filter is paused. */
  readonly paused?: boolean | undefined;
  readonly description?: string | null | undefined;
  /** A name of the user's own. */
  readonly ref?: string | null | undefined;
}

/** A match expression that firewall rules and other features may share. */
export interface Filter extends FilterFields {
  readonly id: string;
  readonly paused: boolean;
}

/** What a caller sets of a firewall rule beside its filter (service.md, "Firewall rule"). */
export interface FirewallRuleFields {
  /** `block`, and what the providers support beside it: `bypass`, `allow`, `log`, the challenges. */
  readonly action: string;
  readonly paused?: boolean | undefined;
  readonly priority?: number | null | undefined;
  readonly description?: string | null | undefined;
  readonly ref?: string | null | undefined;
  /** What `bypass` bypasses; `waf` is the legacy managed rules. */
  readonly products?: readonly string[] | null | undefined;
}

/** A rule that is to be created: by the id of its filter, or (for emergencies) with it inline. */
export interface NewFirewallRule extends FirewallRuleFields {
  readonly filter: { readonly id: string } | FilterFields;
}

/** A filter as the answer of its rule shows it, with all other fields of the answer. */
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

/** What a caller sets of an override (facts: cloudflare.md 2.1). */
export interface WafOverrideFields {
  /** URIs with simple wildcards. */
  readonly urls: readonly string[];
  /** Group id → mode. */
  readonly groups: Readonly<Record<string, string>>;
  /** Rule id → mode. */
  readonly rules: Readonly<Record<string, string>>;
  /** Action of a rule → the action that it gets. */
  readonly rewrite_action: Readonly<Record<string, string>>;
  /** The lower wins. */
  readonly priority: number;
  readonly paused: boolean;
  readonly description: string | null;
}

/** A URI-based override of the legacy WAF: a zone that has one cannot migrate. */
export interface WafOverride extends WafOverrideFields {
  readonly id: string;
}

// The schemas are loose: an update sends back all fields that were read, also unknown ones.

/**
 * The filters of a zone. `list` takes the query `expression`: filters that contain it. A filter that was created
 * inline with a rule can be neither updated nor deleted (service.md, "What the service does").
 */
export const filters: Collection<Filter, FilterFields> = collection({
  path: 'filters',
  noun: 'filter',
  schema: z.looseObject({
    id: z.string(),
    expression: z.string(),
    paused: z.boolean().default(false),
    description: z.string().nullish(),
    ref: z.string().nullish(),
  }),
  isBatch: true,
});

/**
 * The firewall rules of a zone. An inline filter stays when the quota or the plan refuses the rule
 * (service.md, "Create firewall rules"); the filter of a rule is a reference, which an update does not change.
 */
export const firewallRules: Collection<FirewallRule, NewFirewallRule> = collection({
  path: 'firewall/rules',
  noun: 'firewall rule',
  schema: z.looseObject({
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
  }),
  isBatch: true,
  bodyOf: (rule) => ({ ...rule, filter: { id: rule.filter.id } }),
});

const modes = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => value ?? {});

/** The URI-based overrides of a zone (service.md, "Delete a WAF override"). */
export const wafOverrides: Collection<WafOverride, WafOverrideFields> = collection({
  path: 'firewall/waf/overrides',
  noun: 'WAF override',
  schema: z.looseObject({
    id: z.string(),
    urls: z.array(z.string()),
    groups: modes,
    rules: modes,
    rewrite_action: modes,
    priority: z.number().default(0),
    paused: z.boolean().default(false),
    description: z
      .string()
      .nullish()
      .transform((value) => value ?? null),
  }),
  isBatch: false,
});

/** A page rule: what happens to requests for some URLs. */
export interface PageRule {
  readonly id: string;
  /** `active` or `disabled`. */
  readonly status: string;
  /** Of the rules that match a request, only the one with the highest number counts. */
  readonly priority: number;
  /** URL patterns; hostile text. */
  readonly targets: readonly string[];
  /** `{id: 'waf', value: 'off'}`, `{id: 'disable_security'}`, … */
  readonly actions: readonly { readonly id: string; readonly value?: unknown }[];
}

const pageRuleSchema = z
  .object({
    id: z.string(),
    status: z.string().default('active'),
    priority: z.number().default(1),
    targets: z.array(z.object({ constraint: z.object({ value: z.string() }) })),
    actions: z.array(z.object({ id: z.string(), value: z.unknown().optional() })),
  })
  .transform(({ targets, ...rest }) => ({
    ...rest,
    targets: targets.map(({ constraint }) => constraint.value),
  }));

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
