import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { parseId, parseZoneId } from '../core/identifier';
import { MigrationError } from '../core/migration-error';
import { grouped } from '../core/printable';
import { type Client } from './client';
import { type Scheme } from './credentials';
import { type Envelope, parseResult } from './envelope';

type Query = Readonly<Record<string, string | number>>;

/** A collection of a zone. Ids are validated before they become part of a path. */
export interface Collection<Item, Draft> {
  list(client: Client, zoneId: string): Promise<Item[]>;
  read(client: Client, zoneId: string, id: string): Promise<Item>;
  create(client: Client, zoneId: string, draft: Draft): Promise<Item>;
  /** Replaces the whole item. */
  update(client: Client, zoneId: string, item: Item): Promise<Item>;
  /** For a missing item, filters and rules succeed; overrides fail with `API_NOT_FOUND`. */
  delete(client: Client, zoneId: string, id: string): Promise<void>;
}

interface CollectionFacts<Item> {
  /** Relative to the zone. */
  readonly path: string;
  /** Singular noun for messages. */
  readonly noun: string;
  readonly schema: z.ZodType<Item>;
  /** Whether the API creates a list of items in one request. */
  readonly isBatch: boolean;
  /** Builds the body of an update; by default the item. */
  readonly bodyOf?: (item: Item) => unknown;
}

export function collection<Item extends { readonly id: string }, Draft>(
  facts: CollectionFacts<Item>,
): Collection<Item, Draft> {
  const { noun, schema, isBatch, bodyOf = (item: Item): unknown => item } = facts;
  const whole = (zoneId: string) => ({
    path: `/zones/${parseZoneId(zoneId)}/${facts.path}`,
    about: `${noun}s of zone ${zoneId}`,
  });
  const one = (zoneId: string, text: string) => {
    const id = parseId(text, `${noun} id`);
    return { path: `${whole(zoneId).path}/${id}`, about: `${noun} ${id} of zone ${zoneId}` };
  };
  const itemOf = async (client: Client, method: Method, place: Place, body?: unknown) =>
    parseResult(schema, await send(client, method, place, body), place.about);
  return {
    list: (client, zoneId) => readLegacyPages(client, { ...whole(zoneId), item: schema }),
    async read(client, zoneId, id) {
      const place = one(zoneId, id);
      const item = await itemOf(client, 'GET', place);
      if (item.id === id) return item;
      throw new MigrationError('API_RESPONSE_INVALID', `${place.about}: the answer has another id`);
    },
    async create(client, zoneId, draft) {
      const place = whole(zoneId);
      if (!isBatch) return itemOf(client, 'POST', place, draft);
      const envelope = await send(client, 'POST', place, [draft]);
      return parseResult(z.tuple([schema]), envelope, place.about)[0];
    },
    update: async (client, zoneId, item) =>
      itemOf(client, 'PUT', one(zoneId, item.id), bodyOf(item)),
    async delete(client, zoneId, id) {
      await send(client, 'DELETE', one(zoneId, id));
    },
  };
}

type Method = Parameters<Client['request']>[0];
type Place = Readonly<Record<'path' | 'about', string>>;

const send = (client: Client, method: Method, { path, about }: Place, body?: unknown) =>
  client.request(method, path, { body, about, prefer: 'key' });

interface ListRequest<T> {
  readonly path: string;
  readonly query?: Query;
  readonly item: z.ZodType<T>;
  /**
   * `number`: always requested as `page`. `cursor`: the response is the whole list unless it has a
   * cursor or a number of pages (rulesets).
   */
  readonly paging: 'number' | 'cursor';
  readonly about: string;
  readonly prefer?: Scheme;
}

/** Reads a list of the legacy API with its largest page size. */
export function readLegacyPages<T>(
  client: Client,
  list: Pick<ListRequest<T>, 'path' | 'item' | 'about'>,
): Promise<T[]> {
  return readPages(client, { ...list, query: { per_page: 100 }, paging: 'number', prefer: 'key' });
}

/** 50,000 zones: a list that never ends would fill the memory. */
const MAX_PAGES = 1000;

/**
 * Reads all pages of a list. `result_info` can be missing, lack the number of pages, or have one that is
 * too small for the items. Then the list ends at an empty page, or when an API without paging repeats a page.
 */
export async function readPages<T>(
  client: Client,
  { path, query, item, paging, about, prefer = 'token' }: ListRequest<T>,
): Promise<T[]> {
  const schema = z.array(item);
  const all: T[] = [];
  let position: Query = {};
  let previous: readonly T[] | undefined;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const asked = { query: { ...query, ...position }, about, prefer };
    const envelope = await client.request('GET', path, asked);
    const items = parseResult(schema, envelope, about);
    if (items.length === 0) return all;
    const { totalPages, nextCursor } = envelope.resultInfo;
    if (isDeepStrictEqual(items, previous)) {
      if (nextCursor === undefined && page > (totalPages ?? 0)) return all;
      const message = `${about}: page ${page} repeats the page before it`;
      throw new MigrationError('API_RESPONSE_INVALID', message);
    }
    all.push(...items);
    const next = positionAfter({ page, position, read: all.length }, envelope.resultInfo, paging);
    if (next === undefined) return all;
    position = next;
    previous = items;
  }
  const message = `${about}: the list has more than ${grouped(MAX_PAGES)} pages`;
  throw new MigrationError('API_RESPONSE_INVALID', message);
}

/** The query for the page after this one; undefined if this is the last one. */
function positionAfter(
  { page, position, read }: { page: number; position: Query; read: number },
  { totalPages, totalCount, nextCursor }: Envelope['resultInfo'],
  paging: ListRequest<unknown>['paging'],
): Query | undefined {
  if (nextCursor !== undefined) return { cursor: nextCursor };
  if ('cursor' in position) return undefined;
  const isLast = totalPages === undefined ? paging === 'cursor' : page >= totalPages;
  // 0 pages contradict the items of this one
  const expected = totalCount ?? (totalPages === 0 ? Infinity : 0);
  return isLast && read >= expected ? undefined : { page: page + 1 };
}
