import * as z from 'zod';
import { accept, refusal, type Refusal } from '../refusal';
import { type Reply, type Route, type ZoneCall } from '../call';
import {
  changedFirewallRule,
  type Filter,
  type FirewallRule,
  newFirewallRule,
  patchedFirewallRule,
} from '../firewall';
import { type JsonObject } from '../json';
import { paged } from '../paging';
import { type World } from '../world';
import { type Plan, type Zone } from '../zone';
import { createFilters, renderFilter } from './filters';
import { FIREWALL_PAGES, firewallRoute, INVALID_FIREWALL } from '../zone-route';

/** Firewall rules: an action for what a filter matches (spec, "What the service does"). */
export const firewallRuleRoutes: readonly Route[] = [
  firewallRoute('/firewall/rules', {
    GET: list,
    POST: create,
    PUT: (call) => ({ result: update(call, z.array(changedFirewallRule(z.string())).min(1)) }),
    PATCH: (call) => ({ result: patch(call, z.array(patchedFirewallRule(z.string())).min(1)) }),
    DELETE: removeMany,
  }),
  firewallRoute('/firewall/rules/:rule', {
    GET: read,
    PUT: (call) => ({ result: update(call, one(changedFirewallRule(idOf(call))))[0] }),
    PATCH: (call) => ({ result: patch(call, one(patchedFirewallRule(idOf(call))))[0] }),
    DELETE: removeOne,
  }),
];

const one = <T>(shape: z.ZodType<T>): z.ZodType<T[]> => shape.transform((value) => [value]);
const idOf = ({ params }: ZoneCall): z.ZodType<string> => {
  const id = params['rule'] ?? '';
  return z.literal(id).default(id);
};

function list(call: ZoneCall): Reply {
  const { zone, query } = call;
  const paused = query.get('paused');
  const action = query.get('action');
  const description = query.get('description') ?? '';
  const ids = query.getAll('id');
  const rules = zone.firewallRules
    .filter(({ id }) => ids.length === 0 || ids.includes(id))
    .filter((rule) => paused === null || String(rule.paused) === paused)
    .filter((rule) => action === null || rule.action === action)
    .filter((rule) => (rule.description ?? '').includes(description));
  return paged(renderFirewallRules(rules, zone.filters), call, FIREWALL_PAGES);
}

function read({ zone, params }: ZoneCall): Reply {
  const rule = findFirewallRule(zone.firewallRules, params['rule'] ?? '');
  return { result: renderFirewallRules([rule], zone.filters)[0] };
}

/**
 * Creates all rules or none. Inline filters come first: they stay when the quota or the plan then
 * refuses the rules, and in no other case (spec, "Create firewall rules").
 */
function create({ zone, world, body }: ZoneCall): Reply {
  const drafts = accept(z.array(newFirewallRule).min(1), body(), INVALID_FIREWALL);
  drafts.forEach(({ filter }, index) => {
    if ('id' in filter) requireFilter(zone.filters, filter.id, `/${index}/filter/id`);
  });
  const inline = drafts.flatMap(({ filter }) => ('id' in filter ? [] : [filter]));
  const created = createFilters(zone.filters, inline, true, world, (index) =>
    refusal(400, 10202, `filter at index ${index}: config duplicates an already existing config`),
  );
  zone.filters = [...zone.filters, ...created];
  const refused = refusedByPlan(zone, drafts, world);
  if (refused !== undefined) throw refused;
  const unused = [...created];
  const rules = drafts.map(({ filter, ...fields }) => {
    const filterId = 'id' in filter ? filter.id : (unused.shift()?.id ?? '');
    return { id: world.mint.next(), filter: filterId, ...fields };
  });
  zone.firewallRules = [...zone.firewallRules, ...rules];
  return { result: renderFirewallRules(rules, zone.filters) };
}

type Changed = z.infer<ReturnType<typeof changedFirewallRule>>;
type Patched = z.infer<ReturnType<typeof patchedFirewallRule>>;

function update({ zone, params, body }: ZoneCall, shape: z.ZodType<Changed[]>): JsonObject[] {
  const changes = accept(shape, body(), INVALID_FIREWALL);
  const next = changes.map(({ id, filter, ...fields }, index) => {
    const current = findFirewallRule(zone.firewallRules, id);
    const at = 'rule' in params ? '' : `/${index}`;
    if (filter.id !== current.filter) requireFilter(zone.filters, filter.id, `${at}/filter/id`);
    const isNewAction = fields.action !== current.action;
    if (isNewAction && !hasAction(zone, fields)) throw actionNotAvailable(`${at}/action`);
    return { id, filter: filter.id, ...fields };
  });
  return replace(zone, next);
}

function patch({ zone, body }: ZoneCall, shape: z.ZodType<Patched[]>): JsonObject[] {
  const next = accept(shape, body(), INVALID_FIREWALL).map(({ id, priority }) => ({
    ...findFirewallRule(zone.firewallRules, id),
    priority,
  }));
  return replace(zone, next);
}

function replace(zone: Zone, next: readonly FirewallRule[]): JsonObject[] {
  const byId = new Map(next.map((rule) => [rule.id, rule]));
  zone.firewallRules = zone.firewallRules.map((rule) => byId.get(rule.id) ?? rule);
  return renderFirewallRules(next, zone.filters);
}

const removal = z
  .strictObject({ delete_filter_if_unused: z.boolean().default(false) })
  .prefault({});

function removeOne({ zone, params, query, body }: ZoneCall): Reply {
  const id = params['rule'] ?? '';
  const { delete_filter_if_unused: asked } = accept(removal, body(), INVALID_FIREWALL);
  remove(zone, [id], asked || query.get('delete_filter_if_unused') === 'true');
  return { result: { id } };
}

function removeMany({ zone, query }: ZoneCall): Reply {
  const ids = query.getAll('id');
  if (ids.length === 0) throw refusal(400, INVALID_FIREWALL, 'id is required');
  remove(zone, ids, query.get('delete_filter_if_unused') === 'true');
  return { result: ids.map((id) => ({ id })) };
}

/** A rule that is not there counts as deleted. Its filter stays, unless asked for and unused. */
function remove(zone: Zone, ids: readonly string[], withFilters: boolean): void {
  const gone = zone.firewallRules.filter(({ id }) => ids.includes(id));
  zone.firewallRules = zone.firewallRules.filter((rule) => !gone.includes(rule));
  if (!withFilters) return;
  const used = new Set(zone.firewallRules.map(({ filter }) => filter));
  const loose = new Set(gone.map(({ filter }) => filter).filter((id) => !used.has(id)));
  zone.filters = zone.filters.filter(({ id }) => !loose.has(id));
}

/** Rules as the service answers them: each with its filter, or with the note that it is deleted. */
function renderFirewallRules(
  rules: readonly FirewallRule[],
  filters: readonly Filter[],
): JsonObject[] {
  const byId = new Map(filters.map((filter) => [filter.id, filter]));
  return rules.map(({ id, filter, action, paused, priority, description, ref, products }) => {
    const found = byId.get(filter);
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
  });
}

/** A rule by its id. @throws Refusal 404 */
function findFirewallRule(rules: readonly FirewallRule[], id: string): FirewallRule {
  const found = rules.find((rule) => rule.id === id);
  if (found !== undefined) return found;
  throw refusal(404, 10001, 'firewallrules.api.firewall_rule_not_exists');
}

/** The filter of a rule must exist. @throws Refusal 400 with a pointer to the reference */
function requireFilter(filters: readonly Filter[], id: string, pointer: string): void {
  if (filters.some((filter) => filter.id === id)) return;
  throw refusal(400, 10101, `filter ${id} does not exist`, pointer);
}

/** Rules that a zone may have by its plan: not in the specification; public plan tables. */
const planQuota: Readonly<Record<Plan, number>> = { pro: 20, business: 100, enterprise: 1000 };

/**
 * Why rules that are valid cannot be created: the quota, or a feature that the plan has not. Only
 * these two leave inline filters behind (spec, "Errors"). Their codes are not known.
 */
function refusedByPlan(
  zone: Zone,
  drafts: readonly Pick<FirewallRule, 'action'>[],
  world: World,
): Refusal | undefined {
  const quota = world.settings.firewallRuleQuota ?? planQuota[zone.plan];
  if (zone.firewallRules.length + drafts.length > quota) {
    return refusal(400, undefined, `exceeded the maximum number of firewall rules: ${quota}`);
  }
  const index = drafts.findIndex((draft) => !hasAction(zone, draft));
  return index < 0 ? undefined : actionNotAvailable(`/${index}/action`);
}

/** Whether the plan of a zone has the action: `log` is for Enterprise. */
const hasAction = (zone: Zone, { action }: Pick<FirewallRule, 'action'>): boolean =>
  action !== 'log' || zone.plan === 'enterprise';

/** The refusal of an action that the plan has not. */
const actionNotAvailable = (pointer: string): Refusal =>
  refusal(400, undefined, 'action log is not available on this plan', pointer);
