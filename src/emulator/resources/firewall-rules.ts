import * as z from 'zod';
import { accept, checkWith, readOnly } from '../check-body';
import { refusal } from '../refusal';
import { FIREWALL_PAGES, paged, type Reply, type Route, type ZoneCall, zoneRoute } from '../route';
import {
  bypassProducts,
  firewallAction,
  type FirewallRule,
  type JsonObject,
  type Zone,
} from '../world';
import { createFilters, INVALID_FIREWALL, newFilter, optionalText, renderFilter } from './filters';

/** Firewall rules: an action for the requests that a filter matches (spec, "What the API does"). */
export const firewallRuleRoutes: readonly Route[] = [
  zoneRoute('/firewall/rules', { GET: list, POST: create }),
  zoneRoute('/firewall/rules/:rule', {
    GET: (call) => ({ result: renderRule(call.zone, find(call)) }),
    PUT: update,
    DELETE: remove,
  }),
];

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

function list(call: ZoneCall): Reply {
  const rules = call.zone.firewallRules.map((rule) => renderRule(call.zone, rule));
  return paged(rules, call, FIREWALL_PAGES);
}

/**
 * Creates all rules or none. Inline filters are created first. They remain only if the quota or the
 * plan then refuses the rules (spec, "Create firewall rules").
 */
function create(call: ZoneCall): Reply {
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
function update(call: ZoneCall): Reply {
  const { zone, body } = call;
  const current = find(call);
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

/** Deleting a rule that does not exist succeeds. The filter of a deleted rule remains (spec). */
function remove({ zone, params }: ZoneCall): Reply {
  const id = params['rule'];
  zone.firewallRules = zone.firewallRules.filter((rule) => rule.id !== id);
  return { result: { id } };
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

/** The rule of the request path. @throws Refusal 404 */
function find({ zone, params }: ZoneCall): FirewallRule {
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

/** Firewall rules that the migration converts: those that bypass the legacy WAF. */
export function bypassRules({ firewallRules }: Zone): FirewallRule[] {
  return firewallRules.filter(
    ({ action, products = [] }) => action === 'bypass' && products.includes('waf'),
  );
}
