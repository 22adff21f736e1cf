import * as z from 'zod';
import { parseZoneId } from '../core/identifier';
import { MigrationError } from '../core/migration-error';
import { type Client } from './client';
import { parseResult } from './envelope';
import { createRateLimiter, type RateLimiter } from './rate-limiter';

/** A security event of the GraphQL API. */
export type SampledEvent = Readonly<Record<string, unknown>>;

/** Start (inclusive) and end (exclusive), in milliseconds since the epoch. */
export interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

/**
 * A limiter for the GraphQL API, which has a separate limit: 320 queries in five minutes
 * (Cloudflare's documentation; older pages say 300).
 */
export function graphqlLimiter(options: Parameters<typeof createRateLimiter>[0] = {}): RateLimiter {
  return createRateLimiter({ ...options, requests: 300 });
}

const fields = [
  'rayName',
  'source',
  'action',
  'ruleId',
  'clientIP',
  'clientRequestHTTPHost',
  'clientRequestHTTPMethodName',
  'clientRequestPath',
  'clientRequestQuery',
  'datetime',
  'sampleInterval',
  'matchIndex',
] as const;

const SETTINGS = `query EventSettings($zoneTag: string) {
  viewer { zones(filter: {zoneTag: $zoneTag}) { settings { firewallEventsAdaptive { maxPageSize maxDuration notOlderThan } } } }
}`;

/** The type name of the filter comes from Cloudflare's documentation. */
const eventsQuery = (
  limit: number,
): string => `query ListFirewallEvents($zoneTag: string, $filter: FirewallEventsAdaptiveFilter_InputObject) {
  viewer { zones(filter: {zoneTag: $zoneTag}) {
    firewallEventsAdaptive(filter: $filter, limit: ${limit}, orderBy: [datetime_ASC]) { ${fields.join(' ')} }
  } }
}`;

const limits = z.object({
  maxPageSize: z.number().int().positive(),
  maxDuration: z.number().positive(),
  notOlderThan: z.number().positive(),
});
const settingsSchema = z.object({
  viewer: z.object({
    zones: z.array(z.object({ settings: z.object({ firewallEventsAdaptive: limits }) })).min(1),
  }),
});
const eventsSchema = z.object({
  viewer: z.object({
    zones: z
      .array(z.object({ firewallEventsAdaptive: z.array(z.record(z.string(), z.unknown())) }))
      .min(1),
  }),
});
const datetimeSchema = z.string().min(1);

/**
 * The security events of a zone, page by page, oldest first. There is no cursor, so each page
 * starts at the second in which the previous one ended, without the events already read.
 *
 * @throws MigrationError as the client; `API_RESPONSE_INVALID` if a page ends no later than the one
 * before it
 */
export async function* readSecurityEvents(
  client: Client,
  zoneId: string,
  span: TimeSpan,
  limiter: RateLimiter,
): AsyncGenerator<readonly SampledEvent[]> {
  const zone = parseZoneId(zoneId);
  const about = `security events of zone ${zone}`;
  const query = async <T>(schema: z.ZodType<T>, text: string, variables: object): Promise<T> => {
    await limiter.take();
    const body = { query: text, variables: { zoneTag: zone, ...variables } };
    const options = { body, about, graphql: true } as const;
    return parseResult(schema, await client.request('POST', '/graphql', options), about);
  };
  const { viewer } = await query(settingsSchema, SETTINGS, {});
  const [settings] = viewer.zones.map((one) => one.settings.firewallEventsAdaptive);
  if (settings === undefined) return;
  const { maxPageSize, maxDuration } = settings;
  for (let start = span.from; start < span.until; start += maxDuration * 1000) {
    const datetime_lt = isoTime(Math.min(start + maxDuration * 1000, span.until));
    let datetime_geq = isoTime(start);
    let known = new Set<string>();
    for (;;) {
      const filter = { datetime_geq, datetime_lt };
      const answer = await query(eventsSchema, eventsQuery(maxPageSize), { filter });
      const page = answer.viewer.zones.flatMap((one) => one.firewallEventsAdaptive);
      const events = page.filter((event) => !known.has(JSON.stringify(event)));
      yield events;
      if (page.length < maxPageSize) break;
      const last = datetimeSchema.safeParse(page.at(-1)?.['datetime']).data ?? '';
      if (!(Date.parse(last) > Date.parse(datetime_geq))) throw endless(about, maxPageSize);
      datetime_geq = last;
      known = new Set(
        page.filter(({ datetime }) => datetime === last).map((event) => JSON.stringify(event)),
      );
    }
  }
}

/** The next page would be the same. */
function endless(about: string, maxPageSize: number): MigrationError {
  return new MigrationError(
    'API_RESPONSE_INVALID',
    `${about}: one second has ${maxPageSize} events or more, so some cannot be read`,
    { hint: 'pass the log export with --events, or another --since' },
  );
}

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
