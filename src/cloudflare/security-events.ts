import * as z from 'zod';
import { parseZoneId } from '../core/identifier';
import { textOf } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { type Client } from './client';
import { parseResult } from './envelope';

type SecurityEvent = Readonly<Record<string, unknown>>;

/** Start (inclusive) and end (exclusive), in milliseconds since the epoch. */
export interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

/** The fields of the log export, as the GraphQL API names them. */
const FIELDS = {
  RayID: 'rayName',
  Source: 'source',
  Action: 'action',
  RuleID: 'ruleId',
  ClientIP: 'clientIP',
  ClientRequestHost: 'clientRequestHTTPHost',
  ClientRequestMethod: 'clientRequestHTTPMethodName',
  ClientRequestPath: 'clientRequestPath',
  ClientRequestQuery: 'clientRequestQuery',
  Datetime: 'datetime',
  SampleInterval: 'sampleInterval',
  MatchIndex: 'matchIndex',
} as const;

const asExported = (event: Readonly<Record<string, unknown>>): SecurityEvent =>
  Object.fromEntries(Object.entries(FIELDS).map(([field, name]) => [field, event[name]]));

const SETTINGS = `query EventSettings($zoneTag: string) {
  viewer { zones(filter: {zoneTag: $zoneTag}) { settings { firewallEventsAdaptive { maxPageSize maxDuration } } } }
}`;

/** The type name of the filter comes from Cloudflare's documentation. */
const eventsQuery = (
  limit: number,
): string => `query ListFirewallEvents($zoneTag: string, $filter: FirewallEventsAdaptiveFilter_InputObject) {
  viewer { zones(filter: {zoneTag: $zoneTag}) {
    firewallEventsAdaptive(filter: $filter, limit: ${limit}, orderBy: [datetime_ASC]) { ${Object.values(FIELDS).join(' ')} }
  } }
}`;

/** The answer to a query of one zone. */
const viewerOf = <Zone extends z.ZodType>(zone: Zone) =>
  z.object({ viewer: z.object({ zones: z.tuple([zone]) }) });
const limits = z.object({ maxPageSize: z.int().positive(), maxDuration: z.int().min(60) });
const settingsSchema = viewerOf(
  z.object({ settings: z.object({ firewallEventsAdaptive: limits }) }),
);
const eventsSchema = viewerOf(
  z.object({ firewallEventsAdaptive: z.array(z.record(z.string(), z.unknown())) }),
);

/**
 * The security events of a zone, page by page, oldest first. There is no cursor, so each page
 * starts at the second in which the previous one ended, without the events already read.
 * @throws MigrationError as the client; `API_RESPONSE_INVALID` if a page ends no later than the one
 * before it, or after the requested time
 */
export async function* readSecurityEvents(
  client: Client,
  zoneId: string,
  span: TimeSpan,
): AsyncGenerator<readonly SecurityEvent[]> {
  const zone = parseZoneId(zoneId);
  const about = `security events of zone ${zone}`;
  const query = async <T>(schema: z.ZodType<T>, text: string, variables: object): Promise<T> => {
    const body = { query: text, variables: { zoneTag: zone, ...variables } };
    const options = { body, about, graphql: true } as const;
    return parseResult(schema, await client.request('POST', '/graphql', options), about);
  };
  const { viewer } = await query(settingsSchema, SETTINGS, {});
  const { maxPageSize, maxDuration } = viewer.zones[0].settings.firewallEventsAdaptive;
  for (let start = span.from; start < span.until; start += maxDuration * 1000) {
    const datetime_lt = isoTime(Math.min(start + maxDuration * 1000, span.until));
    let datetime_geq = isoTime(start);
    let known = new Set<string>();
    for (;;) {
      const filter = { datetime_geq, datetime_lt };
      const answer = await query(eventsSchema, eventsQuery(maxPageSize), { filter });
      const page = answer.viewer.zones[0].firewallEventsAdaptive;
      yield page.filter((event) => !known.has(JSON.stringify(event))).map(asExported);
      if (page.length < maxPageSize) break;
      const last = nextStart(page, filter, about);
      known = new Set(
        page.filter(({ datetime }) => datetime === last).map((event) => JSON.stringify(event)),
      );
      datetime_geq = last;
    }
  }
}

/**
 * The time of the last event of a full page, at which the next page starts.
 * @throws MigrationError if the next query would skip events or repeat for ever
 */
function nextStart(
  page: readonly SecurityEvent[],
  filter: { readonly datetime_geq: string; readonly datetime_lt: string },
  about: string,
): string {
  const last = textOf(page.at(-1)?.['datetime']);
  const at = Date.parse(last);
  const isOver = at >= Date.parse(filter.datetime_lt);
  if (!isOver && at > Date.parse(filter.datetime_geq)) return last;
  const why = isOver
    ? 'the answer has events after the requested time'
    : `one second has ${page.length} events or more, so some cannot be read`;
  throw new MigrationError('API_RESPONSE_INVALID', `${about}: ${why}`, {
    hint: 'pass events of Logpush with --events, or another --since',
  });
}

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
