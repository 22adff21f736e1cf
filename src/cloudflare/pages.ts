import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { MigrationError } from '../core/migration-error';
import { type Client } from './client';
import { type Scheme } from './credentials';
import { type Envelope } from './envelope';
import { parseResult } from './parse-result';

/** A list of the service, to be read page by page. */
export interface ListRequest<T> {
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly item: z.ZodType<T>;
  /** For long lists: items that are whole as they came are not parsed, which copies them. */
  readonly isWhole?: (item: unknown) => item is T;
  /**
   * `number`: asked for as `page`, and the answer is believed to be a page even when it says
   * nothing of pages. `cursor`: the answer is the whole list unless it names a cursor or a number
   * of pages (rulesets).
   */
  readonly paging: 'number' | 'cursor';
  readonly about: string;
  /** As in `Client.request`. */
  readonly prefer?: Scheme;
}

/** So that a list that does not end neither keeps a run for ever nor fills the memory. */
const MAX_PAGES = 2000;
const MAX_LIST_MEBIBYTES = 128;

/**
 * Reads a list; the next page is asked for when it is needed. `result_info` may be missing or say
 * nothing of the number of pages: then the end is not before as many items were read as there are in all, and
 * the first page tells how long a full one is, because the service can give fewer a page than it was asked
 * for, and the end is a shorter or an empty page, or the same page again from a service that does not page.
 *
 * @throws {MigrationError} as `Client.request`, and `API_RESPONSE_INVALID` for items of another shape
 */
export function readPages<T>(client: Client, list: ListRequest<T>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => itemsOf(wholePages(client, list)) };
}

/** A generator that yields each item costs more than the parsing of the page that it came in. */
function itemsOf<T>(pages: AsyncGenerator<readonly T[], undefined>): AsyncIterator<T, undefined> {
  let items: Iterator<T> = [].values();
  const next = (): Promise<IteratorResult<T, undefined>> => {
    const item = items.next();
    return item.done === true ? nextPage() : Promise.resolve(item);
  };
  const nextPage = async (): Promise<IteratorResult<T, undefined>> => {
    const page = await pages.next();
    if (page.done === true) return page;
    items = page.value.values();
    return next();
  };
  return {
    next,
    return: () => pages.return(undefined).then(() => ({ done: true, value: undefined })),
  };
}

async function* wholePages<T>(
  client: Client,
  list: ListRequest<T>,
): AsyncGenerator<readonly T[], undefined> {
  const schema = z.array(list.item);
  let query: Readonly<Record<string, string | number>> = { ...list.query };
  let previous: readonly T[] | undefined;
  let full = 0;
  let total = 0;
  let size = 0;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const asked = { query, about: list.about, prefer: list.prefer ?? 'token' };
    const envelope = await client.request('GET', list.path, asked);
    const items = wholeItems(envelope.result, list) ?? parseResult(schema, envelope, list.about);
    if (items.length === 0) return;
    size += envelope.text.length;
    if (size > MAX_LIST_MEBIBYTES * 2 ** 20) {
      throw new MigrationError(
        'API_RESPONSE_TOO_LARGE',
        `${list.about}: the list is larger than ${MAX_LIST_MEBIBYTES} MiB`,
      );
    }
    const { totalPages, nextCursor: cursor } = envelope.resultInfo;
    if (isDeepStrictEqual(items, previous)) {
      if (totalPages === undefined && cursor === undefined) return;
      throw new MigrationError(
        'API_RESPONSE_INVALID',
        `${list.about}: page ${page} repeats the page before it`,
      );
    }
    yield items;
    full = Math.max(full, items.length);
    total += items.length;
    if (isLast(envelope, list.paging, { page, count: items.length, full, total })) return;
    const next = cursor === undefined ? { page: page + 1 } : { cursor };
    query = { ...list.query, ...next };
    previous = items;
  }
  throw new MigrationError(
    'API_RESPONSE_INVALID',
    `${list.about}: the list does not end after ${MAX_PAGES} pages`,
  );
}

function wholeItems<T>(result: unknown, { isWhole }: ListRequest<T>): readonly T[] | undefined {
  return isWhole !== undefined && Array.isArray(result) && result.every(isWhole)
    ? result
    : undefined;
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
  // the page size that is told can be the one that was asked for, and not the one that was given
  if (totalCount > seen.total) return false;
  if (seen.count < (perPage ?? seen.full)) return true;
  // of a full first page the count can be its own
  return seen.page > 1 && totalCount === seen.total;
}
