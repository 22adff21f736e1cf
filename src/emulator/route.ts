import { noRoute, refusal, type Refusal } from './refusal';
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

export interface Call {
  readonly world: World;
  /** The path below the base address, not decoded. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The page size of lists, if a fault forces one. */
  readonly pageSize: number | undefined;
  /** Whether the request has a key pair; a wrong one was refused before. */
  readonly hasKey: boolean;
  /**
   * The parsed body; `undefined` if there is none.
   * @throws Refusal 400 when it is not JSON
   */
  readonly body: () => unknown;
}

export interface ZoneCall extends Call {
  readonly zone: Zone;
}

type ZoneMethods = Methods<ZoneCall>;

/** A successful response. If `result` is `undefined`, it has no body and status 204. */
export interface Reply {
  readonly result: unknown;
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
  const handlers = Object.entries(methods).map(([method, handler]) => {
    const answer = (call: Call): Reply => {
      const zoneCall = { ...call, zone: zoneOf(call) };
      guard(zoneCall);
      return handler(zoneCall);
    };
    return [method, answer] as const;
  });
  return { path: `/zones/:zone${path}`, methods: Object.fromEntries(handlers) };
}

function zoneOf({ params, path, world }: Call): Zone {
  const id = params['zone'] ?? '';
  if (!IDENTIFIER.test(id)) throw noRoute(path);
  const zone = world.zones.get(id);
  if (zone === undefined) throw refusal(403, 9109, 'Unauthorized to access requested resource');
  return zone;
}

/** A collection of a zone: a list by pages, and each of its items. */
interface Collection<Item extends { readonly id: string }> {
  /** Below the zone. */
  readonly path: string;
  readonly pages: PageLimits;
  readonly all: (call: ZoneCall) => readonly Item[];
  readonly missing: (id: string) => Refusal;
  readonly render: (item: Item, call: ZoneCall) => unknown;
  readonly create?: (call: ZoneCall) => unknown;
  readonly change?: readonly ['PUT' | 'PATCH', (item: Item, call: ZoneCall) => void];
  readonly remove?: (id: string, call: ZoneCall) => void;
  readonly guard?: (call: ZoneCall) => void;
}

export function collection<Item extends { readonly id: string }>(
  one: Collection<Item>,
): readonly Route[] {
  const { path, pages, all, missing, render, create, change, remove, guard } = one;
  const idOf = ({ params }: ZoneCall): string => params['id'] ?? '';
  const find = (call: ZoneCall): Item => {
    const found = all(call).find(({ id }) => id === idOf(call));
    if (found === undefined) throw missing(idOf(call));
    return found;
  };
  const list: ZoneMethods = {
    GET: (call) =>
      paged(
        all(call).map((item) => render(item, call)),
        call,
        pages,
      ),
    ...(create && { POST: (call) => ({ result: create(call) }) }),
  };
  const item: ZoneMethods = {
    GET: (call) => ({ result: render(find(call), call) }),
    ...(change && {
      [change[0]]: (call: ZoneCall) => {
        const found = find(call);
        change[1](found, call);
        return { result: render(found, call) };
      },
    }),
    ...(remove && {
      DELETE: (call) => {
        remove(idOf(call), call);
        return { result: { id: idOf(call) } };
      },
    }),
  };
  return [zoneRoute(path, list, guard), zoneRoute(`${path}/:id`, item, guard)];
}

interface PageLimits {
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

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
