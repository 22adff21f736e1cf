import * as z from 'zod';
import { type Call, type Reply, type Route } from '../route';
import { securityEventSchema } from '../world';

/** The GraphQL API, only for security events. It has no envelope and reports errors with 200. */
export const securityEventRoutes: readonly Route[] = [
  { path: '/graphql', methods: { POST: answerQuery } },
];

/** The limits of an Enterprise zone (the node `settings`; seconds). */
const LIMITS = { enabled: true, maxPageSize: 10_000, maxDuration: 86_400, notOlderThan: 2_678_400 };

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const requestSchema = z.object({
  query: z.string(),
  variables: z.object({
    zoneTag: z.string(),
    filter: z.strictObject({ datetime_geq: time, datetime_lt: time }).optional(),
  }),
});

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
  const { zoneTag, filter } = variables;
  const zone = world.zones.get(zoneTag);
  if (zone === undefined) return refused(`zone '${zoneTag}' is not authorized or does not exist`);
  const limits = { ...LIMITS, maxPageSize: pageSize };
  const settings = SETTINGS.exec(query)?.[1];
  if (settings !== undefined) {
    return selected(settings, Object.keys(limits), (pick) => ({
      settings: { firewallEventsAdaptive: pick(limits) },
    }));
  }
  const [, given = '', fields = ''] = EVENTS.exec(query) ?? [];
  const limit = Number(/\blimit\s*:\s*(\d{1,9})\b/.exec(given)?.[1]);
  if (filter === undefined || Number.isNaN(limit) || !/\bfilter\s*:\s*\$filter\b/.test(given)) {
    return refused('error parsing args: query is not understood');
  }
  const { datetime_geq: from, datetime_lt: until } = filter;
  if (limit < 1 || limit > limits.maxPageSize) {
    return refused(`limit must be positive number and not greater than ${limits.maxPageSize}`);
  }
  if (until - from > LIMITS.maxDuration * 1000) {
    return refused(`query time range is too large, at most ${LIMITS.maxDuration} seconds`);
  }
  const events = zone.events
    .map((event) => ({ event, at: Date.parse(event.datetime) }))
    .filter(({ at }) => at >= from && at < until)
    .sort((one, other) => one.at - other.at)
    .slice(0, limit);
  return selected(fields, Object.keys(securityEventSchema.shape), (pick) => ({
    firewallEventsAdaptive: events.map(({ event }) => pick(event)),
  }));
}

/** Returns the fields that a query selects, or refuses the first unknown field. */
function selected(
  selection: string,
  known: readonly string[],
  zoneOf: (pick: (values: object) => object) => object,
): Reply {
  const names = selection.split(/\s+/).filter((name) => name !== '');
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) return refused(`unknown field "${unknown}"`);
  const pick = (values: object): object =>
    Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
  const data = { viewer: { zones: [zoneOf(pick)] } };
  return { result: null, document: { data, errors: null } };
}

const refused = (message: string): Reply => ({
  result: null,
  document: { data: null, errors: [{ message, path: ['viewer', 'zones', '0'] }] },
});
