import * as z from 'zod';
import { accept, expressionField, readOnly } from '../check-body';
import { type Refusal, refusal } from '../refusal';
import { FIREWALL_PAGES, paged, type Reply, type Route, type ZoneCall, zoneRoute } from '../route';
import { type Filter, type JsonObject } from '../world';

/** Filters: reusable match expressions (spec, "What the API does"). */
export const filterRoutes: readonly Route[] = [
  zoneRoute('/filters', {
    GET: (call) => paged(call.zone.filters.map(renderFilter), call, FIREWALL_PAGES),
    POST: create,
  }),
  zoneRoute('/filters/:filter', {
    GET: (call) => ({ result: renderFilter(find(call)) }),
    PUT: update,
    DELETE: remove,
  }),
];

/**
 * The error code of invalid fields in filters and firewall rules; the code of the Cloudflare API is
 * not known.
 */
export const INVALID_FIREWALL = 10101;

/** A text that can be absent or null. */
export const optionalText = (max: number) =>
  z
    .string()
    .max(max)
    .nullish()
    .transform((given) => given ?? undefined);

/** A new filter; the API assigns its id. */
export const newFilter = z.strictObject({
  expression: expressionField,
  paused: z.boolean().default(false),
  description: optionalText(500),
  ref: optionalText(50),
});

function create(call: ZoneCall): Reply {
  const drafts = accept(z.array(newFilter).min(1), call.body(), INVALID_FIREWALL);
  return { result: createFilters(call, drafts, false).map(renderFilter) };
}

/**
 * Adds filters to a zone: all of them or none.
 * @param inline whether they are created with a firewall rule
 * @throws Refusal if an expression already exists: 10102, inline 10202
 */
export function createFilters(
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

function update(call: ZoneCall): Reply {
  const { zone, body } = call;
  const { id } = find(call);
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
function remove(call: ZoneCall): Reply {
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

function find({ zone, params }: ZoneCall): Filter {
  const id = params['filter'] ?? '';
  const found = zone.filters.find((filter) => filter.id === id);
  if (found === undefined) throw refusal(404, undefined, `filter ${id} not found`);
  return found;
}

/** A filter in the API's response, standalone or inside a rule. */
export function renderFilter({ id, expression, paused, description, ref }: Filter): JsonObject {
  return { id, expression, paused, description, ref };
}
