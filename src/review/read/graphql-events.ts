import { appendFile } from 'node:fs/promises';
import * as z from 'zod';
import { type Client } from '../../cloudflare/client';
import { type RateLimiter } from '../../cloudflare/rate-limiter';
import { readSecurityEvents, type TimeSpan } from '../../cloudflare/security-events';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { EVENT_COLUMNS, type EventColumn, type EventText } from '../query/events';

/** The names of a column in GraphQL, which differ by the version of its schema. */
const GRAPHQL_NAMES: Readonly<Record<EventColumn, readonly string[]>> = {
  RayID: ['rayName'],
  Source: ['source'],
  Action: ['action'],
  RuleID: ['ruleId'],
  ClientIP: ['clientIP'],
  ClientCountry: ['clientCountryName'],
  ClientRequestHost: ['clientRequestHTTPHost', 'clientRequestHost'],
  ClientRequestMethod: [
    'clientRequestHTTPMethodName',
    'clientRequestHTTPMethod',
    'clientRequestMethod',
  ],
  ClientRequestPath: ['clientRequestPath'],
  ClientRequestQuery: ['clientRequestQuery'],
  Datetime: ['datetime'],
  SampleInterval: ['sampleInterval'],
};
const namesOf = (column: EventColumn): string[] => [column, ...GRAPHQL_NAMES[column]];

const eventSchema = z.record(z.string(), z.unknown());
const answerSchema = z.object({
  data: z.object({
    viewer: z.object({
      zones: z.array(z.looseObject({ firewallEventsAdaptive: z.array(eventSchema) })),
    }),
  }),
});
const refusalSchema = z.object({
  errors: z.tuple([z.object({ message: z.string() })], z.unknown()),
});

/**
 * The events of one JSON document: an answer of the GraphQL interface (`firewallEventsAdaptive`), an
 * array of such answers, or an array of events.
 * @param about names the document in messages
 * @throws MigrationError `EVENTS_INVALID`
 */
export function parseEventDocument(document: unknown, about: string): EventText[] {
  const parts: unknown[] = Array.isArray(document) ? document : [document];
  return parts.flatMap((part) => {
    const refusal = refusalSchema.safeParse(part).data;
    if (refusal !== undefined) {
      const words = printable(refusal.errors[0].message, 200);
      throw new MigrationError('EVENTS_INVALID', `${about} is a refusal of the API: ${words}`);
    }
    const answer = answerSchema.safeParse(part).data;
    if (answer !== undefined) {
      const { zones } = answer.data.viewer;
      return zones.flatMap((zone) => zone.firewallEventsAdaptive.map(eventText));
    }
    const event = eventSchema.safeParse(part).data;
    if (event !== undefined && EVENT_COLUMNS.flatMap(namesOf).some((name) => name in event)) {
      return [eventText(event)];
    }
    throw new MigrationError(
      'EVENTS_INVALID',
      `${about} holds no security events: neither data.viewer.zones[].firewallEventsAdaptive nor an array of events`,
    );
  });
}

/** An event of either interface with the names of the log export. */
function eventText(event: Readonly<Record<string, unknown>>): EventText {
  return Object.fromEntries(
    EVENT_COLUMNS.map((column) => {
      const values = namesOf(column).map((name) => event[name]);
      const value = values.find((one) => one !== undefined && one !== null) ?? null;
      return [column, typeof value === 'string' || value === null ? value : JSON.stringify(value)];
    }),
  );
}

/** Events as lines that DuckDB reads. */
export function renderEventLines(events: readonly EventText[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** Events of a zone to fetch. */
export interface EventRequest {
  readonly client: Client;
  readonly zoneId: string;
  readonly span: TimeSpan;
  readonly limiter: RateLimiter;
}

/**
 * Fetches the events of a zone page by page into a file of lines.
 * @returns how many events there are, and how many pages were too full to be fetched whole
 * @throws MigrationError those of the client, and `EVENTS_MISSING` if there is no event
 */
export async function fetchEvents(
  { client, zoneId, span, limiter }: EventRequest,
  path: string,
): Promise<{ readonly overfull: number }> {
  let [count, overfull] = [0, 0];
  for await (const page of readSecurityEvents(client, zoneId, span, limiter)) {
    if (page.overfull) overfull += 1;
    count += page.events.length;
    await appendFile(path, renderEventLines(page.events.map(eventText)), { mode: 0o600 });
  }
  if (count > 0) return { overfull };
  const [from, until] = [span.from, span.until].map((time) => new Date(time).toISOString());
  throw new MigrationError(
    'EVENTS_MISSING',
    `zone ${zoneId} has no security event from ${String(from)} to ${String(until)}`,
    { hint: 'pass a longer time with --since; both WAFs log only in validation mode' },
  );
}
