import { type Call, type Reply } from './call';
import { type JsonObject } from './json';
import { refusal } from './refusal';

/** How many entries a page may have. */
interface PageLimits {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

/** One page of a list, with `result_info`. @throws Refusal 400 when `page` or `per_page` is wrong */
export function paged(
  items: readonly unknown[],
  { query, pageSize }: Pick<Call, 'query' | 'pageSize'>,
  limits: PageLimits,
): Reply {
  const page = integer(query, 'page', 1, 1, Number.MAX_SAFE_INTEGER);
  const asked = integer(query, 'per_page', limits.default, limits.min, limits.max);
  const perPage = Math.min(asked, pageSize ?? asked);
  const result = items.slice((page - 1) * perPage, page * perPage);
  return {
    result,
    resultInfo: {
      page,
      per_page: perPage,
      count: result.length,
      total_count: items.length,
      total_pages: Math.ceil(items.length / perPage),
    },
  };
}

function integer(
  query: URLSearchParams,
  name: string,
  fallback: number,
  min: number,
  max: number,
): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw refusal(400, undefined, `${name} must be an integer from ${min} to ${max}`);
}

/**
 * Filters and sorts a list by its query, as the old interfaces do: each parameter of `tests` that
 * is given is one condition, of which `match=all` (default) or `match=any` must hold. `orders` are what
 * it can be sorted by; entries that are equal stay in their order.
 */
export function select<T extends JsonObject>(
  items: readonly T[],
  query: URLSearchParams,
  tests: Readonly<Record<string, (item: T, wanted: string) => boolean>>,
  orders: Readonly<Record<string, (item: T) => unknown>>,
): T[] {
  const match = oneOf(query, 'match', ['all', 'any']) ?? 'all';
  const conditions = Object.entries(tests).flatMap(([name, test]) => {
    const wanted = query.get(name);
    return wanted === null ? [] : [(item: T) => test(item, wanted)];
  });
  const selected = items.filter((item) => {
    if (conditions.length === 0) return true;
    return match === 'all'
      ? conditions.every((holds) => holds(item))
      : conditions.some((holds) => holds(item));
  });
  const order = orders[oneOf(query, 'order', Object.keys(orders)) ?? ''];
  const sign = (oneOf(query, 'direction', ['asc', 'desc']) ?? 'asc') === 'asc' ? 1 : -1;
  return order === undefined
    ? selected
    : selected.sort((a, b) => sign * compare(order(a), order(b)));
}

/** What sorts by fields of an entry, by their names. */
export const byFields = (...names: string[]): Record<string, (item: JsonObject) => unknown> =>
  Object.fromEntries(names.map((name) => [name, (item: JsonObject) => item[name]]));

function oneOf(query: URLSearchParams, name: string, words: readonly string[]): string | undefined {
  const given = query.get(name);
  if (given === null || words.includes(given)) return given ?? undefined;
  throw refusal(400, undefined, `${name} must be one of ${words.join(', ')}`);
}

/** Numbers, and strings of digits such as priorities, by value; anything else as text. */
function compare(a: unknown, b: unknown): number {
  const [x, y] = [Number(a), Number(b)];
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  if (a === b) return 0;
  return String(a) < String(b) ? -1 : 1;
}
