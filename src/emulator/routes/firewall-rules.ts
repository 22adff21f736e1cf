import * as z from 'zod';
import { accept } from '../accept';
import { type Reply, type Route, type ZoneCall } from '../call';
import { createFilters } from '../filter-store';
import { type FirewallRule } from '../firewall';
import { actionNotAvailable, hasAction, refusedByPlan } from '../firewall-quota';
import { changedFirewallRule, newFirewallRule, patchedFirewallRule } from '../firewall-rule-body';
import {
  findFirewallRule,
  firewallRuleOf,
  renderFirewallRules,
  requireFilter,
} from '../firewall-rule-store';
import { type JsonObject } from '../json';
import { paged } from '../paging';
import { refusal } from '../refusal';
import { type Zone } from '../zone';
import { FIREWALL_PAGES, firewallRoute, INVALID_FIREWALL } from './firewall-route';

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
    return firewallRuleOf(world.mint.next(), filterId, fields);
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
    return firewallRuleOf(id, filter.id, fields);
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
