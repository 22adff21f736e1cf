import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { type ErrorCode } from '../core/error-catalogue';
import { type Finding } from '../core/finding';
import { parseId, parseZoneId } from '../core/identifier';
import { isJsonArray } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { type Client } from './client';
import { type Scheme } from './credentials';
import { type Envelope, parseResult } from './envelope';

type Query = Readonly<Record<string, string | number>>;

/** A collection of a zone. Ids are checked before they get into a path. */
export interface Collection<Item extends { readonly id: string }, Draft> {
  list(client: Client, zoneId: string, query?: Query): AsyncIterable<Item>;
  read(client: Client, zoneId: string, id: string): Promise<Item>;
  create(client: Client, zoneId: string, draft: Draft): Promise<Item>;
  /** Replaces an item as a whole. */
  update(client: Client, zoneId: string, item: Item): Promise<Item>;
  /** An item that does not exist counts as deleted. */
  delete(client: Client, zoneId: string, id: string): Promise<void>;
}

interface CollectionFacts<Item> {
  /** Below the zone. */
  readonly path: string;
  /** In the singular, for messages. */
  readonly noun: string;
  readonly schema: z.ZodType<Item>;
  /** Whether the API creates a list of them in one request. */
  readonly isBatch: boolean;
  /** What an update sends; by default the item. */
  readonly bodyOf?: (item: Item) => unknown;
}

/** List, read, create, update and delete for one collection of a zone in the legacy API. */
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
  return {
    list: (client, zoneId, query = {}) =>
      readPages(client, {
        ...whole(zoneId),
        query: { per_page: 100, ...query }, // 5 to 100, and 25 by default
        item: schema,
        paging: 'number',
        prefer: 'key',
      }),
    async read(client, zoneId, id) {
      const { path, about } = one(zoneId, id);
      const envelope = await client.request('GET', path, { about, prefer: 'key' });
      return parseResult(schema, envelope, about);
    },
    async create(client, zoneId, draft) {
      const { path, about } = whole(zoneId);
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

/** A list of the API, read page by page. */
interface ListRequest<T> {
  readonly path: string;
  readonly query?: Query;
  readonly item: z.ZodType<T>;
  /**
   * `number`: requested as `page`, also when the answer says nothing of pages. `cursor`: the
   * answer is the whole list unless it names a cursor or a number of pages (rulesets).
   */
  readonly paging: 'number' | 'cursor';
  readonly about: string;
  /** As in `Client.request`. */
  readonly prefer?: Scheme;
}

/** A list that does not end must neither keep a run for ever nor fill the memory. */
const MAX_PAGES = 2000;
const MAX_LIST_MEBIBYTES = 128;

/**
 * Reads a list; the next page is requested when it is needed. `result_info` may be missing or
 * lack the number of pages. Then the list ends when it has as many items as there are in all, or
 * with a shorter or an empty page, or when an API that does not page repeats a page. The longest
 * page seen is a full one, because the API can give fewer a page than the request asks for.
 *
 * @throws {MigrationError} as `Client.request`, and `API_RESPONSE_INVALID` for items of another shape
 */
export async function* readPages<T>(
  client: Client,
  { path, query, item, paging, about, prefer = 'token' }: ListRequest<T>,
): AsyncGenerator<T, undefined> {
  const schema = z.array(item);
  let position: Query = {};
  let previous: readonly T[] | undefined;
  let [full, total, size] = [0, 0, 0];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const asked = { query: { ...query, ...position }, about, prefer };
    const envelope = await client.request('GET', path, asked);
    const items = parseResult(schema, envelope, about);
    if (items.length === 0) return;
    size += envelope.text.length;
    if (size > MAX_LIST_MEBIBYTES * 2 ** 20) {
      throw new MigrationError(
        'API_RESPONSE_TOO_LARGE',
        `${about}: the list is larger than ${MAX_LIST_MEBIBYTES} MiB`,
      );
    }
    const { totalPages, nextCursor: cursor } = envelope.resultInfo;
    if (isDeepStrictEqual(items, previous)) {
      if (totalPages === undefined && cursor === undefined) return;
      throw invalid(`${about}: page ${page} repeats the page before it`);
    }
    yield* items;
    full = Math.max(full, items.length);
    total += items.length;
    if (isLast(envelope, paging, { page, count: items.length, full, total })) return;
    position = cursor === undefined ? { page: page + 1 } : { cursor };
    previous = items;
  }
  throw invalid(`${about}: the list does not end after ${MAX_PAGES} pages`);
}

function isLast(
  { resultInfo: { totalPages, totalCount = 0, perPage, nextCursor } }: Envelope,
  paging: 'number' | 'cursor',
  seen: {
    readonly page: number;
    /** Items of this page, of the longest one, and of all so far. */
    readonly count: number;
    readonly full: number;
    readonly total: number;
  },
): boolean {
  if (nextCursor !== undefined) return false;
  if (totalPages !== undefined) return seen.page >= totalPages;
  if (paging === 'cursor') return true;
  if (totalCount > seen.total) return false;
  // `per_page` can be the requested size instead of the given one
  if (seen.count < (perPage ?? seen.full)) return true;
  // `total_count` of a full first page can be its own
  return seen.page > 1 && totalCount === seen.total;
}

function invalid(message: string): MigrationError {
  return new MigrationError('API_RESPONSE_INVALID', message);
}

/** What was read, or why not. */
export type Optional<T> =
  | { readonly items: readonly T[]; readonly unread?: undefined }
  | { readonly items: readonly []; readonly unread: MigrationError };

/** The codes of an endpoint that is retired, or not accessible with these credentials. */
const refusals = new Set<ErrorCode>(['API_UNAUTHORIZED', 'API_REFUSED', 'API_NOT_FOUND']);

/** Reads a list that a command does not need; the command must report when it is unread. */
export async function readOptional<T>(list: AsyncIterable<T>): Promise<Optional<T>> {
  const items: T[] = [];
  try {
    for await (const item of list) items.push(item);
    return { items };
  } catch (error) {
    if (isRefusal(error)) return { items: [], unread: error };
    throw error;
  }
}

/** Whether the API refused: the connection works. */
export function isRefusal(error: unknown): error is MigrationError {
  return error instanceof MigrationError && refusals.has(error.code);
}

/** The finding for a list that was not read. */
export function notChecked(what: string, subject: string, error: MigrationError): Finding {
  return {
    code: 'NOT_CHECKED',
    severity: 'decision',
    subject,
    message: `cannot read the ${what}: ${error.message}`,
    remedy: 'set CLOUDFLARE_EMAIL and CLOUDFLARE_API_KEY: the legacy API can refuse an API token',
  };
}
