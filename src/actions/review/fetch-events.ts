import { appendFile } from 'node:fs/promises';
import { type Client } from '../../cloudflare/client';
import { type RateLimiter } from '../../cloudflare/rate-limiter';
import { readSecurityEvents, type TimeSpan } from '../../cloudflare/security-events';
import { eventText, renderEventLines } from '../../review/read/parse-event-document';

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
 * @throws MigrationError those of the client
 */
export async function fetchEvents(
  request: EventRequest,
  path: string,
): Promise<{ events: number; overfull: number }> {
  const { client, zoneId, span, limiter } = request;
  let [events, overfull] = [0, 0];
  for await (const page of readSecurityEvents(client, zoneId, span, limiter)) {
    if (page.overfull) overfull += 1;
    events += page.events.length;
    await appendFile(path, renderEventLines(page.events.map(eventText)), { mode: 0o600 });
  }
  return { events, overfull };
}
