import * as z from 'zod';
import { type Call, type Reply, type Route } from '../route';
import { type SecurityEvent } from '../world';

/** The GraphQL API, only for security events. It has no envelope and reports errors with 200. */
export const securityEventRoutes: readonly Route[] = [
  { path: '/graphql', methods: { POST: answerQuery } },
];

/** The fields of `firewallEventsAdaptive` (public documentation) from those of the export. */
const eventFields: ReadonlyMap<string, (event: SecurityEvent) => unknown> = new Map(
  Object.entries({
    // both spellings were seen; this one is easier to miss
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
    clientRequestPath: ({ ClientRequestPath }) => ClientRequestPath,
    clientRequestQuery: ({ ClientRequestQuery }) => ClientRequestQuery,
    userAgent: ({ ClientRequestUserAgent }) => ClientRequestUserAgent,
    datetime: ({ Datetime }) => toSecond(Datetime),
    sampleInterval: () => 1,
  } satisfies Record<string, (event: SecurityEvent) => unknown>),
);

/** Times of the API have no fraction (public documentation). */
const toSecond = (time: string): string => `${time.slice(0, 19)}Z`;

/** The limits of an Enterprise zone (the node `settings`; seconds). */
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
        datetime_lt: time.optional(),
      })
      .optional(),
  }),
});
type Filter = NonNullable<z.infer<typeof requestSchema>['variables']['filter']>;

/** The two queries of event clients, in the form of the documentation. */
const ZONE = String.raw`viewer\s*\{\s*zones\s*\(\s*filter\s*:\s*\{\s*zoneTag\s*:\s*\$zoneTag\s*\}\s*\)\s*\{\s*`;
const SETTINGS = new RegExp(
  String.raw`${ZONE}settings\s*\{\s*firewallEventsAdaptive\s*\{([\w\s]+)\}`,
);
const EVENTS = new RegExp(String.raw`${ZONE}firewallEventsAdaptive\s*\(([^)]*)\)\s*\{([\w\s]+)\}`);

function answerQuery({ world, body, pageSize = LIMITS.maxPageSize }: Call): Reply {
  const request = requestSchema.safeParse(body());
  if (!request.success) return refused('request body or filter is not understood');
  const { query, variables } = request.data;
  const { zoneTag, filter = {} } = variables;
  if (!world.zones.has(zoneTag)) {
    return refused(`zone '${zoneTag}' is not authorized or does not exist`);
  }
  const limits = { ...LIMITS, maxPageSize: pageSize };
  const settings = SETTINGS.exec(query)?.[1];
  if (settings !== undefined) {
    return selected(settings, Object.keys(limits), (names) => ({
      settings: { firewallEventsAdaptive: pick(limits, names) },
    }));
  }
  const [, given = '', fields = ''] = EVENTS.exec(query) ?? [];
  const limit = Number(/\blimit\s*:\s*(\d{1,9})\b/.exec(given)?.[1]);
  if (Number.isNaN(limit) || !/\bfilter\s*:\s*\$filter\b/.test(given)) {
    return refused('error parsing args: query is not understood');
  }
  if (limit < 1 || limit > limits.maxPageSize) {
    return refused(`limit must be positive number and not greater than ${limits.maxPageSize}`);
  }
  if (durationOf(filter) > LIMITS.maxDuration) {
    return refused(`query time range is too large, at most ${LIMITS.maxDuration} seconds`);
  }
  const events = (world.events.get(zoneTag) ?? [])
    .map((event) => ({ event, at: Date.parse(toSecond(event.Datetime)) }))
    .filter(({ at }) => isWithin(at, filter))
    .sort((one, other) => one.at - other.at)
    .slice(0, limit);
  return selected(fields, [...eventFields.keys()], (names) => ({
    firewallEventsAdaptive: events.map(({ event }) =>
      Object.fromEntries(names.map((name) => [name, eventFields.get(name)?.(event)])),
    ),
  }));
}

/** Returns the fields that a query selects, or refuses the first unknown field. */
function selected(
  selection: string,
  known: readonly string[],
  zoneOf: (names: readonly string[]) => object,
): Reply {
  const names = selection.split(/\s+/).filter((name) => name !== '');
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) return refused(`unknown field "${unknown}"`);
  const data = { viewer: { zones: [zoneOf(names)] } };
  return { result: null, document: { data, errors: null } };
}

const pick = (values: Readonly<Record<string, unknown>>, names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, values[name]]));

function isWithin(at: number, filter: Filter): boolean {
  const { datetime_geq: geq, datetime_gt: gt, datetime_lt: lt } = filter;
  return (
    (geq === undefined || at >= Date.parse(geq)) &&
    (gt === undefined || at > Date.parse(gt)) &&
    (lt === undefined || at < Date.parse(lt))
  );
}

/** In seconds; infinite without a start or an end. */
function durationOf(filter: Filter): number {
  const from = filter.datetime_geq ?? filter.datetime_gt;
  const until = filter.datetime_lt;
  if (from === undefined || until === undefined) return Infinity;
  return (Date.parse(until) - Date.parse(from)) / 1000;
}

const refused = (message: string): Reply => ({
  result: null,
  document: { data: null, errors: [{ message, path: ['viewer', 'zones', '0'] }] },
});
