import { type World } from './world';
import { type ResultInfo } from './refusal';
import { type Zone } from './zone';

/** What a route is given of a request. */
export interface Call {
  readonly world: World;
  /** The path below the base address, as it came. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** How long the pages of a list are, where a fault forces it. */
  readonly pageSize: number | undefined;
  /** Which of the two authentication schemes the caller proved itself with. */
  readonly schemes: ReadonlySet<AuthScheme>;
  /**
   * The parsed body, `undefined` where there is none.
   * @throws Refusal 400 when it is no JSON
   */
  readonly body: () => unknown;
}

/** Key pair (`X-Auth-Email`, `X-Auth-Key`) or bearer token: spec, part "Authentication". */
export type AuthScheme = 'token' | 'key';

/** A call below `/zones/{zone_id}` of a zone that exists. */
export interface ZoneCall extends Call {
  readonly zone: Zone;
}

/** An answer that succeeds. Without a body where `result` is `undefined` (status 204). */
export interface Reply {
  readonly result: unknown;
  readonly resultInfo?: ResultInfo;
  /** A whole answer instead of the envelope: the GraphQL interface has none. */
  readonly document?: object;
}

/** Answers a call, or throws a Refusal before anything has changed. */
export type Handler = (call: Call) => Reply;
/** Like Handler, for one zone. */
export type ZoneHandler = (call: ZoneCall) => Reply;

/** HTTP methods of the service. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One path of the service and what it does for each method; other methods get 405. */
export interface Route {
  /** Below the base address, with `:name` for parameters. */
  readonly path: string;
  readonly methods: Partial<Record<Method, Handler>>;
}
