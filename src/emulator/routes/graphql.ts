import * as z from 'zod';
import { type Call, type Reply, type Route } from '../call';
import { eventFields, toSecond } from '../graphql/event-fields';
import { type EventQuery, parseQuery } from '../graphql/parse-query';
import { type SecurityEvent } from '../traffic/security-event';

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
