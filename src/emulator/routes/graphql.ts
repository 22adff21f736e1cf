import * as z from 'zod';
import { type Call, type Reply, type Route } from '../call';
import { type SecurityEvent } from '../traffic/security-event';

/** The fields of `firewallEventsAdaptive` (public documentation), from the fields of the export. */
const eventFields: Readonly<Record<string, (event: SecurityEvent) => unknown>> = {
  // seen in both spellings; the one that a careless client misses
  source: ({ Source }) => (Source === 'firewallmanaged' ? 'firewallManaged' : Source),
  action: ({ Action }) => (Action === 'managedchallenge' ? 'managed_challenge' : Action),
  ruleId: ({ RuleID }) => RuleID,
  rayName: ({ RayID }) => RayID,
  matchIndex: ({ MatchIndex }) => MatchIndex,
  clientIP: ({ ClientIP }) => ClientIP,
  clientAsn: ({ ClientASN }) => String(ClientASN),
  clientCountryName: ({ ClientCountry }) => ClientCountry.toUpperCase(),
  clientRequestHTTPHost: ({ ClientRequestHost }) => ClientRequestHost,
  clientRequestHTTPMethodName: ({ ClientRequestMethod }) => ClientRequestMethod,
  clientRequestHTTPProtocol: ({ ClientRequestProtocol }) => ClientRequestProtocol,
  clientRequestPath: ({ ClientRequestPath }) => ClientRequestPath,
  clientRequestQuery: ({ ClientRequestQuery }) => ClientRequestQuery,
  clientRequestScheme: ({ ClientRequestScheme }) => ClientRequestScheme,
  userAgent: ({ ClientRequestUserAgent }) => ClientRequestUserAgent,
  datetime: ({ Datetime }) => toSecond(Datetime),
  edgeResponseStatus: ({ EdgeResponseStatus }) => EdgeResponseStatus,
  originResponseStatus: ({ OriginResponseStatus }) => OriginResponseStatus,
  kind: ({ Kind }) => Kind,
  sampleInterval: () => 1,
};

/** Times of the interface have no fraction (public documentation). */
const toSecond = (time: string): string => `${time.slice(0, 19)}Z`;

/** What a query asks of the events of a zone. */
interface EventQuery {
  readonly limit: number;
  readonly descending: boolean;
  /** Names of fields, in their order. */
  readonly fields: readonly string[];
}

/** The part of the language that clients of the events use; nothing else is understood. */
type ParsedQuery =
  | { readonly kind: 'settings'; readonly fields: readonly string[] }
  | { readonly kind: 'events'; readonly query: EventQuery }
  | { readonly kind: 'unknown' };

const SETTINGS =
  /viewer\s*\{\s*zones\s*\(\s*filter\s*:\s*\{\s*zoneTag\s*:\s*\$zoneTag\s*\}\s*\)\s*\{\s*settings\s*\{\s*firewallEventsAdaptive\s*\{([\w\s]+)\}/;
const EVENTS =
  /viewer\s*\{\s*zones\s*\(\s*filter\s*:\s*\{\s*zoneTag\s*:\s*\$zoneTag\s*\}\s*\)\s*\{\s*firewallEventsAdaptive\s*\(([^)]*)\)\s*\{([\w\s]+)\}/;

/** Reads a query in the form of the service's documentation: the filter comes as a variable. */
function parseQuery(text: string): ParsedQuery {
  const settings = SETTINGS.exec(text);
  if (settings !== null) return { kind: 'settings', fields: names(settings[1]) };
  const events = EVENTS.exec(text);
  if (events === null) return { kind: 'unknown' };
  const [, given = '', selection] = events;
  const limit = /\blimit\s*:\s*(\d{1,9})\b/.exec(given)?.[1];
  const hasFilter = /\bfilter\s*:\s*\$filter\b/.test(given);
  if (limit === undefined || !hasFilter) return { kind: 'unknown' };
  const descending = /\borderBy\s*:\s*\[\s*datetime_DESC\s*\]/.test(given);
  return { kind: 'events', query: { limit: Number(limit), descending, fields: names(selection) } };
}

const names = (selection = ''): string[] => selection.split(/[\s,]+/).filter((name) => name !== '');

/** The GraphQL interface, as far as security events go. It has no envelope and refuses with 200. */
export const graphqlRoutes: readonly Route[] = [
  { path: '/graphql', methods: { POST: answerQuery } },
];

/** What the service grants an Enterprise zone (the node `settings`; seconds). */
const LIMITS = { enabled: true, maxPageSize: 10_000, maxDuration: 86_400, notOlderThan: 2_678_400 };

const time = z.iso.datetime({ offset: true });
const requestSchema = z.object({
  query: z.string(),
  variables: z.object({
    zoneTag: z.string(),
    filter: z
      .strictObject({
        datetime_geq: time.optional(),
        datetime_gt: time.optional(),
        datetime_leq: time.optional(),
        datetime_lt: time.optional(),
      })
      .optional(),
  }),
});
type Filter = NonNullable<z.infer<typeof requestSchema>['variables']['filter']>;

function answerQuery(call: Call): Reply {
  const request = requestSchema.safeParse(call.body());
  if (!request.success) return refused('request body or filter is not understood');
  const { query: text, variables } = request.data;
  const { zoneTag, filter = {} } = variables;
  if (!call.world.zones.has(zoneTag)) {
    return refused(`zone '${zoneTag}' is not authorized or does not exist`);
  }
  const parsed = parseQuery(text);
  const limits = { ...LIMITS, maxPageSize: call.pageSize ?? LIMITS.maxPageSize };
  if (parsed.kind === 'settings') return settingsOf(parsed.fields, limits);
  if (parsed.kind === 'unknown') return refused('error parsing args: query is not understood');
  const { limit, fields } = parsed.query;
  if (limit < 1 || limit > limits.maxPageSize) {
    return refused(`limit must be positive number and not greater than ${limits.maxPageSize}`);
  }
  const unknown = fields.find((name) => !Object.hasOwn(eventFields, name));
  if (unknown !== undefined) return unknownField(unknown);
  if (durationOf(filter) > LIMITS.maxDuration) {
    return refused(`query time range is too large, at most ${LIMITS.maxDuration} seconds`);
  }
  const events = selectEvents(call.world.events.get(zoneTag) ?? [], filter, parsed.query);
  return answer({ firewallEventsAdaptive: events });
}

/** The limits that are asked for by name. */
function settingsOf(names: readonly string[], limits: Readonly<Record<string, unknown>>): Reply {
  const unknown = names.find((name) => !Object.hasOwn(limits, name));
  if (unknown !== undefined) return unknownField(unknown);
  const asked = Object.fromEntries(names.map((name) => [name, limits[name]]));
  return answer({ settings: { firewallEventsAdaptive: asked } });
}

function selectEvents(
  all: readonly SecurityEvent[],
  filter: Filter,
  { limit, descending, fields }: EventQuery,
): object[] {
  const sign = descending ? -1 : 1;
  return all
    .map((event) => ({ event, at: Date.parse(toSecond(event.Datetime)) }))
    .filter(({ at }) => within(at, filter))
    .sort((one, other) => sign * (one.at - other.at))
    .slice(0, limit)
    .map(({ event }) =>
      Object.fromEntries(fields.map((name) => [name, eventFields[name]?.(event)])),
    );
}

function within(at: number, filter: Filter): boolean {
  const { datetime_geq: geq, datetime_gt: gt, datetime_leq: leq, datetime_lt: lt } = filter;
  return (
    (geq === undefined || at >= Date.parse(geq)) &&
    (gt === undefined || at > Date.parse(gt)) &&
    (leq === undefined || at <= Date.parse(leq)) &&
    (lt === undefined || at < Date.parse(lt))
  );
}

/** In seconds; without a beginning and an end it is endless. */
function durationOf(filter: Filter): number {
  const from = filter.datetime_geq ?? filter.datetime_gt;
  const until = filter.datetime_leq ?? filter.datetime_lt;
  if (from === undefined || until === undefined) return Infinity;
  return (Date.parse(until) - Date.parse(from)) / 1000;
}

const answer = (zone: object): Reply => ({
  result: null,
  document: { data: { viewer: { zones: [zone] } }, errors: null },
});

const unknownField = (name: string): Reply => refused(`unknown field "${name}"`);

const refused = (message: string): Reply => ({
  result: null,
  document: { data: null, errors: [{ message, path: ['viewer', 'zones', '0'] }] },
});
