import { type Call, type Reply } from './call';
import { refusal } from './refusal';

/** How many entries a page may have. */
export interface PageLimits {
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
