import * as z from 'zod';
import { accept, checkWith, expressionField, readOnly } from '../check-body';
import { type Refusal, refusal } from '../refusal';
import { FIREWALL_PAGES, paged, type Reply, type Route, type ZoneCall, zoneRoute } from '../route';
import {
  bypassProducts,
  type Filter,
  firewallAction,
  type FirewallRule,
  type JsonObject,
  type Zone,
} from '../world';

/**
 * Filters, which are reusable match expressions, and firewall rules, which are actions for the requests that a
 * filter matches (spec, "What the API does").
 */
export const firewallRoutes: readonly Route[] = [
  zoneRoute('/filters', {
    GET: (call) => paged(call.zone.filters.map(renderFilter), call, FIREWALL_PAGES),
    POST: (call) => {
      const drafts = accept(z.array(newFilter).min(1), call.body(), INVALID_FIREWALL);
      return { result: createFilters(call, drafts, false).map(renderFilter) };
    },
  }),
  zoneRoute('/filters/:filter', {
    GET: (call) => ({ result: renderFilter(findFilter(call)) }),
    PUT: updateFilter,
    DELETE: removeFilter,
  }),
  zoneRoute('/firewall/rules', {
    GET: (call) => {
      const rules = call.zone.firewallRules.map((rule) => renderRule(call.zone, rule));
      return paged(rules, call, FIREWALL_PAGES);
    },
    POST: createRules,
  }),
  zoneRoute('/firewall/rules/:rule', {
    GET: (call) => ({ result: renderRule(call.zone, findRule(call)) }),
    PUT: updateRule,
    // deleting a rule that does not exist succeeds; the filter of a deleted rule remains (spec)
    DELETE: ({ zone, params }) => {
      const id = params['rule'];
      zone.firewallRules = zone.firewallRules.filter((rule) => rule.id !== id);
      return { result: { id } };
    },
  }),
];

/** The error code of invalid fields; the code of the Cloudflare API is not known. */
const INVALID_FIREWALL = 10101;

/** A text that can be absent or null. */
const optionalText = (max: number) =>
  z
    .string()
    .max(max)
    .nullish()
    .transform((given) => given ?? undefined);

/** A new filter; the API assigns its id. */
const newFilter = z.strictObject({
  expression: expressionField,
  paused: z.boolean().default(false),
  description: optionalText(500),
  ref: optionalText(50),
});

/**
 * Adds filters to a zone: all of them or none.
 * @param inline whether they are created with a firewall rule
 * @throws Refusal if an expression already exists: 10102, inline 10202
 */
function createFilters(
  { zone, world }: ZoneCall,
  drafts: readonly z.infer<typeof newFilter>[],
  inline: boolean,
): Filter[] {
  const expressions = new Set(zone.filters.map((filter) => filter.expression));
  drafts.forEach((draft, index) => {
    if (expressions.has(draft.expression)) {
      throw inline ? refusal(400, 10202, `filter at index ${index}: ${DUPLICATE}`) : duplicate();
    }
    expressions.add(draft.expression);
  });
  const created = drafts.map((draft) => ({ id: world.mint.next(), ...draft, inline }));
  zone.filters = [...zone.filters, ...created];
  return created;
}

function updateFilter(call: ZoneCall): Reply {
  const { zone, body } = call;
  const { id } = findFilter(call);
  refuseInline(call);
  const whole = newFilter.extend({
    id: z.literal(id).optional(),
    created_on: readOnly,
    modified_on: readOnly,
  });
  const { expression, paused, description, ref } = accept(whole, body(), INVALID_FIREWALL);
  if (zone.filters.some((one) => one.id !== id && one.expression === expression)) throw duplicate();
  const next = { id, inline: false, expression, paused, description, ref };
  zone.filters = zone.filters.map((one) => (one.id === id ? next : one));
  return { result: renderFilter(next) };
}

const DUPLICATE = 'config duplicates an already existing config';
const duplicate = (): Refusal => refusal(400, 10102, DUPLICATE);

/** Deleting a filter that does not exist succeeds (public documentation). */
function removeFilter(call: ZoneCall): Reply {
  refuseInline(call);
  const { zone, params } = call;
  const id = params['filter'] ?? '';
  zone.filters = zone.filters.filter((one) => one.id !== id);
  return { result: { id } };
}

/** Spec, "What the API does": PUT and DELETE are not allowed on a filter created inline. */
function refuseInline({ zone, params }: ZoneCall): void {
  const id = params['filter'];
  if (!zone.filters.some((filter) => filter.id === id && filter.inline)) return;
  const message = `filter ${id} was created with a firewall rule and cannot be changed`;
  throw refusal(403, undefined, message);
}

function findFilter({ zone, params }: ZoneCall): Filter {
  const id = params['filter'] ?? '';
  const found = zone.filters.find((filter) => filter.id === id);
  if (found === undefined) throw refusal(404, undefined, `filter ${id} not found`);
  return found;
}

/** A filter in the API's response, standalone or inside a rule. */
function renderFilter({ id, expression, paused, description, ref }: Filter): JsonObject {
  return { id, expression, paused, description, ref };
}

const fields = {
  action: firewallAction,
  paused: z.boolean().default(false),
  priority: z.int().min(0).max(2_147_483_647).nullable().default(null),
  description: optionalText(500),
  ref: optionalText(50),
  products: bypassProducts.nullish().transform((given) => given ?? undefined),
  created_on: readOnly,
  modified_on: readOnly,
};

/** A reference by id; other fields of the filter are ignored. */
const reference = z.looseObject({ id: z.string().min(1) }).transform(({ id }) => ({ id }));

/** The filter of a new rule: by id, or inline. */
const filterOfRule = z.unknown().transform((value, context) => {
  const refers = typeof value === 'object' && value !== null && 'id' in value;
  const parsed = refers ? reference.safeParse(value) : newFilter.safeParse(value);
  if (parsed.success) return parsed.data;
  checkWith(refers ? reference : newFilter, value, context);
  return z.NEVER;
});

/** `products` is valid only with `bypass`, which has no effect without it. */
const withProducts = <T extends { action: string; products?: string[] | undefined }>(
  shape: z.ZodType<T>,
): z.ZodType<T> =>
  shape.superRefine(({ action, products = [] }, context) => {
    if ((action === 'bypass') === products.length > 0) return;
    const message =
      action === 'bypass' ? 'products are required for bypass' : `products are not for ${action}`;
    context.addIssue({ code: 'custom', path: ['products'], message });
  });

const newRules = z.array(withProducts(z.strictObject({ ...fields, filter: filterOfRule }))).min(1);

/**
 * Creates all rules or none. Inline filters are created first. They remain only if the quota or the
 * plan then refuses the rules (spec, "Create firewall rules").
 */
function createRules(call: ZoneCall): Reply {
  const { zone, world } = call;
  const drafts = accept(newRules, call.body(), INVALID_FIREWALL);
  drafts.forEach(({ filter }, index) => {
    if ('id' in filter) requireFilter(zone, filter.id, `/${index}/filter/id`);
  });
  const inline = drafts.flatMap(({ filter }) => ('id' in filter ? [] : [filter]));
  const unused = createFilters(call, inline, true);
  // Only these two refusals leave inline filters behind (spec, "Errors"). Their codes are not known.
  const quota = world.settings.firewallRuleQuota;
  if (zone.firewallRules.length + drafts.length > quota) {
    throw refusal(400, undefined, `exceeded the maximum number of firewall rules: ${quota}`);
  }
  drafts.forEach(({ action }, index) => {
    requireAction(zone, action, `/${index}/action`);
  });
  const rules = drafts.map(({ filter, ...rest }) => {
    const filterId = 'id' in filter ? filter.id : (unused.shift()?.id ?? '');
    return { id: world.mint.next(), filter: filterId, ...rest };
  });
  zone.firewallRules = [...zone.firewallRules, ...rules];
  return { result: rules.map((rule) => renderRule(zone, rule)) };
}

/** The filter of an existing rule is a reference. */
function updateRule(call: ZoneCall): Reply {
  const { zone, body } = call;
  const current = findRule(call);
  const { id } = current;
  const whole = withProducts(
    z.strictObject({ ...fields, id: z.literal(id).optional(), filter: reference }),
  );
  const { filter, ...rest } = accept(whole, body(), INVALID_FIREWALL);
  if (filter.id !== current.filter) requireFilter(zone, filter.id, '/filter/id');
  if (rest.action !== current.action) requireAction(zone, rest.action, '/action');
  const next = { ...rest, id, filter: filter.id };
  zone.firewallRules = zone.firewallRules.map((rule) => (rule === current ? next : rule));
  return { result: renderRule(zone, next) };
}

/** A rule in the API's response: with its filter, or with a note that the filter is deleted. */
function renderRule(zone: Zone, rule: FirewallRule): JsonObject {
  const { id, filter, action, paused, priority, description, ref, products } = rule;
  const found = zone.filters.find((one) => one.id === filter);
  return {
    ...{ id, paused, description, action, products, priority, ref },
    filter: found === undefined ? { id: filter, deleted: true } : renderFilter(found),
  };
}

function findRule({ zone, params }: ZoneCall): FirewallRule {
  const found = zone.firewallRules.find(({ id }) => id === params['rule']);
  if (found !== undefined) return found;
  throw refusal(404, 10001, 'firewallrules.api.firewall_rule_not_exists');
}

function requireFilter(zone: Zone, id: string, pointer: string): void {
  if (zone.filters.some((filter) => filter.id === id)) return;
  throw refusal(400, INVALID_FIREWALL, `filter ${id} does not exist`, pointer);
}

/** The action `log` requires Enterprise. */
function requireAction({ plan }: Zone, action: string, pointer: string): void {
  if (action !== 'log' || plan === 'enterprise') return;
  throw refusal(400, undefined, 'action log is not available on this plan', pointer);
}
