import * as z from 'zod';
import { accept, addIssues, expressionField, readOnly } from '../check-body';
import { type Refusal, refusal } from '../refusal';
import { collection, type Route, type ZoneCall } from '../route';
import {
  type Filter,
  filterFields,
  type FirewallRule,
  firewallRuleFields,
  isJsonObject,
  type JsonObject,
  type Zone,
} from '../world';

/** Public documentation. */
const pages = { default: 25, min: 5, max: 100 };

/**
 * Filters, which are reusable match expressions, and firewall rules, which are actions for the requests that a
 * filter matches (spec, "What the service does"). Deleting one that does not exist succeeds (public documentation).
 */
export const firewallRoutes: readonly Route[] = [
  ...collection<Filter>({
    path: '/filters',
    pages,
    all: ({ zone }) => zone.filters,
    missing: (id) => refusal(404, undefined, `filter ${id} not found`),
    render: renderFilter,
    create: (call) => {
      const drafts = accept(z.array(newFilter).min(1), call.body(), INVALID_FIREWALL);
      return createFilters(call, drafts, false).map(renderFilter);
    },
    change: ['PUT', updateFilter],
    remove: (id, { zone }) => {
      zone.filters.filter((one) => one.id === id).forEach(refuseInline);
      zone.filters = zone.filters.filter((one) => one.id !== id);
    },
  }),
  ...collection<FirewallRule>({
    path: '/firewall/rules',
    pages,
    all: ({ zone }) => zone.firewallRules,
    missing: () => refusal(404, 10001, 'firewallrules.api.firewall_rule_not_exists'),
    render: renderRule,
    create: createRules,
    change: ['PUT', updateRule],
    // the filter of a deleted rule remains (spec)
    remove: (id, { zone }) => {
      zone.firewallRules = zone.firewallRules.filter((rule) => rule.id !== id);
    },
  }),
];

/** The error code of invalid fields; the code of the Cloudflare API is not known. */
const INVALID_FIREWALL = 10101;

const newFilter = z.strictObject({ ...filterFields, expression: expressionField });

const readOnlyTimes = { created_on: readOnly, modified_on: readOnly };

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

function updateFilter(filter: Filter, { zone, body }: ZoneCall): void {
  refuseInline(filter);
  const whole = newFilter.extend({ ...readOnlyTimes, id: z.literal(filter.id).optional() });
  const { expression, paused, description, ref } = accept(whole, body(), INVALID_FIREWALL);
  const isTaken = zone.filters.some((one) => one !== filter && one.expression === expression);
  if (isTaken) throw duplicate();
  Object.assign(filter, { expression, paused, description, ref });
}

const DUPLICATE = 'config duplicates an already existing config';
const duplicate = (): Refusal => refusal(400, 10102, DUPLICATE);

/** Spec, "What the service does": PUT and DELETE are not allowed on a filter created inline. */
function refuseInline({ id, inline }: Filter): void {
  if (!inline) return;
  const message = `filter ${id} was created with a firewall rule and cannot be changed`;
  throw refusal(403, undefined, message);
}

/** A filter in the API's response, standalone or inside a rule. */
function renderFilter({ id, expression, paused, description, ref }: Filter): JsonObject {
  return { id, expression, paused, description, ref };
}

const reference = z.looseObject({ id: z.string().min(1) }).transform(({ id }) => ({ id }));

/** A rule with its filter. `products` is valid only with `bypass`, which has no effect without it. */
const ruleWith = <F extends z.ZodType>(filter: F) =>
  z
    .strictObject({ ...firewallRuleFields, ...readOnlyTimes, filter })
    .superRefine(({ action, products }, context) => {
      if ((action === 'bypass') === (products ?? []).length > 0) return;
      const message =
        action === 'bypass' ? 'products are required for bypass' : `products are not for ${action}`;
      context.addIssue({ code: 'custom', path: ['products'], message });
    });

const filterOfRule = z.unknown().transform((value, context) => {
  const refers = isJsonObject(value) && 'id' in value;
  const { data, error } = refers ? reference.safeParse(value) : newFilter.safeParse(value);
  addIssues(error, context);
  return data ?? z.NEVER;
});

/**
 * Creates all rules or none. Inline filters are created first. They remain only if the quota or the
 * plan then refuses the rules (spec, "Create firewall rules").
 */
function createRules(call: ZoneCall): JsonObject[] {
  const { zone, world } = call;
  const drafts = accept(z.array(ruleWith(filterOfRule)).min(1), call.body(), INVALID_FIREWALL);
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
  return rules.map((rule) => renderRule(rule, call));
}

function updateRule(rule: FirewallRule, { zone, body }: ZoneCall): void {
  const whole = ruleWith(reference).safeExtend({ id: z.literal(rule.id).optional() });
  const { filter, ...rest } = accept(whole, body(), INVALID_FIREWALL);
  if (filter.id !== rule.filter) requireFilter(zone, filter.id, '/filter/id');
  if (rest.action !== rule.action) requireAction(zone, rest.action, '/action');
  const cleared = { description: undefined, ref: undefined, products: undefined };
  Object.assign(rule, { ...cleared, ...rest, id: rule.id, filter: filter.id });
}

/** A rule in the API's response: with its filter, or with a note that the filter is deleted. */
function renderRule(rule: FirewallRule, { zone }: ZoneCall): JsonObject {
  const { id, filter, action, paused, priority, description, ref, products } = rule;
  const found = zone.filters.find((one) => one.id === filter);
  return {
    id,
    paused,
    description,
    action,
    products,
    priority,
    ref,
    filter: found === undefined ? { id: filter, deleted: true } : renderFilter(found),
  };
}

function requireFilter(zone: Zone, id: string, pointer: string): void {
  if (zone.filters.some((filter) => filter.id === id)) return;
  throw refusal(400, INVALID_FIREWALL, `filter ${id} does not exist`, pointer);
}

function requireAction({ plan }: Zone, action: string, pointer: string): void {
  if (action !== 'log' || plan === 'enterprise') return;
  throw refusal(400, undefined, 'action log is not available on this plan', pointer);
}
