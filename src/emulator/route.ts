import { noRoute, refusal } from './refusal';
import { IDENTIFIER, type World, type Zone } from './world';

/** One path of the API with a handler for each method; other methods get 405. */
export interface Route {
  /** Below the base address; `:name` is a parameter. */
  readonly path: string;
  readonly methods: Methods<Call>;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Each answers a call, or throws a `Refusal` before anything has changed. */
type Methods<C> = Readonly<Partial<Record<Method, (call: C) => Reply>>>;

/** The request data that a route receives. */
export interface Call {
  readonly world: World;
  /** The path below the base address, not decoded. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The page size of lists, if a fault forces one. */
  readonly pageSize: number | undefined;
  /** Whether the caller sent a key pair, which is right. */
  readonly hasKey: boolean;
  /**
   * The parsed body; `undefined` if there is none.
   * @throws Refusal 400 when it is not JSON
   */
  readonly body: () => unknown;
}

/** A call below `/zones/{zone_id}` for an existing zone. */
export interface ZoneCall extends Call {
  readonly zone: Zone;
}

/** The handlers of a route below `/zones/{zone_id}`. */
export type ZoneMethods = Methods<ZoneCall>;

/** A successful response. If `result` is `undefined`, it has no body and status 204. */
export interface Reply {
  readonly result: unknown;
  /** The paging part (public documentation of the API). */
  readonly resultInfo?: object;
  /** A full response instead of the envelope, for the GraphQL API. */
  readonly document?: object;
}

/**
 * A route below `/zones/:zone`. It finds the zone before it calls the handler.
 * @param guard throws the refusal of the whole route, if there is one
 */
export function zoneRoute(
  path: string,
  methods: ZoneMethods,
  guard: (call: ZoneCall) => void = () => undefined,
): Route {
  const answerWith =
    (handler: (call: ZoneCall) => Reply) =>
    (call: Call): Reply => {
      const zoneCall = { ...call, zone: zoneOf(call) };
      guard(zoneCall);
      return handler(zoneCall);
    };
  const handlers = Object.entries(methods).map(
    ([method, handler]) => [method, answerWith(handler)] as const,
  );
  return { path: `/zones/:zone${path}`, methods: Object.fromEntries(handlers) };
}

function zoneOf({ params, path, world }: Call): Zone {
  const id = params['zone'] ?? '';
  if (!IDENTIFIER.test(id)) throw noRoute(path);
  const zone = world.zones.get(id);
  if (zone === undefined) throw refusal(403, 9109, 'Unauthorized to access requested resource');
  return zone;
}

/** The limits of the page size. */
interface PageLimits {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

/** Page size of filters and firewall rules (public documentation). */
export const FIREWALL_PAGES: PageLimits = { default: 25, min: 5, max: 100 };

/** Page size of the legacy WAF (public documentation). */
export const WAF_PAGES: PageLimits = { default: 50, min: 5, max: 100 };

/** One page of a list, with `result_info`. @throws Refusal 400 when a paging parameter is wrong */
export function paged(
  items: readonly unknown[],
  { query, pageSize }: Call,
  limits: PageLimits,
): Reply {
  const page = integer(query, 'page', { default: 1, min: 1, max: Number.MAX_SAFE_INTEGER });
  const perPage = Math.min(integer(query, 'per_page', limits), pageSize ?? Infinity);
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

function integer(query: URLSearchParams, name: string, limits: PageLimits): number {
  const { default: fallback, min, max } = limits;
  const text = query.get(name);
  if (text === null) return fallback;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw refusal(400, undefined, `${name} must be an integer from ${min} to ${max}`);
}
