import * as z from 'zod';
import { parseId, parseZoneId } from '../model/identifier';
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

// Loose: an update sends back what it read, and must not lose a field that is not known here.
// Without transforms, which make zod fifteen times slower: lists of filters are long.
const filterSchema = z.looseObject({
  id: z.string(),
  expression: z.string(),
  paused: z.boolean().default(false),
  description: z.string().nullish(),
  ref: z.string().nullish(),
});

/** As {@link filterSchema} would leave it. */
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
 * Every filter of a zone.
 * @param query - `expression`: those that hold it
 */
export function listFilters(
  client: Client,
  zoneId: string,
  { expression }: { readonly expression?: string } = {},
): AsyncIterable<Filter> {
  return readPages(client, {
    path: `/zones/${parseZoneId(zoneId)}/filters`,
    // 5 to 100; the service gives 25 unless told
    query: { per_page: 100, ...(expression === undefined ? {} : { expression }) },
    item: filterSchema,
    isWhole: isFilter,
    paging: 'number',
    about: `filters of zone ${zoneId}`,
    prefer: 'key',
  });
}

/** One filter. */
export async function readFilter(client: Client, zoneId: string, id: string): Promise<Filter> {
  const { path, about } = one(zoneId, id);
  const envelope = await client.request('GET', path, { about, prefer: 'key' });
  return parseResult(filterSchema, envelope, about);
}

/** Creates all of the filters or none. An expression that a filter has already is refused (10102). */
export async function createFilters(
  client: Client,
  zoneId: string,
  filters: readonly FilterFields[],
): Promise<Filter[]> {
  const about = `filters of zone ${zoneId}`;
  const path = `/zones/${parseZoneId(zoneId)}/filters`;
  const envelope = await client.request('POST', path, { body: filters, about, prefer: 'key' });
  return parseResult(z.array(filterSchema).length(filters.length), envelope, about);
}

/**
 * Replaces a filter as a whole. Refused for one that was created inline with a firewall rule
 * (service.md, "What the service does").
 */
export async function updateFilter(
  client: Client,
  zoneId: string,
  filter: Filter,
): Promise<Filter> {
  const { path, about } = one(zoneId, filter.id);
  const envelope = await client.request('PUT', path, { body: filter, about, prefer: 'key' });
  return parseResult(filterSchema, envelope, about);
}

/** Deletes a filter; one that is not there counts as deleted. Refused as in {@link updateFilter}. */
export async function deleteFilter(client: Client, zoneId: string, id: string): Promise<void> {
  const { path, about } = one(zoneId, id);
  await client.request('DELETE', path, { about, prefer: 'key' });
}

/** Asks whether an expression would be taken. @throws MigrationError `API_REFUSED` when not */
export async function validateExpression(
  client: Client,
  zoneId: string,
  expression: string,
): Promise<void> {
  await client.request('POST', `/zones/${parseZoneId(zoneId)}/filters/validate-expr`, {
    body: { expression },
    about: 'the expression',
    prefer: 'key',
  });
}

function one(zoneId: string, filterId: string): { path: string; about: string } {
  const zone = parseZoneId(zoneId);
  const id = parseId(filterId, 'filter id');
  return { path: `/zones/${zone}/filters/${id}`, about: `filter ${id} of zone ${zone}` };
}
