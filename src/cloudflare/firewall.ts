import * as z from 'zod';
import { parseId, parseZoneId } from '../core/identifier';
import { isJsonArray } from '../core/json';
import { type Client } from './client';
import { readPages } from './pages';
import { parseResult } from './parse-result';

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

/** A collection of a zone. Ids are checked before they get into a path. */
interface Endpoint<Item extends { readonly id: string }, Draft> {
  list(
    client: Client,
    zoneId: string,
    query?: Readonly<Record<string, string>>,
  ): AsyncIterable<Item>;
  read(client: Client, zoneId: string, id: string): Promise<Item>;
  create(client: Client, zoneId: string, draft: Draft): Promise<Item>;
  /** Replaces an item as a whole. */
  update(client: Client, zoneId: string, item: Item): Promise<Item>;
  /** An item that does not exist counts as deleted. */
  delete(client: Client, zoneId: string, id: string): Promise<void>;
}

interface EndpointFacts<Item> {
  /** Below the zone. */
  readonly path: string;
  /** In the singular, for messages. */
  readonly noun: string;
  readonly schema: z.ZodType<Item>;
  /** Whether the API creates a list of them in one request. */
  readonly isBatch: boolean;
  readonly isWhole?: (item: unknown) => item is Item;
  /** What an update sends; the item unless told. */
  readonly bodyOf?: (item: Item) => unknown;
}

function endpoint<Item extends { readonly id: string }, Draft>(
  facts: EndpointFacts<Item>,
): Endpoint<Item, Draft> {
  const { noun, schema, isBatch, isWhole, bodyOf = (item: Item): unknown => item } = facts;
  const collection = (zoneId: string) => ({
    path: `/zones/${parseZoneId(zoneId)}/${facts.path}`,
    about: `${noun}s of zone ${zoneId}`,
  });
  const one = (zoneId: string, text: string) => {
    const id = parseId(text, `${noun} id`);
    const { path } = collection(zoneId);
    return { path: `${path}/${id}`, about: `${noun} ${id} of zone ${zoneId}` };
  };
  return {
    list: (client, zoneId, query = {}) =>
      readPages(client, {
        ...collection(zoneId),
        query: { per_page: 100, ...query }, // 5 to 100, and 25 by default
        item: schema,
        ...(isWhole && { isWhole }),
        paging: 'number',
        prefer: 'key',
      }),
    async read(client, zoneId, id) {
      const { path, about } = one(zoneId, id);
      const envelope = await client.request('GET', path, { about, prefer: 'key' });
      return parseResult(schema, envelope, about);
    },
    async create(client, zoneId, draft) {
      const { path, about } = collection(zoneId);
      const body = isBatch ? [draft] : draft;
      const envelope = await client.request('POST', path, { body, about, prefer: 'key' });
      if (!isBatch) return parseResult(schema, envelope, about);
      const { result } = envelope;
      const item = isJsonArray(result) && result.length === 1 ? result[0] : undefined;
      return parseResult(schema, { ...envelope, result: item }, about);
    },
    async update(client, zoneId, item) {
      const { path, about } = one(zoneId, item.id);
      const body = bodyOf(item);
      const envelope = await client.request('PUT', path, { body, about, prefer: 'key' });
      return parseResult(schema, envelope, about);
    },
    async delete(client, zoneId, id) {
      const { path, about } = one(zoneId, id);
      await client.request('DELETE', path, { about, prefer: 'key' });
    },
  };
}

// The schemas are loose: an update sends back all fields that were read, also unknown ones.

/**
 * The filters of a zone. `list` takes the query `expression`: filters that contain it. A filter that was created
 * inline with a rule can be neither updated nor deleted (service.md, "What the service does").
 */
export const filters = endpoint<Filter, FilterFields>({
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
  isWhole: isFilter,
});

/** As its schema would leave it: lists of filters are long. */
function isFilter(item: unknown): item is Filter {
  return (
    typeof item === 'object' &&
    item !== null &&
    'id' in item &&
    typeof item.id === 'string' &&
    'expression' in item &&
    typeof item.expression === 'string' &&
    'paused' in item &&
    typeof item.paused === 'boolean' &&
    (!('description' in item) || isText(item.description)) &&
    (!('ref' in item) || isText(item.ref))
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || value === null;
}

/**
 * The firewall rules of a zone. An inline filter stays when the quota or the plan refuses the rule
 * (service.md, "Create firewall rules"); the filter of a rule is a reference, which an update does not change.
 */
export const firewallRules = endpoint<FirewallRule, NewFirewallRule>({
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
export const wafOverrides = endpoint<WafOverride, WafOverrideFields>({
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
