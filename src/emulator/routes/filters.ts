import * as z from 'zod';
import { accept, type Refusal, refusal } from '../refusal';
import { type Call, type Reply, type Route, type ZoneCall } from '../call';
import { changedFilter, type Filter, filterExpression, newFilter } from '../firewall';
import { type JsonObject } from '../json';
import { paged } from '../paging';
import { type World } from '../world';
import { FIREWALL_PAGES, firewallRoute, INVALID_FIREWALL, zoneRoute } from '../zone-route';

/** Filters: reusable match expressions (spec, "What the service does"). */
export const filterRoutes: readonly Route[] = [
  // public clients have both paths; they must precede the path of one filter
  { path: '/filters/validate-expr', methods: { POST: validate } },
  zoneRoute('/filters/validate-expr', { POST: validate }),
  firewallRoute('/filters', { GET: list, POST: create, PUT: updateMany, DELETE: removeMany }),
  firewallRoute('/filters/:filter', { GET: read, PUT: updateOne, DELETE: removeOne }),
];

function list(call: ZoneCall): Reply {
  const { zone, query } = call;
  const ids = query.getAll('id');
  const paused = query.get('paused');
  const contains = (value: string | undefined, name: string): boolean => {
    const wanted = query.get(name);
    return wanted === null || (value ?? '').includes(wanted);
  };
  const filters = zone.filters
    .filter(({ id }) => ids.length === 0 || ids.includes(id))
    .filter((filter) => paused === null || String(filter.paused) === paused)
    .filter((filter) => contains(filter.expression, 'expression'))
    .filter((filter) => contains(filter.description, 'description'))
    .filter((filter) => contains(filter.ref, 'ref'));
  return paged(filters.map(renderFilter), call, FIREWALL_PAGES);
}

function read({ zone, params }: ZoneCall): Reply {
  return { result: renderFilter(find(zone.filters, params['filter'] ?? '')) };
}

function create({ zone, world, body }: ZoneCall): Reply {
  const drafts = accept(z.array(newFilter).min(1), body(), INVALID_FIREWALL);
  const created = createFilters(zone.filters, drafts, false, world, duplicate);
  zone.filters = [...zone.filters, ...created];
  return { result: created.map(renderFilter) };
}

function updateMany(call: ZoneCall): Reply {
  const changes = accept(z.array(changedFilter).min(1), call.body(), INVALID_FIREWALL);
  return { result: update(call, changes).map(renderFilter) };
}

function updateOne(call: ZoneCall): Reply {
  const id = call.params['filter'] ?? '';
  const shape = changedFilter.extend({ id: z.literal(id).default(id) });
  return {
    result: update(call, [accept(shape, call.body(), INVALID_FIREWALL)]).map(renderFilter)[0],
  };
}

/** Changes all of the filters, or none. */
function update({ zone }: ZoneCall, changes: readonly z.infer<typeof changedFilter>[]): Filter[] {
  const next = changes.map((change) => {
    const current = find(zone.filters, change.id);
    if (current.inline) throw inlineIsFixed(current.id);
    const { id, inline } = current;
    const { expression, paused, description, ref } = change;
    return { id, inline, expression, paused, description, ref };
  });
  const all = zone.filters.map((filter) => next.find(({ id }) => id === filter.id) ?? filter);
  for (const { id, expression } of next) {
    const isNew = find(zone.filters, id).expression !== expression;
    if (isNew && all.some((one) => one.id !== id && one.expression === expression)) {
      throw duplicate();
    }
  }
  zone.filters = all;
  return next;
}

const duplicate = (): Refusal =>
  refusal(400, 10102, 'config duplicates an already existing config');

function removeOne(call: ZoneCall): Reply {
  const id = call.params['filter'] ?? '';
  remove(call, [id]);
  return { result: { id } };
}

function removeMany(call: ZoneCall): Reply {
  const ids = call.query.getAll('id');
  if (ids.length === 0) throw refusal(400, INVALID_FIREWALL, 'id is required');
  remove(call, ids);
  return { result: ids.map((id) => ({ id })) };
}

/** A filter that is not there counts as deleted: public documentation. */
function remove({ zone }: ZoneCall, ids: readonly string[]): void {
  const inline = zone.filters.find((filter) => filter.inline && ids.includes(filter.id));
  if (inline !== undefined) throw inlineIsFixed(inline.id);
  zone.filters = zone.filters.filter(({ id }) => !ids.includes(id));
}

/** Spec, "What the service does": PUT and DELETE are not allowed on a filter created inline. */
const inlineIsFixed = (id: string): Refusal =>
  refusal(403, undefined, `filter ${id} was created with a firewall rule and cannot be changed`);

function find(filters: readonly Filter[], id: string): Filter {
  const found = filters.find((filter) => filter.id === id);
  if (found === undefined) throw refusal(404, undefined, `filter ${id} not found`);
  return found;
}

/**
 * Filters that may be added to those of a zone: all of them or none.
 * @param inline whether they come with a firewall rule
 * @throws what `duplicate` makes of the index of one whose expression exists already
 */
export function createFilters(
  existing: readonly Filter[],
  drafts: readonly z.infer<typeof newFilter>[],
  inline: boolean,
  world: World,
  duplicate: (index: number) => Refusal,
): Filter[] {
  const expressions = new Set(existing.map(({ expression }) => expression));
  drafts.forEach(({ expression }, index) => {
    if (expressions.has(expression)) throw duplicate(index);
    expressions.add(expression);
  });
  return drafts.map((draft) => ({ id: world.mint.next(), ...draft, inline }));
}

/** A filter as the service answers it, alone or inside a rule. */
export function renderFilter({ id, expression, paused, description, ref }: Filter): JsonObject {
  return { id, expression, paused, description, ref };
}

/** Validation of an expression: changes nothing, so it works in maintenance mode too. */
function validate(call: Call): Reply {
  accept(z.strictObject({ expression: filterExpression }), call.body(), INVALID_FIREWALL);
  return { result: null };
}
