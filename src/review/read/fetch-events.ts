import { appendFile } from 'node:fs/promises';
import { type Client } from '../../cloudflare/client';
import { type RateLimiter } from '../../cloudflare/rate-limiter';
import {
  readSecurityEvents,
  type SampledEvent,
  type TimeSpan,
} from '../../cloudflare/security-events';
import { MigrationError } from '../../core/migration-error';
import { type EVENT_COLUMNS } from '../query/events';

/** The columns of the log export in the GraphQL API, which has no other ones in its query. */
const GRAPHQL_NAMES: readonly (readonly [keyof typeof EVENT_COLUMNS | 'SampleInterval', string])[] =
  [
    ['RayID', 'rayName'],
    ['Source', 'source'],
    ['Action', 'action'],
    ['RuleID', 'ruleId'],
    ['ClientIP', 'clientIP'],
    ['ClientRequestHost', 'clientRequestHTTPHost'],
    ['ClientRequestMethod', 'clientRequestHTTPMethodName'],
    ['ClientRequestPath', 'clientRequestPath'],
    ['ClientRequestQuery', 'clientRequestQuery'],
    ['Datetime', 'datetime'],
    ['SampleInterval', 'sampleInterval'],
  ];

/** An event as a line of the log export. */
function renderEvent(event: SampledEvent): string {
  const columns = GRAPHQL_NAMES.map(([column, name]) => [column, event[name]]);
  return `${JSON.stringify(Object.fromEntries(columns))}\n`;
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
 * @throws MigrationError those of the client, and `EVENTS_MISSING` if there is no event
 */
export async function fetchEvents(
  { client, zoneId, span, limiter }: EventRequest,
  path: string,
): Promise<void> {
  let count = 0;
  for await (const events of readSecurityEvents(client, zoneId, span, limiter)) {
    count += events.length;
    await appendFile(path, events.map(renderEvent).join(''), { mode: 0o600 });
  }
  if (count > 0) return;
  const [from, until] = [span.from, span.until].map((time) => new Date(time).toISOString());
  throw new MigrationError(
    'EVENTS_MISSING',
    `zone ${zoneId} has no security event from ${String(from)} to ${String(until)}`,
    { hint: 'pass a longer time with --since; both WAFs log only in validation mode' },
  );
}
